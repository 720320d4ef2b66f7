import { createBreaker } from '#scenario/runner/breaker'
import { createExecutor, type ExecutorOptions } from '#scenario/runner/executor'
import type { ScenarioOutcome } from '#scenario/runner/outcome'
import { createSlots } from '#scenario/runner/slots'
import type { Scenario } from '#scenario/author/scenario'

export const noKeys = createSlots({ base_url: '', keys: {} })

export type Extra = Partial<Pick<Scenario, 'runs' | 'price' | 'needs' | 'where_strayed'>>

/** A scenario that does nothing by itself. */
export const idle = (id: string, extra: Extra = {}): Scenario => ({
  id,
  proves: [],
  price: { requests: {} },
  drive: () => Promise.resolve(),
  ...extra,
})

interface Wishes
  extends Partial<Pick<ExecutorOptions, 'at_once' | 'limit_ms' | 'again' | 'signal' | 'enough' | 'strayed'>> {
  /** What more is told of how a scenario ended. */
  readonly outcome?: (scenario: { readonly id: string }) => Partial<ScenarioOutcome>
}

/** Runs scenarios that each end when told to, and notes what runs beside what. */
export function setUp(scenarios: readonly Scenario[], { outcome, ...limits }: Wishes = {}, slots = noKeys) {
  const running = new Map<string, () => void>()
  const started: string[] = []
  const executor = createExecutor({
    scenarios,
    slots,
    at_once: 8,
    breaker: createBreaker(slots),
    signal: new AbortController().signal,
    refuse: ({ id }, obstacle) => ({
      scenario: id,
      outcome: 'blocked',
      ...(obstacle && { reason_code: obstacle.code }),
    }),
    runScenario: async ({ id }) => {
      started.push(id)
      await new Promise<void>((resolve) => running.set(id, resolve))
      running.delete(id)
      return { scenario: id, outcome: 'completed', ...outcome?.({ id }) }
    },
    ...limits,
  })
  const finish = async (id: string) => {
    running.get(id)?.()
    await new Promise((resolve) => setImmediate(resolve))
  }
  return { executor, started, running: () => [...running.keys()], finish }
}
