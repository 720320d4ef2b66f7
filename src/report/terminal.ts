import type { Failure, RequirementResult, Results } from '#judge/results'
import { byFamily, fewNames } from './by-family.ts'
import { type Cause, causesOf, leftAlike } from './causes.ts'
import { type ConclusionOptions, conclude } from './conclusion.ts'
import { type Column, columns, type Counts, countAll, countByPart, known } from './counts.ts'
import type { Resend } from './curl.ts'
import type { Paint } from './paint.ts'
import { type Unjudged, unjudgedByRemedy } from './remedies.ts'
import { waivedRows, waiverText } from './waivers.ts'
import { printable } from '#text/printable'

export interface TerminalOptions extends ConclusionOptions {
  readonly paint: Paint
  readonly resend: Resend
  /** The command that sends the failure of a requirement again and judges it. */
  readonly replay?: (requirement: string) => string | undefined
  /** Path of the trace, as a reader would open it. */
  readonly trace: string
  /** The sentence of a requirement, where the register has one. */
  readonly text: (id: string) => string | undefined
  /** What else a reader of failures has to know. */
  readonly notes?: readonly string[]
  /** Whether the target ended with the run, so that what sends a failure again has to start it anew. */
  readonly embedded?: boolean
}

const failuresShown = 3
const groupsShown = 20

/** The end of a run, for people: parts, what failed and how to see it again, what was not judged, the conclusion. */
export function terminalReport(results: Results, options: TerminalOptions): string {
  if (results.run.outcome === 'unreachable') return unreachableReport(results, options)
  const broken = results.requirements.filter(({ verdict }) => ['fail', 'warn'].includes(known(verdict)))
  const blocks = [
    partTable(results, options.paint),
    ...causesOf(broken).map((cause) => causeBlock(cause, options)),
    ...notesOn(broken, options),
    endedTarget(broken, options),
    waiverRows(results, options.paint),
    unjudgedRows(results, options.paint),
    unscoredRows(results, options.paint),
    walks(results, options.paint),
    leftovers(results, options.paint),
    harnessErrors(results, options),
    lastLine(results, options),
  ]
  return `${blocks.filter((block) => block !== '').join('\n\n')}\n`
}

/** Where nobody answered there is one thing to say; what other runs left is told beside it. */
function unreachableReport(results: Results, options: TerminalOptions): string {
  const blocks = [leftovers(results, options.paint), sentenceLine(results, options)]
  return `${blocks.filter((block) => block !== '').join('\n\n')}\n`
}

function notesOn(broken: readonly RequirementResult[], { notes = [], paint }: TerminalOptions): readonly string[] {
  return broken.length === 0 ? [] : notes.map((note) => paint('yellow', printable(note, 1_000)))
}

/** What a reader has to know before copying a line: nobody listens at the embedded target's address any more. */
function endedTarget(broken: readonly RequirementResult[], { embedded = false, paint }: TerminalOptions): string {
  if (!embedded || broken.length === 0) return ''
  return paint(
    'dim',
    'The embedded target ended with this run: "again" shows what was sent to it, "replay" starts it anew and sends it.',
  )
}

type Style = Parameters<Paint>[0]

const looks: { readonly [column in Column]: { readonly heading: string; readonly style: Style } } = {
  pass: { heading: 'pass', style: 'green' },
  fail: { heading: 'fail', style: 'red' },
  warn: { heading: 'warn', style: 'yellow' },
  inconclusive: { heading: 'not judged', style: 'cyan' },
  untestable: { heading: 'untestable', style: 'dim' },
  not_applicable: { heading: 'n/a', style: 'dim' },
  waived: { heading: 'waived', style: 'yellow' },
}

/** Rows that are newer than the release: what they say, and that it counts for nothing. Whoever asks for them alone sees them all. */
function unscoredRows({ unscored, requirements, run }: Results, paint: Paint): string {
  const alone = requirements.length === 0
  const shown = unscored.filter(({ verdict }) => alone || ['fail', 'warn'].includes(known(verdict)))
  if (unscored.length === 0) return ''
  const head = `Newer than release ${run.release.version} of the requirements, and not scored: ${unscored.length}`
  const lines = byFamily(shown, ({ verdict }) => verdict)
  const rows = lines.map(({ name, rows: [{ verdict }] }) => `  ${verdict.toUpperCase()} ${printable(name)}`)
  return [paint('dim', head), ...rows].join('\n')
}

const pairsShown = 6

/** How much of what random walks go through they have made, and what is left. */
function walks({ walks: all = [] }: Results, paint: Paint): string {
  const rows = all.map(({ name, pairs, left }) => {
    const made = `  ${printable(name)}: ${pairs - left.length} of ${pairs}`
    const shown = left.slice(0, pairsShown).map((pair) => printable(pair))
    const more = left.length > pairsShown ? ` and ${left.length - pairsShown} more` : ''
    return left.length === 0 ? made : `${made}; left: ${shown.join(', ')}${more}`
  })
  return rows.length === 0 ? '' : [paint('dim', 'Walked, pairs of a state and an operation'), ...rows].join('\n')
}

function partTable(results: Results, paint: Paint): string {
  const parts = [...countByPart(results), ['total', countAll(results)] as const]
  const width = Math.max(...parts.map(([part]) => part.length))
  const head = columns.map((column) => `  ${looks[column].heading}`).join('')
  const line = ([part, counts]: readonly [string, Counts]): string =>
    printable(part).padEnd(width) + columns.map((column) => cell(column, counts[column], paint)).join('')
  return [paint('dim', ' '.repeat(width) + head), ...parts.map(line)].join('\n')
}

function cell(column: Column, count: number, paint: Paint): string {
  const { heading, style } = looks[column]
  return paint(count === 0 ? 'dim' : style, (count === 0 ? '·' : String(count)).padStart(heading.length + 2))
}

/** What showed first in full, and under it what follows from the same. */
function causeBlock({ first, more }: Cause, options: TerminalOptions): string {
  const row = brokenRow(first, options)
  return more.length === 0 ? row : `${row}\n${field('and so', `${more.length} more: ${fewNames(more, printable)}`)}`
}

function brokenRow(row: RequirementResult, options: TerminalOptions): string {
  const label = options.paint(looks[row.verdict].style, row.verdict.toUpperCase())
  const title = `${label} ${options.paint('bold', printable(row.id))}  ${row.level.toUpperCase()} §${printable(row.section)}`
  const text = options.text(row.id)
  const failures = row.failures ?? []
  const different = alike(failures)
  const more = different.length - failuresShown
  return [
    title,
    text === undefined ? `  ${printable(row.reason)}` : `  ${printable(text)}`,
    ...(failures.length === 0 ? [field('evidence', places(row.evidence, options.trace))] : []),
    ...different
      .slice(0, failuresShown)
      .flatMap((same, place) => failureLines(same, options, place === 0 ? row.id : undefined)),
    ...(more > 0 ? [`  and ${more} more, see results.json`] : []),
    ...(row.sent_again === undefined ? [] : [field('confirmed', printable(row.sent_again.says))]),
    ...replayField(row, options),
  ].join('\n')
}

function replayField({ id }: RequirementResult, { replay }: TerminalOptions): readonly string[] {
  const line = replay?.(id)
  return line === undefined ? [] : [field('replay', printable(line, 2_000))]
}

type SameFailures = readonly [Failure, ...Failure[]]

/** Failures that say the same stand together, in the order of the first of each. */
function alike(failures: readonly Failure[]): readonly SameFailures[] {
  const groups = new Map<string, [Failure, ...Failure[]]>()
  for (const failure of failures) {
    const said = JSON.stringify([failure.expected, failure.got])
    const same = groups.get(said)
    if (same === undefined) groups.set(said, [failure])
    else same.push(failure)
  }
  return [...groups.values()]
}

/** @param requirement named where they begin with its first failure */
function failureLines(
  [first, ...others]: SameFailures,
  options: TerminalOptions,
  requirement: string | undefined,
): readonly string[] {
  const again = options.resend(first.evidence, requirement)
  const scenario = first.scenario === undefined ? '' : `  (${printable(first.scenario)})`
  const more = others.length === 0 ? '' : `, and ${others.length} more like it`
  return [
    field('expected', printable(first.expected)),
    field('got', printable(first.got)),
    ...(again === undefined ? [] : [field('again', printable(again, 6_000))]),
    field('evidence', places(first.evidence, options.trace) + scenario + more),
  ]
}

function field(name: string, value: string): string {
  return `  ${name.padEnd(9)} ${value}`
}

/** `trace.ndjson:12, 14`: an editor opens the first at a click. */
function places(lines: readonly number[], trace: string): string {
  return lines.length === 0 ? trace : `${trace}:${lines.join(', ')}`
}

function waiverRows(results: Results, paint: Paint): string {
  const { stale, expired, unknown } = results.waivers
  const rows = [
    ...byFamily(waivedRows(results), ({ waiver }) => waiverText(waiver)).map(
      ({ name, rows: [{ waiver }] }) =>
        `${paint('yellow', 'WAIVED')} ${printable(name)}: ${printable(waiverText(waiver))}`,
    ),
    ...stale.map(
      (id) =>
        `${paint('red', 'STALE')} ${printable(id)}: listed as an expected failure, but it did not fail; remove it`,
    ),
    ...expired.map((id) => `${paint('red', 'EXPIRED')} ${printable(id)}: its expected failure has expired`),
    ...unknown.map(
      (id) =>
        `${paint('red', 'UNKNOWN')} ${printable(id)}: an expected failure names it, but there is no such requirement`,
    ),
  ]
  return rows.join('\n')
}

/** What this run did not judge, by what would change it; what no client can judge is one line. */
function unjudgedRows(results: Results, paint: Paint): string {
  const groups = unjudgedByRemedy(results)
  const { untestable } = countAll(results)
  const never =
    untestable === 0
      ? []
      : [paint('dim', `Untestable: ${untestable} that no client can judge, whatever a profile gives`)]
  if (groups.length === 0) return never.join('')
  const lines = groups.slice(0, groupsShown).map((group) => remedyLines(group, paint))
  const more = groups.length - groupsShown
  const rest = more > 0 ? [`  and ${more} more reasons, see results.json`] : []
  return [paint('cyan', 'Not judged in this run, by what would change it'), ...lines, ...rest, ...never].join('\n')
}

function remedyLines({ remedy, rows }: Unjudged, paint: Paint): string {
  const { title, says, line } = remedy
  const reasons = [...new Set(rows.map(({ reason }) => printable(reason, 160)))]
  const others =
    reasons.length > 1 ? ` and ${reasons.length - 1} more ${reasons.length === 2 ? 'reason' : 'reasons'}` : ''
  // What a profile lacks is said by the title already.
  const why = line === undefined ? [`        ${reasons[0] ?? ''}${others}`] : []
  return [
    `  ${String(rows.length).padStart(4)}  ${title}: ${says}${line === undefined ? '' : ` ${line}`}`,
    ...why,
    `        ${paint('dim', fewNames(rows, printable))}`,
  ].join('\n')
}

function leftovers(results: Results, paint: Paint): string {
  const leaked = leftAlike(results.leaked).map((all) => leftLine(all, paint))
  const kinds = Map.groupBy(results.undeletable, ({ resource }) => resource)
  const each = [...kinds].map(
    ([resource, all]) => `${all.length} ${printable(resource.replaceAll('-', ' '))}${all.length === 1 ? '' : 's'}`,
  )
  const kept = each.join(', ')
  const stays = kept === '' ? [] : [`Stays with the target, since the interface cannot delete it: ${kept}`]
  return [...leaked, ...stays].join('\n')
}

function leftLine(all: Results['leaked'], paint: Paint): string {
  const [first] = all
  const { resource = '', id = '', reason = '' } = first ?? {}
  const count = all.length === 1 ? '' : `${all.length} times `
  return `${paint('red', 'LEFT OPEN')} ${count}${printable(resource)}${all.length === 1 ? '' : ', first'} ${printable(id)}: ${printable(reason)}`
}

function harnessErrors(results: Results, options: TerminalOptions): string {
  return results.harness_errors
    .map(
      ({ message, evidence }) =>
        `${options.paint('red', 'HARNESS ERROR')} ${printable(message)}\n${field('evidence', places(evidence, options.trace))}`,
    )
    .join('\n')
}

function lastLine(results: Results, options: TerminalOptions): string {
  const { rest_requests, sessions_created } = results.traffic
  const seconds = Math.round(results.run.duration_ms / 1000)
  const cost = `${rest_requests} requests, ${sessions_created} ${sessions_created === 1 ? 'session' : 'sessions'}, ${seconds} s, seed ${results.run.seed}, tier ${results.run.tier}`
  return `${cost}\n${sentenceLine(results, options)}`
}

function sentenceLine(results: Results, options: TerminalOptions): string {
  const { exit, sentence } = conclude(results, options)
  const style = exit === 0 ? 'green' : exit === 1 ? 'red' : 'yellow'
  return `${options.paint(style, sentence)} (exit code ${exit})`
}
