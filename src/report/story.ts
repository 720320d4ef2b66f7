import { judgeClaim, collectFindings } from '#judge/findings'
import type { Outcome } from '#judge/conditions/outcome'
import { register } from '#judge/register'
import type { Breach, Rule } from '#judge/rule'
import type { ChannelRecord, ExchangeRecord, ScenarioRecord, TraceIndex } from '#judge/trace-index'

export interface ToldClaim {
  readonly requirement: string
  readonly outcome: Outcome
}

export interface ToldBreach extends Breach {
  readonly requirement: string
}

/** What happened in one scenario, or outside of all: what was sent, and what the judge says of it. */
export interface Story {
  /** Undefined for preflight, cleanup and the run itself. */
  readonly scenario: string | undefined
  readonly record: ScenarioRecord | undefined
  readonly exchanges: readonly ExchangeRecord[]
  readonly channels: readonly ChannelRecord[]
  readonly claims: readonly ToldClaim[]
  /** What rules found; broken claims are not among them. */
  readonly breaches: readonly ToldBreach[]
  /** Mistakes of ours. */
  readonly mistakes: readonly string[]
}

/** Tells the story of each scenario of a trace. Pure, like the judge that it asks again. */
export function storyTeller(trace: TraceIndex, rules: readonly Rule[]): (scenario: string | undefined) => Story {
  const judged = trace.claims.map(({ entry }) => ({ ...entry, outcome: judgeClaim(trace, entry) }))
  const exchanges = Map.groupBy(trace.exchanges.values(), ({ scenario }) => scenario)
  const channels = Map.groupBy(trace.channels.values(), ({ scenario }) => scenario)
  const claims = Map.groupBy(judged, ({ scenario }) => scenario)
  const breaches = Map.groupBy(ruleBreaches(trace, rules, judged), ({ scenario }) => scenario)
  const mistakes = Map.groupBy(
    trace.entries.filter((entry) => entry.kind === 'harness-error'),
    ({ scenario }) => scenario,
  )
  return (scenario) => ({
    scenario,
    record: scenario === undefined ? undefined : trace.scenarios.get(scenario),
    exchanges: exchanges.get(scenario) ?? [],
    channels: channels.get(scenario) ?? [],
    claims: (claims.get(scenario) ?? []).map(({ requirement, outcome }) => ({ requirement, outcome })),
    breaches: breaches.get(scenario) ?? [],
    mistakes: (mistakes.get(scenario) ?? []).map(({ message }) => message),
  })
}

/** All that speaks against a requirement in a story, claims first. */
export function breachesOf({ scenario, claims, breaches }: Story): readonly ToldBreach[] {
  const broken = claims.flatMap(({ requirement, outcome }) =>
    outcome.state === 'broken' ? [{ ...outcome, requirement, scenario }] : [],
  )
  return [...broken, ...breaches]
}

/** Broken claims are collected before it asks the rules. */
function ruleBreaches(trace: TraceIndex, rules: readonly Rule[], judged: readonly ToldClaim[]): readonly ToldBreach[] {
  const { rows } = collectFindings(trace, rules, (id) => register().rows.has(id))
  return [...rows].flatMap(([requirement, { breaches }]) => {
    const claimed = judged.filter((one) => one.requirement === requirement && one.outcome.state === 'broken').length
    return breaches.slice(claimed).map((breach) => ({ ...breach, requirement }))
  })
}
