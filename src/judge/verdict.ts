import type { HeaderEntry, ReasonCode } from '#trace/entry'
import { accidentsOf, countAccidents } from './chance/accident-rates.ts'
import { isNoAccident } from './chance/chance.ts'
import type { RowFindings } from './findings.ts'
import type { Row } from './register-view.ts'
import type { RequirementResult, Verdict } from './results.ts'
import type { TraceIndex } from './trace-index.ts'
import { isRecording, unjudgedInRecordings, whyBreachIsOpen } from './recordings.ts'
import { type Json, step } from '#trace/json'

/** What the verdict on one row depends on, beyond its own account. */
export interface Setting {
  readonly trace: TraceIndex
  readonly header: HeaderEntry
  readonly plan: PlanIndex
  /** Whether a session was seen at all: without one no row passes. */
  readonly created: boolean
  /** Whether the trace has its end. */
  readonly whole: boolean
  /** How often what may come by accident does so in this run, by what it is. */
  readonly rates: ReadonlyMap<string, number>
  /** Ids that the profile expects to fail, still valid at the run's date. */
  readonly waived: ReadonlySet<string>
}

type Planned = HeaderEntry['manifest'][number]
type LeftOut = HeaderEntry['skipped'][number]

/** What the header says of each row: the scenarios that were planned for it, and the first that was left out. */
export interface PlanIndex {
  readonly planned: ReadonlyMap<string, readonly Planned[]>
  readonly skipped: ReadonlyMap<string, LeftOut>
  /** Scenarios that were planned without a part of what they do, with what the header says of that. */
  readonly shortened: ReadonlyMap<string, LeftOut>
}

export function indexPlan({ manifest, skipped }: Pick<HeaderEntry, 'manifest' | 'skipped'>): PlanIndex {
  const planned = new Map<string, Planned[]>()
  for (const one of manifest) {
    for (const id of new Set(one.proves)) {
      const known = planned.get(id)
      if (known === undefined) planned.set(id, [one])
      else known.push(one)
    }
  }
  const first = new Map<string, LeftOut>()
  for (const one of skipped) for (const id of one.proves) if (!first.has(id)) first.set(id, one)
  const running = new Set(manifest.map(({ scenario }) => scenario))
  const shortened = new Map(skipped.filter(({ scenario }) => running.has(scenario)).map((one) => [one.scenario, one]))
  return { planned, skipped: first, shortened }
}

const kept = 10

/** The verdict on one row, with its reason. */
export function judgeRow(id: string, row: Row, found: RowFindings | undefined, setting: Setting): RequirementResult {
  if (found !== undefined && whyUnjudged(id, setting) !== undefined) return judgeRow(id, row, undefined, setting)
  const findings = withoutOthers(id, settled(found, setting.rates), setting)
  const { verdict, reason, code } = decide(id, row, findings, setting)
  const breaches = verdict === 'not_applicable' ? [] : (findings?.breaches ?? [])
  const evidence = breaches.length > 0 ? breaches.flatMap((breach) => breach.lines) : (findings?.evidence ?? [])
  return {
    id,
    section: row.section,
    level: row.level,
    verdict,
    observations: (findings?.held ?? 0) + breaches.length + (breaches.length === 0 ? 0 : (findings?.unkept ?? 0)),
    reason,
    ...(code === undefined ? {} : { reason_code: code }),
    ...(breaches.length === 0 ? {} : { failures: breaches.slice(0, kept).map(asFailure) }),
    evidence: [...new Set(evidence)].slice(0, kept),
    scenarios: scenariosOf(id, findings, setting),
  }
}

/**
 * A failure may come by accident; one that comes each time, and is all that ever comes, is what the target does, unless it
 * comes so often elsewhere that each time may have been an accident.
 */
function settled(found: RowFindings | undefined, rates: Setting['rates']): RowFindings | undefined {
  if (found === undefined || found.held > 0 || found.breaches.length > 0) return found
  const accidents = accidentsOf(found)
  const failures = accidents.map(({ failure }) => failure)
  const rate = Math.max(...accidents.map(({ why, failure }) => Math.max(failure.rate ?? 0, rates.get(why) ?? 0)))
  const times = countAccidents(failures)
  return times < leastTimes || !isNoAccident(times, rate) ? found : { ...found, breaches: failures }
}

const leastTimes = 2

/** A breach that may be the doing of somebody whom the recording does not show leaves its row open. */
function withoutOthers(id: string, found: RowFindings | undefined, setting: Setting): RowFindings | undefined {
  if (!isRecording(setting) || found === undefined || found.breaches.length === 0) return found
  const why = whyBreachIsOpen(id)
  if (why === undefined) return found
  return { ...found, held: 0, evidence: [], breaches: [], unkept: 0, open: [{ code: 'passive', why, lines: [] }] }
}

function whyUnjudged(id: string, setting: Setting): string | undefined {
  return isRecording(setting) ? unjudgedInRecordings.get(id) : undefined
}

function asFailure(breach: RowFindings['breaches'][number]) {
  const { expected, got, lines, scenario } = breach
  return { expected, got, evidence: [...new Set(lines)], ...(scenario === undefined ? {} : { scenario }) }
}

interface Decision {
  readonly verdict: Verdict
  readonly reason: string
  readonly code?: ReasonCode
}

function decide(id: string, row: Row, findings: RowFindings | undefined, setting: Setting): Decision {
  const away = (row.abilities ?? []).find((ability) => declaredAway(setting.header, ability))
  if (away !== undefined) return { verdict: 'not_applicable', reason: `the profile declares ${away} away` }
  const unjudged = whyUnjudged(id, setting)
  if (unjudged !== undefined) return { verdict: 'inconclusive', reason: unjudged, code: 'passive' }
  if (row.standing === 'untestable') {
    return { verdict: 'inconclusive', reason: row.why ?? 'cannot be observed', code: 'passive' }
  }
  const first = findings?.breaches[0]
  if (first !== undefined && row.level !== 'may') {
    const reason = `expected ${first.expected}, got ${first.got}`
    if (setting.waived.has(id)) return { verdict: 'waived', reason }
    return { verdict: row.level === 'must' ? 'fail' : 'warn', reason }
  }
  if (findings !== undefined && findings.held >= (row.at_least ?? 1)) {
    if (setting.created) return { verdict: 'pass', reason: '' }
    return { verdict: 'inconclusive', reason: 'no session was ever created in this run', code: 'prerequisite' }
  }
  return { verdict: 'inconclusive', ...whyNot(id, row, findings, setting) }
}

/** Why nothing (or not enough) was observed. What we lack comes first, then what stood in the way. */
function whyNot(
  id: string,
  row: Row,
  findings: RowFindings | undefined,
  setting: Setting,
): { reason: string; code: ReasonCode } {
  const lacking = lack(row, setting.header)
  if (lacking !== undefined) return lacking
  if (!setting.whole) return { code: 'interrupted', reason: 'the run was cut short' }
  const open = worst(findings?.open ?? [])
  if (open !== undefined) return { code: open.code, reason: open.why }
  const scenarios = setting.plan.planned.get(id) ?? []
  const ended = endings(scenarios, setting.trace)
  const blocked = worst(ended)
  if (blocked !== undefined) return { code: blocked.code, reason: blocked.why }
  const skipped = setting.plan.skipped.get(id)
  if (findings !== undefined && findings.held > 0) {
    const seen = `seen ${findings.held} time(s), ${row.at_least ?? 1} needed`
    if (skipped === undefined) return { code: 'prerequisite', reason: seen }
    const { code, reason } = skippedReason(skipped)
    return { code, reason: `${seen}: ${reason}` }
  }
  const [shortened] = scenarios.flatMap(({ scenario }) => setting.plan.shortened.get(scenario) ?? [])
  if (shortened !== undefined) return skippedReason(shortened)
  if (row.passive === true) return { code: 'passive', reason: 'it did not occur, and nothing that we send causes it' }
  const planned = scenarios.length > 0
  // A walk may happen upon the row; the scenario that surely shows it was left out.
  if (skipped !== undefined && (!planned || byChoice(skipped))) return skippedReason(skipped)
  if (!planned && setting.header.tier !== 'full')
    return { code: 'tier', reason: `not reached in tier ${setting.header.tier}` }
  return { code: 'prerequisite', reason: 'nothing was observed' }
}

function lack(row: Row, header: HeaderEntry): { reason: string; code: ReasonCode } | undefined {
  const key = (row.keys ?? []).find((name) => !header.keys.includes(name))
  if (key !== undefined) return { code: 'missing_key', reason: `the profile gives no key ${key}` }
  const trigger = (row.triggers ?? []).find((name) => !has(header.profile, 'triggers', name))
  if (trigger !== undefined) return { code: 'missing_trigger', reason: `the profile gives no trigger ${trigger}` }
  const medium = (row.media ?? []).find((name) => !has(header.profile, 'media', name))
  if (medium !== undefined) return { code: 'missing_media', reason: `the profile gives no medium ${medium}` }
  if (row.tier === 'full' && header.tier !== 'full') return { code: 'tier', reason: 'reached in tier full' }
  return undefined
}

/** True if whoever started the run chose to leave it out. */
const byChoice = ({ why }: LeftOut) => why === 'only' || why === 'tier'

function skippedReason(skipped: LeftOut): { reason: string; code: ReasonCode } {
  const what = skipped.what === undefined ? '' : ` (${skipped.what})`
  if (skipped.why === 'only') return { code: 'tier', reason: `left out by --only${what}` }
  // An option that bounds a run names itself.
  if (skipped.why === 'tier' && skipped.what?.startsWith('--') === true)
    return { code: 'tier', reason: `left out by ${skipped.what}` }
  if (skipped.why === 'not_applicable') {
    return { code: 'tier', reason: `only a scenario that needs a declared-away ability shows it${what}` }
  }
  return { code: skipped.why, reason: `its scenario was left out: ${skipped.why}${what}` }
}

/** Reasons in the order in which they are told: what blocks before what does not. */
const order: readonly ReasonCode[] = [
  'interrupted',
  'budget',
  'quota',
  'network',
  'prerequisite',
  'missing_key',
  'missing_trigger',
  'missing_media',
  'tier',
  'passive',
  'model_choice',
]

function worst<T extends { readonly code: ReasonCode }>(reasons: readonly T[]): T | undefined {
  return order.map((code) => reasons.find((reason) => reason.code === code)).find((reason) => reason !== undefined)
}

/** Scenarios planned for the row that did not complete. */
function endings(scenarios: readonly Planned[], trace: TraceIndex): { code: ReasonCode; why: string }[] {
  const found: { code: ReasonCode; why: string }[] = []
  for (const planned of scenarios) {
    const end = trace.scenarios.get(planned.scenario)?.end?.entry
    if (end === undefined)
      found.push({ code: 'interrupted', why: `scenario ${planned.scenario} did not run to its end` })
    else if (end.outcome === 'interrupted') found.push({ code: 'interrupted', why: 'the run was interrupted' })
    else if (end.outcome === 'failed')
      found.push({ code: 'prerequisite', why: `scenario ${planned.scenario} failed in itself` })
    else if (end.outcome === 'blocked')
      found.push({ code: end.reason_code ?? 'prerequisite', why: end.reason ?? 'blocked' })
  }
  return found
}

function scenariosOf(id: string, findings: RowFindings | undefined, setting: Setting): readonly string[] {
  const planned = (setting.plan.planned.get(id) ?? []).map((one) => one.scenario)
  return [...new Set([...planned, ...(findings?.scenarios ?? [])])].toSorted()
}

/** Whether the profile in the header says that the target does not offer the ability. */
export function declaredAway(header: HeaderEntry, ability: string): boolean {
  return step(step(header.profile, 'abilities'), ability) === false
}

function has(profile: Json, group: string, name: string): boolean {
  return step(step(profile, group), name) !== undefined
}

/** Reasons that leave a MUST row open in a way that nobody can call conformant. */
const blocking: ReadonlySet<ReasonCode> = new Set(['network', 'quota', 'budget', 'prerequisite', 'interrupted'])

/**
 * Whether a row without a verdict stands in the way of calling the target conformant.
 *
 * @param only what the run was narrowed to; a row that stands there by its own id has to be judged
 */
export function isLeftOpen(
  { id, level, verdict, reason_code = 'prerequisite' }: RequirementResult,
  only: readonly string[],
): boolean {
  if (level !== 'must' || verdict !== 'inconclusive') return false
  // Of another tier, it was not even tried, and who asked for that very row has no answer.
  return blocking.has(reason_code) || (reason_code === 'tier' && only.includes(id))
}
