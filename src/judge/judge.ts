import type { Entry, HeaderEntry } from '#trace/entry'
import { accidentRates } from './chance/accident-rates.ts'
import { type Confirmation, confirmationsIn, isConfirmation, withoutConfirmations } from './confirmations.ts'
import { collectFindings, type Findings } from './findings.ts'
import { isRecording, sessionWasSeen } from './recordings.ts'
import type { RegisterView, Row } from './register-view.ts'
import { type RequirementResult, type Results, verdicts } from './results.ts'
import type { Rule } from './rule.ts'
import { indexTrace, type TraceIndex } from './trace-index.ts'
import { countTraffic } from './traffic.ts'
import { indexPlan, isLeftOpen, judgeRow } from './verdict.ts'
import { readWaivers, settleWaivers } from './waivers.ts'

/** A trace as read from its file. */
export interface ReadTrace {
  readonly entries: readonly Entry[]
  /** The last line was cut. */
  readonly truncated: boolean
  /** sha256 hex of the file's bytes. */
  readonly sha256: string
}

/** Thrown for a trace that cannot be judged at all: no header, or made with another register. */
export class UnjudgeableTrace extends Error {
  override readonly name = 'UnjudgeableTrace'
}

/**
 * Judges a trace: all rules over all entries, all claims. Pure: the same trace and the same Greenroom give the same
 * results, byte for byte.
 *
 * @throws UnjudgeableTrace
 */
export function judge(read: ReadTrace, register: RegisterView, rules: readonly Rule[]): Results {
  const confirms = read.entries.some(isConfirmation)
  const own = confirms ? withoutConfirmations(read.entries) : read.entries
  const trace = indexTrace(own)
  const header = headerOf(trace, register)
  const findings = collectFindings(trace, rules, (id) => register.rows.has(id))
  const created = sessionWasSeen(trace)
  const traffic = countTraffic(confirms ? indexTrace(read.entries) : trace)
  const confirmed = confirms ? { confirmed: confirmationsIn(read.entries, rules) } : {}
  return concludeTrace({ trace, header, read, findings, created, traffic, ...confirmed }, register)
}

/** All that the results of a trace are made of. */
export interface Judged {
  /** Of the whole trace, or of the last window of a recording. */
  readonly trace: TraceIndex
  readonly header: HeaderEntry
  readonly read: Pick<ReadTrace, 'truncated' | 'sha256'>
  readonly findings: Findings
  /** Whether the run made a session at all. */
  readonly created: boolean
  readonly traffic: Results['traffic']
  /** What came of each row's failure that was sent again in the same run. */
  readonly confirmed?: (requirement: string) => Confirmation | undefined
}

export function concludeTrace(judged: Judged, register: RegisterView): Results {
  const { trace, header, read, findings, created, traffic } = judged
  const waivers = readWaivers(header, register)
  const recorded = isRecording(judged)
  const whole = !read.truncated && trace.end?.outcome === 'completed'
  const rates = accidentRates(findings.rows.values())
  const setting = { trace, header, plan: indexPlan(header), created, whole, rates, waived: waivers.valid }
  const judgedRow = ([id, row]: readonly [string, Row]): RequirementResult =>
    withConfirmation(judgeRow(id, row, findings.rows.get(id), setting), judged.confirmed)
  const selected = selectedRows(header, register)
  const requirements = selected.filter(([, row]) => row.unscored !== true).map(judgedRow)
  const settled = settleWaivers(waivers, recorded ? [] : requirements)
  const mistakes = [...findings.mistakes, ...ourMistakes(trace, whole)]
  const failed = requirements.some((row) => row.verdict === 'fail')
  // Whoever records cannot choose what clients send: one request over which a rule stumbles hides no failure.
  const mistaken = mistakes.length > 0 && !(recorded && failed)
  const conformant = conformance(requirements, header.only, settled, mistaken, whole)
  return {
    format: 'greenroom.results/1',
    run: { ...runOf(trace, header, read), release: register.release },
    target: { base_url: baseUrl(header), profile: header.profile },
    traffic,
    summary: summarise(requirements),
    // What was not sent was not tried: nobody can be called conformant by listening alone.
    conformant: recorded && conformant === true ? null : conformant,
    requirements,
    unscored: selected.filter(([, row]) => row.unscored === true).map(judgedRow),
    choices: choicesOf(findings, register),
    ...walksOf(trace),
    waivers: settled,
    ...cleanupOf(trace),
    harness_errors: mistakes,
  }
}

/** The verdict stays what it is: a failure that is not seen again was seen all the same. */
function withConfirmation(result: RequirementResult, confirmed: Judged['confirmed']): RequirementResult {
  const sent_again = result.failures === undefined ? undefined : confirmed?.(result.id)
  if (sent_again === undefined) return result
  return { ...result, reason: `${result.reason}; ${sent_again.says}`, sent_again }
}

/** @throws UnjudgeableTrace */
export function headerOf(trace: TraceIndex, register: RegisterView): HeaderEntry {
  if (trace.header === undefined) throw new UnjudgeableTrace('the trace has no header: its first line must be one')
  if (trace.header.register !== register.digest) {
    throw new UnjudgeableTrace(
      `the trace was made with another register (by greenroom ${trace.header.greenroom}); judge it with that version`,
    )
  }
  return trace.header
}

/** Rows in the order of the register; those that `--only` names, where it names any. */
function selectedRows(header: HeaderEntry, register: RegisterView): [string, Row][] {
  const all = [...register.rows]
  if (header.only.length === 0) return all
  const wanted = new Set(header.only)
  const byScenario = new Set(header.manifest.filter((one) => wanted.has(one.scenario)).flatMap((one) => one.proves))
  return all.filter(([id]) => wanted.has(id) || wanted.has(id.split('.')[0] ?? '') || byScenario.has(id))
}

function runOf(trace: TraceIndex, header: HeaderEntry, read: Judged['read']): Omit<Results['run'], 'release'> {
  const end = trace.end
  return {
    id: header.run,
    date: header.date,
    seed: header.seed,
    tier: header.tier,
    only: header.only,
    versions: { greenroom: header.greenroom, spec: header.spec },
    register: header.register,
    trace: read.sha256,
    duration_ms: Math.round(trace.lastT),
    outcome: read.truncated || end === undefined ? 'truncated' : end.outcome,
    ...(end?.reason === undefined ? {} : { reason: end.reason }),
    ...(header.recording === undefined ? {} : { recording: header.recording }),
  }
}

function baseUrl(header: HeaderEntry): string {
  const profile = header.profile
  const url = typeof profile === 'object' && profile !== null && 'base_url' in profile ? profile['base_url'] : undefined
  return typeof url === 'string' ? url : ''
}

/** The last word on each thing that walks go through. */
function walksOf({ walked }: TraceIndex): Pick<Results, 'walks'> {
  return walked.length === 0 ? {} : { walks: [...new Map(walked.map((walk) => [walk.name, walk])).values()] }
}

function summarise(requirements: readonly RequirementResult[]): Results['summary'] {
  const counts = verdicts.map((verdict) => [verdict, requirements.filter((row) => row.verdict === verdict).length])
  return Object.fromEntries(counts) as Results['summary']
}

/** True, false, or null where that can't be said. */
function conformance(
  requirements: readonly RequirementResult[],
  only: readonly string[],
  waivers: Results['waivers'],
  mistaken: boolean,
  whole: boolean,
): boolean | null {
  if (!whole || mistaken) return null
  if (requirements.some((row) => row.verdict === 'fail')) return false
  if (waivers.stale.length + waivers.expired.length + waivers.unknown.length > 0) return false
  const open = requirements.some((row) => isLeftOpen(row, only))
  return open || !requirements.some((row) => row.verdict === 'pass') ? null : true
}

/** Harness errors in the trace, and scenarios that were planned and never ended. */
function ourMistakes(trace: TraceIndex, whole: boolean): { message: string; evidence: number[] }[] {
  const written = trace.harnessErrors.map(({ line, entry }) => ({ message: entry.message, evidence: [line] }))
  if (!whole) return written
  const missing = (trace.header?.manifest ?? []).filter((one) => trace.scenarios.get(one.scenario)?.end === undefined)
  return [
    ...written,
    ...missing.map((one) => ({ message: `scenario ${one.scenario} was planned and never ran`, evidence: [1] })),
  ]
}

function choicesOf(findings: Findings, register: RegisterView): Results['choices'] {
  return [...register.choices].map(([id, choice]) => {
    const seen = findings.seen.get(id)
    return {
      id,
      section: choice.section,
      observed: [...(seen?.what ?? [])].toSorted(),
      evidence: [...new Set(seen?.lines ?? [])].slice(0, 10),
    }
  })
}

function cleanupOf({ cleanups }: TraceIndex): Pick<Results, 'leaked' | 'undeletable'> {
  return {
    leaked: cleanups.flatMap((entry) => entry.leaked),
    undeletable: cleanups.flatMap((entry) => entry.undeletable),
  }
}
