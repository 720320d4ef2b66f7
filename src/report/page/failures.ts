import type { Failure, RequirementResult } from '#judge/results'
import { type Html, html, nothing } from '#page/html'
import { copyable, counted, folded, prose } from '#page/parts'
import { shellWord } from '../shell-quote.ts'
import { printable } from '#text/printable'
import { type Cause, causesOf } from '../causes.ts'
import { known } from '../counts.ts'
import { timeLine } from './moments.ts'
import { refusedMedia } from '../refused-media.ts'
import type { ShownRun } from './shown-run.ts'
import { verdictBadge } from './verdict-badge.ts'

/** What broke, by cause: what showed first is told whole, what follows from it is folded under it. */
export function failures(run: ShownRun): Html {
  const broken = run.results.requirements.filter(({ verdict }) => ['fail', 'warn', 'waived'].includes(known(verdict)))
  if (broken.length === 0) return html`<p>Nothing was broken.</p>`
  const causes = [
    ...causesOf(broken.filter(({ verdict }) => verdict !== 'waived')),
    ...causesOf(broken.filter(({ verdict }) => verdict === 'waived')),
  ]
  return html`<p>${counted(broken.length, 'requirement')} broken, by ${counted(causes.length, 'cause')}. What showed first in the run comes first.</p>
${notesOn(run)}${causes.map((cause, index) => causeItem(cause, index, run))}`
}

/** What may excuse the target, and has to be read before its failures. */
function notesOn({ results, trace }: ShownRun): Html {
  const notes = trace === undefined ? [] : refusedMedia(trace.index, results.target.profile)
  return html`${notes.map((note) => html`<p><strong>${printable(note, 1_000)}</strong></p>`)}`
}

function causeItem({ first, more }: Cause, index: number, run: ShownRun): Html {
  const follow = more.length === 0 ? nothing : html`<span class="soft"> and ${more.length} more</span>`
  const summary = html`${verdictBadge(first.verdict)} <strong class="mono">${printable(first.id)}</strong>${follow}${knownNote(first, run)}<span class="says">${prose(textOf(first, run))}</span>`
  const others = folded(
    `${counted(more.length, 'requirement')} with the same cause`,
    html`<ul class="others">${more.map((row) => otherItem(row, run))}</ul>`,
  )
  return html`<details class="cause ${first.verdict}" id="cause-${index + 1}"${index < 3 ? html` open` : nothing}><summary>${summary}</summary>
${brokenRow(first, run)}${more.length === 0 ? nothing : others}</details>
`
}

/** A failure that the baseline has too weighs nothing. */
function knownNote({ id }: RequirementResult, { baseline }: ShownRun): Html {
  return baseline?.failed.has(id) === true ? html`<span class="soft"> · in the baseline</span>` : nothing
}

function brokenRow(row: RequirementResult, run: ShownRun): Html {
  const [first, ...again] = row.failures ?? []
  const told = first === undefined ? html`<p>${printable(row.reason)}</p>` : failureItem(first, row.id, run)
  const others = again.map((failure) => againItem(failure, first, run))
  return html`<p class="soft">${row.level.toUpperCase()} §${printable(row.section)}${run.unlisted === true ? nothing : html` · <a href="#${row.id}">in the list of all requirements</a>`}</p>
${told}${others.length === 0 ? nothing : folded(`Broken ${others.length === 1 ? 'once' : `${others.length} times`} more`, html`${others}`)}
${replayLine(row, run)}${commandThat('Checks this requirement alone', onlyLine(row, run))}`
}

function onlyLine({ id }: RequirementResult, { named = [] }: ShownRun): string {
  return ['npx greenroom check --only', id, '--all-scenarios', ...named.map(shellWord)].join(' ')
}

/** The command that sends it again and judges what comes. */
function replayLine({ id }: RequirementResult, { trace }: ShownRun): Html {
  const line = trace?.replay?.(id)
  return line === undefined ? nothing : commandThat('Sends the failure again and judges what comes', line)
}

/** A command, and above it what it does. */
function commandThat(does: string, line: string, limit = 2_000): Html {
  return html`<p class="soft">${does}</p>${copyable(`command: ${does}`, printable(line, limit))}`
}

/** The first failure of a requirement. */
function failureItem(failure: Failure, requirement: string, { trace }: ShownRun): Html {
  const again = trace?.resend(failure.evidence, requirement)
  const line = trace === undefined ? nothing : timeLine(trace.index, failure.evidence)
  return html`<dl class="failure"><dt>Expected</dt><dd>${printable(failure.expected, 1_500)}</dd><dt>Got</dt><dd>${printable(failure.got, 1_500)}</dd>${evidenceOf(failure, trace)}</dl>
${again === undefined ? nothing : commandThat('Sends again what showed it', again, 6_000)}${
  line.markup === '' ? nothing : html`<h3>What was sent and what came</h3>${line}`
}`
}

function evidenceOf({ evidence, scenario }: Failure, trace: ShownRun['trace']): Html {
  const lines = `${trace === undefined ? 'line ' : `${trace.name}:`}${evidence.join(', ')}`
  return html`<dt>Evidence</dt><dd class="mono">${printable(lines)}${scenario === undefined ? nothing : ` (${printable(scenario)})`}</dd>`
}

/** Where the same row was broken once more. */
function againItem(failure: Failure, first: Failure | undefined, { trace }: ShownRun): Html {
  const isSame = failure.expected === first?.expected && failure.got === first.got
  const words = isSame
    ? nothing
    : html`<dt>Expected</dt><dd>${printable(failure.expected)}</dd><dt>Got</dt><dd>${printable(failure.got)}</dd>`
  return html`<dl class="failure">${words}${evidenceOf(failure, trace)}</dl>`
}

function otherItem(row: RequirementResult, run: ShownRun): Html {
  const [failure] = row.failures ?? []
  const got = failure === undefined ? row.reason : `expected ${failure.expected}; got ${failure.got}`
  return html`<li>${verdictBadge(row.verdict)} ${rowName(row, run)} ${prose(textOf(row, run))}<br><span class="soft">${printable(got)}</span></li>`
}

function rowName({ id }: RequirementResult, { unlisted = false }: ShownRun): Html {
  return unlisted
    ? html`<span class="mono">${printable(id)}</span>`
    : html`<a class="mono" href="#${id}">${printable(id)}</a>`
}

/** The sentence of a requirement. */
export function textOf({ id }: RequirementResult, { text }: ShownRun): string {
  return printable(text(id) ?? '', 1_000)
}
