import { printable } from '#text/printable'
import { byFamily, type FamilyLine } from './by-family.ts'
import { seenTexts } from './choice-text.ts'
import type { Change, ChangedChoice, Difference } from './difference.ts'

/** How many rows of a list are shown; `--json` has them all. */
const most = 30

const headings = [
  ['new_failures', 'New failures'],
  ['fixed', 'Fixed'],
  ['weaker', 'Weaker verdicts'],
  ['other', 'Other changes'],
] as const

/** The difference between two runs, for people. */
export function differenceText(all: Difference): string {
  const lists = headings.map(([kind, heading]) => changes(heading, all[kind].filter(isInBoth)))
  const choices = section('Choices that the interface leaves open', all.choices.map(choiceLine))
  const slower = section('Latency, p95: what changed by a fifth and 20 ms', latencyLines(all))
  const said = [...lists, goneLine(all), choices, slower].filter((text) => text !== '')
  return [runsLine(all), ...said, trafficLine(all)].join('\n\n').concat('\n')
}

/** The verdict on the difference, in one sentence. */
export function differenceSentence(all: Difference): string {
  const { new_failures, fixed } = all
  const gone = goneFrom(all)
  const weaker = all.weaker.filter(isInBoth)
  const notAsked = gone === 0 ? [] : [`${gone} only in the first run`]
  const counts = [`${fixed.length} fixed`, `${weaker.length} weaker`, ...notAsked].join(', ')
  return new_failures.length === 0 ? `No new failures (${counts}).` : `${number(new_failures.length)} (${counts}).`
}

/** A run that was narrowed has few of the rows: a line for each of the others would hide what is said of these. */
const isInBoth = ({ before, after }: Change): boolean => after !== 'absent' || before === 'fail'

const goneFrom = ({ weaker, other }: Difference): number => [...weaker, ...other].filter((one) => !isInBoth(one)).length

function goneLine(all: Difference): string {
  const gone = goneFrom(all)
  return gone === 0 ? '' : `Only in the first run, which did not fail them: ${gone}; --json has them`
}

function number(count: number): string {
  return count === 1 ? '1 new failure' : `${count} new failures`
}

/** Rows of a family that changed alike are one line. */
function changes(heading: string, all: readonly Change[]): string {
  const lines = byFamily(all, ({ before, after, reason }) => [before, after, reason].join(' '))
  return section(heading, lines.map(changeLine), all.length)
}

function section(heading: string, lines: readonly string[], count = lines.length): string {
  if (lines.length === 0) return ''
  const rest = lines.length > most ? [`  … and ${lines.length - most} more; --json has them all`] : []
  return [`${heading} (${count})`, ...lines.slice(0, most), ...rest].join('\n')
}

function changeLine({ name, rows: [{ before, after, level, reason }] }: FamilyLine<Change>): string {
  const why = reason === '' ? '' : `: ${printable(reason)}`
  return `  ${printable(name)} [${level}]: ${words(before)} -> ${words(after)}${why}`
}

/** Less is noise, as a rule, and so is what was timed once or twice. */
const [leastShare, leastMs, leastCount] = [0.2, 20, 3]

function latencyLines({ latency = [] }: Difference): readonly string[] {
  const told = latency.filter(({ before, after }) => {
    const change = Math.abs(after.p95_ms - before.p95_ms)
    const often = Math.min(before.count, after.count) >= leastCount
    return often && change >= leastMs && change >= before.p95_ms * leastShare
  })
  return told.map(
    ({ what, before, after }) =>
      `  ${printable(what)}: ${before.p95_ms} ms -> ${after.p95_ms} ms (p50 ${before.p50_ms} -> ${after.p50_ms}, ${before.count} and ${after.count} times)`,
  )
}

function words(verdict: Change['before']): string {
  return verdict === 'inconclusive' ? 'not judged' : verdict.replaceAll('_', ' ')
}

function choiceLine({ id, before, after }: ChangedChoice): string {
  return `  ${id}: ${printable(seenTexts(before).join(' | '))} -> ${printable(seenTexts(after).join(' | '))}`
}

function runsLine({ before, after }: Difference): string {
  const line = ({ run, date, base_url, tier }: Difference['before']) =>
    `${run}, ${date}, ${printable(base_url)}, tier ${tier}`
  return `Before: ${line(before)}\nAfter:  ${line(after)}`
}

function trafficLine({ before, after }: Difference): string {
  const kinds = ['rest_requests', 'sessions_created', 'client_events', 'server_events'] as const
  const told = kinds.map((kind) => `${kind.replaceAll('_', ' ')} ${before.traffic[kind]} -> ${after.traffic[kind]}`)
  return `Traffic: ${told.join(', ')}`
}
