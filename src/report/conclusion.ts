import { isLeftOpen } from '#judge/verdict'
import type { RequirementResult, Results } from '#judge/results'
import type { ReasonCode } from '#trace/entry'
import { countAll } from './counts.ts'
import { number } from '#page/numbers'
import { printable } from '#text/printable'

/** 0 conformant, 1 not conformant, 3 could not be judged, 4 harness error, 130 interrupted. */
type ExitCode = 0 | 1 | 3 | 4 | 130

export interface Conclusion {
  readonly exit: ExitCode
  /** One sentence for people. */
  readonly sentence: string
}

/** What an earlier run says of rows that may stay as they were then, without an effect on the exit code. */
export interface Baseline {
  /** Rows that failed. */
  readonly failed: ReadonlySet<string>
  /** Rows without a verdict, for a reason that an equal run has again. */
  readonly unjudged: ReadonlySet<string>
}

export interface ConclusionOptions {
  /** Rows that only wait for a key, a trigger, a medium or another choice of the model count as not judged too. */
  readonly requireAll?: boolean
  readonly baseline?: Baseline
}

const obtainable: ReadonlySet<ReasonCode> = new Set(['missing_key', 'missing_trigger', 'missing_media', 'model_choice'])

/**
 * What a run came to. Precedence of the exit codes: 130, 4, 1, 3, 0; without any valid envelope it is 3. Of a recording, 0
 * says that nothing broken was seen, and 1 goes before 4.
 */
export function conclude(results: Results, options: ConclusionOptions = {}): Conclusion {
  const { run } = results
  const why = run.reason === undefined ? '' : ` (${printable(run.reason)})`
  const failed = countAll(results).fail
  if (run.outcome === 'interrupted') return interrupted(results, why)
  const mistaken = results.harness_errors.length > 0
  // A recording shows what clients happened to send: one request over which a rule stumbles hides no failure.
  const fresh = failed - knownFailures(results, options)
  if (run.outcome === 'failed' || (mistaken && (run.recording === undefined || fresh === 0)))
    return faulty(results, why)
  if (run.outcome === 'unreachable') return unreachable(run.reason)
  if (fresh > 0 || troubledWaivers(results) || (failed === 0 && results.conformant === false)) {
    const since = options.baseline === undefined || fresh === 0 ? '' : `, ${notInBaseline(fresh, failed)}`
    const besides = mistaken ? '; what else there is could not all be judged, since Greenroom itself failed' : ''
    return { exit: 1, sentence: `Not conformant: ${broken(results, failed)}${since}${besides}${aside(results)}.` }
  }
  if (run.outcome === 'truncated') return { exit: 3, sentence: `Could not be judged: the trace ends early${why}.` }
  if (run.recording !== undefined) return listened(results)
  const { waived, pass } = countAll(results)
  const { inTheWay, asBefore } = leftOpen(results, failed + waived === 0 ? undefined : options.baseline)
  // Where nothing passed, whatever stood in the way of all may be new.
  const nothingSeen = asBefore.length === 0 ? results.conformant === null : pass === 0
  if ((results.conformant !== true && inTheWay.length > 0) || nothingSeen)
    return {
      exit: 3,
      sentence: `Could not be judged: ${withoutVerdict(results, [...inTheWay, ...(nothingSeen ? asBefore : [])])}.`,
    }
  if (options.requireAll === true && unjudged(results, obtainable).length > 0) {
    return {
      exit: 3,
      sentence: `Not everything was judged, as --require-all asks: ${withoutVerdict(results, unjudged(results, obtainable))}.`,
    }
  }
  if (failed > 0 || asBefore.length > 0) {
    const known = failed > 0 ? `${broken(results, failed)}, all as in the baseline` : `${number(waived)} waived`
    return { exit: 0, sentence: `No new failures: ${known}${stillUnjudged(asBefore.length)}${aside(results)}.` }
  }
  return { exit: 0, sentence: `Conformant: ${conformant(results)}.` }
}

function knownFailures({ requirements }: Results, { baseline }: ConclusionOptions): number {
  return requirements.filter(({ id, verdict }) => verdict === 'fail' && baseline?.failed.has(id) === true).length
}

function troubledWaivers({ waivers: { stale, expired, unknown } }: Results): boolean {
  return stale.length + expired.length + unknown.length > 0
}

/** MUST rows that have no verdict for one of these reasons. */
function unjudged(results: Results, reasons: ReadonlySet<ReasonCode>): readonly RequirementResult[] {
  return results.requirements.filter(
    ({ level, verdict, reason_code }) =>
      level === 'must' && verdict === 'inconclusive' && reasons.has(reason_code ?? 'prerequisite'),
  )
}

/** What a failure that is known may leave open, as other things may; a network or a budget is of this run alone. */
const excusable: ReadonlySet<ReasonCode> = new Set(['prerequisite', 'quota'])

/**
 * Rows without a verdict, apart those that had none in the baseline either. What stands in the way of these may be
 * something else than what is known to be broken.
 */
function leftOpen({ requirements, run }: Results, baseline?: Baseline) {
  const open = requirements.filter((row) => isLeftOpen(row, run.only))
  const isAsBefore = ({ id, reason_code = 'prerequisite' }: RequirementResult): boolean =>
    excusable.has(reason_code) && (baseline?.unjudged.has(id) === true || baseline?.failed.has(id) === true)
  return { inTheWay: open.filter((row) => !isAsBefore(row)), asBefore: open.filter(isAsBefore) }
}

function notInBaseline(fresh: number, failed: number): string {
  if (fresh < failed) return `${fresh} of them not in the baseline`
  return failed === 1 ? 'and did not in the baseline' : 'and none of them did in the baseline'
}

function stillUnjudged(count: number): string {
  if (count === 0) return ''
  return `; ${count} MUST ${count === 1 ? 'requirement has' : 'requirements have'} no verdict, as then`
}

function withoutVerdict(results: Results, rows: readonly RequirementResult[]): string {
  if (rows.length === 0) return nothingPassed(results)
  const counts = new Map<string, number>()
  for (const { reason_code = 'prerequisite' } of rows) counts.set(reason_code, (counts.get(reason_code) ?? 0) + 1)
  const reasonList = [...counts].map(([code, count]) => `${code} ${count}`).join(', ')
  return `${number(rows.length)} MUST ${rows.length === 1 ? 'requirement has' : 'requirements have'} no verdict (${reasonList})${mostlySince(rows)}`
}

/** Where one thing stood in the way of most, whoever reads the sentence has to know it. */
function mostlySince(rows: readonly RequirementResult[]): string {
  const [most] = [...Map.groupBy(rows, ({ reason }) => reason)].toSorted(
    ([, one], [, other]) => other.length - one.length,
  )
  if (most?.[1].length === rows.length) return `, for one reason: ${printable(most[0], 200)}`
  if (most === undefined || rows.length < 10 || most[1].length * 2 < rows.length) return ''
  return `, most of them for one reason: ${printable(most[0], 200)}`
}

/** Who only listened saw what clients happened to do: nothing broken in it is good news, and no conformity. */
function listened(results: Results): Conclusion {
  const { pass, warn, inconclusive } = countAll(results)
  if (pass === 0)
    return { exit: 3, sentence: 'Could not be judged: nothing was observed that a verdict could rest on.' }
  const warned = warn === 0 ? '' : `, ${warn} warned`
  return {
    exit: 0,
    sentence: `Nothing broken was seen: ${number(pass)} requirements held${warned}, ${number(inconclusive)} not observed.`,
  }
}

/** Rows that are waived, only warn or are not scored yet are no verdict on the target, and yet they were seen. */
function nothingPassed(results: Results): string {
  const { requirements, unscored, run } = results
  if (requirements.length === 0 && unscored.length > 0)
    return `what was asked for is newer than release ${run.release.version} of the requirements, and not scored`
  const { waived, warn } = countAll(results)
  const seen = [waived === 0 ? '' : `${waived} waived`, warn === 0 ? '' : `${warn} warned`].filter(
    (part) => part !== '',
  )
  if (seen.length === 0) return 'nothing was observed that a verdict could rest on'
  return `all that was seen is ${seen.join(' or ')}, and nothing passed`
}

function interrupted(results: Results, why: string): Conclusion {
  const open = results.leaked.length
  const left = open === 0 ? 'nothing that the run made was left open' : `${open} may be left open, see above`
  return { exit: 130, sentence: `Interrupted${why}: the results are partial; ${left}.` }
}

function unreachable(reason = 'the target was not reached'): Conclusion {
  return { exit: 3, sentence: `Could not be judged: ${printable(reason)}.` }
}

function faulty(results: Results, why: string): Conclusion {
  const count = results.harness_errors.length
  const errors = count === 0 ? '' : `, ${count} harness ${count === 1 ? 'error' : 'errors'}`
  return {
    exit: 4,
    sentence: `Greenroom itself failed${why}${errors}: this says nothing good or bad about the target.`,
  }
}

function broken(results: Results, failed: number): string {
  const { stale, expired, unknown } = results.waivers
  const reasons = [
    failed === 0 ? '' : `${failed} ${failed === 1 ? 'requirement' : 'requirements'} failed`,
    stale.length === 0 ? '' : `${stale.length} expected ${stale.length === 1 ? 'failure' : 'failures'} did not fail`,
    expired.length === 0
      ? ''
      : `${expired.length} expected ${expired.length === 1 ? 'failure has' : 'failures have'} expired`,
    unknown.length === 0
      ? ''
      : `${unknown.length} expected ${unknown.length === 1 ? 'failure names' : 'failures name'} no requirement`,
  ].filter((reason) => reason !== '')
  return reasons.length === 0 ? 'the results say so' : reasons.join(', ')
}

/** Options by which whoever started the run leaves out what would else be judged, for good or once enough has failed. */
const leftOutOnPurpose = ['--skip', '--max-failures'] as const

function countLeftOut({ requirements }: Results, option: (typeof leftOutOnPurpose)[number]): number {
  const isOut = ({ verdict, reason }: RequirementResult) =>
    verdict === 'inconclusive' && reason.includes(`left out by ${option} `)
  return requirements.filter(isOut).length
}

/** `12 <how> left out by --skip`, for each of these options that left something out. */
function leftOut(results: Results, how: string): readonly string[] {
  return leftOutOnPurpose.flatMap((option) => {
    const count = countLeftOut(results, option)
    return count === 0 ? [] : [`${number(count)} ${how} left out by ${option}`]
  })
}

/** ` (12 of them left out by --skip)` */
function onPurpose(results: Results): string {
  const parts = leftOut(results, 'of them')
  return parts.length === 0 ? '' : ` (${parts.join(', ')})`
}

/** The same, where the rest of what was not judged is not told. */
function aside(results: Results): string {
  return leftOut(results, 'not judged,')
    .map((part) => `; ${part}`)
    .join('')
}

function conformant(results: Results): string {
  const counts = countAll(results)
  const other = [
    counts.warn === 0 ? '' : `${number(counts.warn)} warned`,
    counts.waived === 0 ? '' : `${number(counts.waived)} waived`,
    counts.inconclusive === 0 ? '' : `${number(counts.inconclusive)} not judged${onPurpose(results)}`,
    counts.untestable === 0 ? '' : `${number(counts.untestable)} untestable`,
    counts.not_applicable === 0 ? '' : `${number(counts.not_applicable)} not applicable`,
  ].filter((part) => part !== '')
  return [
    `${number(counts.pass)} ${counts.pass === 1 ? 'requirement' : 'requirements'} passed, none failed`,
    ...other,
  ].join(', ')
}
