import type { RequirementResult, Results } from '#judge/results'
import { type Html, html, nothing } from '#page/html'
import { duration, moment, number } from '#page/numbers'
import { badge, counted, figures, folded, prose, type Tone } from '#page/parts'
import { printable } from '#text/printable'
import { causesOf, leftAlike } from '../causes.ts'
import { conclude } from '../conclusion.ts'
import { countAll } from '../counts.ts'
import { unjudgedByRemedy } from '../remedies.ts'
import { textOf } from './failures.ts'
import type { ShownRun } from './shown-run.ts'

/** What ended badly, by exit code. */
const words: { readonly [exit: number]: { readonly tone: Tone; readonly name: string } } = {
  1: { tone: 'bad', name: 'not conformant' },
  3: { tone: 'warn', name: 'could not be judged' },
  4: { tone: 'warn', name: 'Greenroom failed' },
  130: { tone: 'warn', name: 'interrupted' },
}

/** The first screen: what was checked, what it came to and why. */
export function runHeader(shown: ShownRun): Html {
  const { results } = shown
  const { run, target } = results
  const { exit, sentence } = conclude(results, shown)
  const { tone, name } = words[exit] ?? { tone: 'good', name: withoutFailure(sentence) }
  const only = run.only.length === 0 ? '' : `, only ${printable(run.only.join(', '))}`
  return html`<p class="over">Greenroom check · ${moment(run.date)}, ${duration(run.duration_ms)} · tier ${run.tier}${only}</p>
<div class="verdict"><h1>${printable(target.base_url)}</h1>${badge(tone, name)}</div>
<p><strong>${sentence}</strong></p>${firstBroken(shown)}
${figures(keyFigures(results))}${trouble(results)}`
}

/** How many causes the first screen names. */
const mostNamed = 3

/** What broke first, by cause, where it counts: whoever reads no further knows what to look at. */
function firstBroken(shown: ShownRun): Html {
  const { results, baseline } = shown
  const counts = ({ id, verdict }: RequirementResult): boolean =>
    verdict === 'fail' && baseline?.failed.has(id) !== true
  const causes = causesOf(results.requirements.filter(counts))
  if (causes.length === 0) return nothing
  const named = causes.slice(0, mostNamed).map(({ first, more }) => {
    const follow =
      more.length === 0 ? nothing : html` <span class="soft">and ${more.length} more with the same cause</span>`
    return html`<li><a class="mono" href="#${first.id}">${printable(first.id)}</a>${follow}<br>${prose(textOf(first, shown))}</li>`
  })
  const rest = causes.length - named.length
  return html`<ul class="why">${named}${rest === 0 ? nothing : html`<li><a href="#broken">${counted(rest, 'more cause')}</a></li>`}</ul>`
}

/** `conformant`, or what less than that may end with 0: no new failures, nothing broken was seen. */
function withoutFailure(sentence: string): string {
  return sentence.replace(/:.*$/s, '').toLowerCase()
}

function keyFigures(results: Results): Parameters<typeof figures>[0] {
  const counts = countAll(results)
  const { rest_requests, sessions_created, client_events, server_events } = results.traffic
  return [
    { name: 'Passed', value: number(counts.pass), note: `of ${counted(results.requirements.length, 'requirement')}` },
    { name: 'Failed', value: number(counts.fail), ...(counts.warn > 0 ? { note: `${counts.warn} warned` } : {}) },
    {
      name: 'Not judged',
      value: number(counts.inconclusive),
      ...noteOf([...leftOutOf(results), [counts.untestable, 'untestable'], [counts.not_applicable, 'not applicable']]),
    },
    ...(counts.waived > 0 ? [{ name: 'Waived', value: number(counts.waived) }] : []),
    { name: 'Requests', value: number(rest_requests), note: counted(sessions_created, 'session') },
    { name: 'Events', value: number(client_events + server_events), note: `${number(client_events)} sent` },
  ]
}

/** What an option left out, by option: a gate leaves out half, and whoever sees the number has to know why. */
function leftOutOf(results: Results): readonly (readonly [number, string])[] {
  const groups = unjudgedByRemedy(results).filter(({ remedy }) => remedy.title.startsWith('Left out by '))
  return groups.map(({ remedy, rows }) => [rows.length, printable(remedy.title.toLowerCase())])
}

/** Counts that are not 0, with their names. */
function noteOf(counts: readonly (readonly [number, string])[]): { readonly note?: string } {
  const shown = counts.filter(([count]) => count > 0).map(([count, name]) => `${count} ${name}`)
  return shown.length === 0 ? {} : { note: shown.join(', ') }
}

/** What is wrong beside the requirements: it must not be missed. */
function trouble({ harness_errors, leaked, waivers, unscored }: Results): Html {
  const broken = unscored.filter(({ verdict }) => verdict === 'fail' || verdict === 'warn')
  const lines = [
    ...harness_errors.map(({ message }) => `Greenroom's own mistake: ${printable(message)}`),
    ...leftAlike(leaked).map(leftOpen),
    ...waivers.stale.map((id) => `Expected to fail, and did not: ${printable(id)}`),
    ...waivers.expired.map((id) => `Expected to fail, and that has expired: ${printable(id)}`),
    ...waivers.unknown.map((id) => `Expected to fail, and no requirement: ${printable(id)}`),
    ...broken.map(({ id, verdict }) => `Newer than the release, and not scored: ${verdict} ${printable(id)}`),
  ]
  return lines.length === 0 ? nothing : html`<ul class="why">${lines.map((line) => html`<li>${line}</li>`)}</ul>`
}

/** What was left for one reason, in one line: the ids of many things would push the verdict's reasons off the screen. */
function leftOpen(all: Results['leaked']): Html | string {
  const [first] = all
  const { resource = '', id = '', reason = '' } = first ?? {}
  const why = `(${printable(reason)})`
  if (all.length === 1) return `Left open: ${printable(resource)} ${printable(id)} ${why}`
  const ids = all.map((one) => html`<li>${printable(one.id)}</li>`)
  return folded(`Left open: ${counted(all.length, printable(resource))} ${why}`, html`<ul>${ids}</ul>`)
}
