import { judge } from '#judge/judge'
import { register } from '#judge/register'
import type { RequirementResult } from '#judge/results'
import { loadRules } from '#scenario/plan/load-rules'
import { driveTarget } from '#scenario/run/drive'
import { deviations } from '#target/deviations'
import { sideBySide } from '#testing/side-by-side'
import { onSimulatedTarget } from '#testing/simulated-target'
import type { Tier } from '#trace/entry'
import { ofAllRows, type Trace } from '#trace/reader'
import { stopwatch } from '../stopwatch.ts'

/** Walks beside one target: a defect or a variation of the reference target. */
export interface WalkRun {
  /** Of the defect or variation. */
  readonly id: string
  readonly seed: number
  readonly defect?: string
  readonly variation?: string
  /** The row that the defect breaks, and the model that holds it. */
  readonly requirement?: string
  readonly model?: string
  /** Ids of the walks. */
  readonly only: readonly string[]
  readonly tier: Tier
}

/** What came of it. */
export interface WalkResult extends WalkRun {
  readonly verdict: string
  readonly reason: string
  /** Rows that failed or were warned of, without warnings that a variation is right to get; mistakes of ours. */
  readonly red: readonly string[]
  readonly requests: number
  /** REST requests that were sent until its own row was broken, where it was. */
  readonly until?: number
  /** How many things are still there of all that was made: a target that ends nothing leaves some. */
  readonly left: number
  /** How long it took, in milliseconds. */
  readonly took_ms?: number
}

export const isKilled = ({ verdict }: Pick<WalkResult, 'verdict'>): boolean => verdict === 'fail' || verdict === 'warn'

/** A target that leaves much unanswered is waited for again and again: by then it has shown what it does. */
const longest_ms = { standard: 90_000, full: 240_000 } as const

/** What ends a short walk; the long ones follow only where it shows nothing. */
const long = /-long$/

/**
 * Drives the walks and judges what they did. Short walks come first: where they show the defect, a long one has nothing to
 * add. Both together stay inside the budget.
 */
export async function runWalks(run: WalkRun): Promise<WalkResult> {
  if (run.only.length === 0)
    return { ...run, verdict: 'missing', reason: 'no walk goes there', red: [], requests: 0, left: 0 }
  const short = run.only.filter((id) => !long.test(id))
  if (run.defect === undefined || short.length === 0 || short.length === run.only.length) return runOnce(run)
  const first = await runOnce({ ...run, tier: 'standard', only: short })
  if (isKilled(first)) return first
  const second = await runOnce({ ...run, only: run.only.filter((id) => long.test(id)) })
  const until = second.until === undefined ? {} : { until: first.requests + second.until }
  const red = [...new Set([...first.red, ...second.red])]
  return { ...second, ...until, red, requests: first.requests + second.requests, left: first.left + second.left }
}

async function runOnce(run: WalkRun): Promise<WalkResult> {
  const { defect, variation, requirement, only, tier, seed } = run
  const changes = {
    defects: defect === undefined ? [] : [defect],
    variations: variation === undefined ? [] : [variation],
  }
  return onSimulatedTarget({ seed, ...changes }, async (driven) => {
    const { trace } = await driveTarget({
      ...driven,
      only,
      tier,
      seed,
      signal: AbortSignal.timeout(tier === 'full' ? longest_ms.full : longest_ms.standard),
    })
    const results = judge(ofAllRows(trace), register(), await loadRules())
    const rows = [...results.requirements, ...results.unscored]
    const own = rows.find(({ id }) => id === requirement)
    const warned = warnedOf(variation)
    return {
      ...run,
      verdict: own?.verdict ?? 'missing',
      reason: own?.reason ?? '',
      red: [...rows.filter((row) => isRed(row, warned)).map(({ id }) => id), ...results.harness_errors.map(mistake)],
      requests: results.traffic.rest_requests,
      ...(own === undefined ? {} : untilShown(own, trace)),
      left: results.leaked.length,
    }
  })
}

/** Requests up to the last line that shows its first failure. */
function untilShown({ failures = [] }: RequirementResult, { entries }: Trace): { readonly until?: number } {
  const [first] = failures
  if (first === undefined) return {}
  const passed = entries.slice(0, Math.max(...first.evidence))
  return { until: passed.filter((entry) => entry.kind === 'request' && entry.scenario !== undefined).length }
}

const mistake = ({ message }: { readonly message: string }): string => `a mistake of ours: ${message}`

function warnedOf(variation: string | undefined): ReadonlySet<string> {
  return new Set(deviations().variations.find(({ id }) => id === variation)?.warns ?? [])
}

function isRed({ id, verdict }: RequirementResult, warned: ReadonlySet<string>): boolean {
  return verdict === 'fail' || (verdict === 'warn' && !warned.has(id))
}

/** Runs so many at once, in their order. `onResult` hears of each, and how many there will be. */
export async function runAll(
  runs: readonly WalkRun[],
  atOnce: number,
  onResult: (result: WalkResult, all: number) => void,
): Promise<readonly WalkResult[]> {
  return sideBySide(runs, atOnce, async (run) => {
    const seconds = stopwatch()
    const result = { ...(await runWalks(run)), took_ms: Math.round(1_000 * seconds()) }
    onResult(result, runs.length)
    return result
  })
}
