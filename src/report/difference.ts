import type { RequirementResult, Results, Traffic, Verdict } from '#judge/results'
import type { TraceIndex } from '#judge/trace-index'
import { type LatencyChange, latencyDifference } from './latency-difference.ts'

/** A row whose verdict is another one in the second results. */
export interface Change {
  readonly id: string
  readonly section: string
  readonly level: RequirementResult['level']
  /** `absent` where the results don't have the row. */
  readonly before: Verdict | 'absent'
  readonly after: Verdict | 'absent'
  /** Why, in the words of the results that have the row, the second ones first. */
  readonly reason: string
}

export interface ChangedChoice {
  readonly id: string
  readonly before: readonly string[]
  readonly after: readonly string[]
}

/** What is different between two runs, each row in one list. */
export interface Difference {
  readonly format: 'greenroom.diff/1'
  readonly before: RunFacts
  readonly after: RunFacts
  /** Fail now and did not before: what a gate stands on. */
  readonly new_failures: readonly Change[]
  /** Failed before, and were judged and did not fail now. */
  readonly fixed: readonly Change[]
  /** Passed before, and now warn or have no verdict; or failed before, and have no verdict now. */
  readonly weaker: readonly Change[]
  readonly other: readonly Change[]
  /** Things that the interface leaves open and that the target does otherwise now. */
  readonly choices: readonly ChangedChoice[]
  /** What both runs timed; missing where the trace of either is not at hand. */
  readonly latency?: readonly LatencyChange[]
}

/** The traces of two runs. */
export interface TracePair {
  readonly before: TraceIndex
  readonly after: TraceIndex
}

interface RunFacts {
  readonly run: string
  readonly date: string
  readonly base_url: string
  readonly tier: string
  readonly traffic: Traffic
}

const judged: ReadonlySet<Verdict | 'absent'> = new Set(['pass', 'warn'])

/** Compares two results row by row. A pure function; rows keep the order of the second results. */
export function difference(before: Results, after: Results, traces?: TracePair): Difference {
  const earlier = new Map(before.requirements.map((row) => [row.id, row]))
  const later = new Map(after.requirements.map((row) => [row.id, row]))
  const ids = [...later.keys(), ...[...earlier.keys()].filter((id) => !later.has(id))]
  const changes = ids.flatMap((id) => changeOf(earlier.get(id), later.get(id)))
  const lists = Map.groupBy(changes, kindOf)
  const listed = (kind: Kind): readonly Change[] => lists.get(kind) ?? []
  return {
    format: 'greenroom.diff/1',
    before: factsOf(before),
    after: factsOf(after),
    new_failures: listed('new_failures'),
    fixed: listed('fixed'),
    weaker: listed('weaker'),
    other: listed('other'),
    choices: changedChoices(before, after),
    ...(traces === undefined ? {} : { latency: latencyDifference(traces.before, traces.after) }),
  }
}

type Kind = 'new_failures' | 'fixed' | 'weaker' | 'other'

function kindOf({ before, after }: Change): Kind {
  if (after === 'fail') return 'new_failures'
  if (before === 'fail') return judged.has(after) ? 'fixed' : 'weaker'
  return before === 'pass' ? 'weaker' : 'other'
}

function changeOf(before: RequirementResult | undefined, after: RequirementResult | undefined): Change[] {
  const row = after ?? before
  if (row === undefined || before?.verdict === after?.verdict) return []
  const { id, section, level, reason } = row
  return [{ id, section, level, before: before?.verdict ?? 'absent', after: after?.verdict ?? 'absent', reason }]
}

function changedChoices(before: Results, after: Results): ChangedChoice[] {
  const earlier = new Map(before.choices.map(({ id, observed }) => [id, observed]))
  return after.choices.flatMap(({ id, observed }) => {
    const was = earlier.get(id) ?? []
    // What only one run got to see is no change of the target.
    const seen = was.length > 0 && observed.length > 0
    const same = new Set(was).symmetricDifference(new Set(observed)).size === 0
    return seen && !same ? [{ id, before: was, after: observed }] : []
  })
}

function factsOf({ run, target, traffic }: Results): RunFacts {
  const { rest_requests, sessions_created, client_events, server_events } = traffic
  const sums = { rest_requests, sessions_created, client_events, server_events }
  return { run: run.id, date: run.date, base_url: target.base_url, tier: run.tier, traffic: sums }
}
