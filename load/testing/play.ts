import type { Key } from '../core/keys.ts'
import { seeded } from '../core/random.ts'
import type { Tally } from '../core/tally.ts'
import type { Scenario } from '../scenarios/scenario.ts'
import { type Workload, workloads } from '../workloads.ts'
import { correctRules, type ServiceRules } from './service/rules.ts'
import { SimulatedService } from './service/service.ts'
import { simulatedMachine } from './simulated-machine.ts'
import { SimulatedTime } from './simulated-time.ts'

export interface Play {
  readonly seed: number
  /** Changes correct rules; its random numbers follow from the seed. */
  seedRules?(rules: ServiceRules, random: () => number): void
  readonly keys: readonly [Key, ...Key[]]
  readonly workload?: Workload
  /** How many others use the workspace, coming and going. */
  readonly others?: number
  /** How long each request waits in the generator before it is sent. */
  readonly busyMs?: number
  /** How long it takes until an answer that came is heard. */
  readonly heardAfterMs?: number
}

export interface Played<Count extends string, Time extends string> {
  readonly tally: Tally<Count, Time>
  readonly service: SimulatedService
  readonly broken: readonly string[]
  readonly held: readonly string[]
  /** Simulated. */
  readonly lastedMs: number
}

/** Runs one iteration of a scenario against a simulated service, on simulated time. */
export async function play<Count extends string, Time extends string>(
  scenario: Scenario<Count, Time>,
  { seed, seedRules, keys, workload = workloads.smoke, others = 0, busyMs, heardAfterMs }: Play,
): Promise<Played<Count, Time>> {
  const time = new SimulatedTime()
  const rules = correctRules()
  seedRules?.(rules, seeded(`rules ${seed}`))
  const service = new SimulatedService(rules, {
    now: time.now,
    wait: time.wait,
    random: seeded(`service ${seed}`),
  })
  const words = { serverEvents: [], errorCodes: [] }
  const measures = scenario.measures(words)
  const machine = simulatedMachine({ service, time, measures, workload, keys, seed, busyMs, heardAfterMs })
  const began = time.now()
  for (let other = 1; other <= others; other += 1) void comeAndGo(service, time, seeded(`other ${other} of ${seed}`))
  await time.run(scenario.iterate(machine))
  const named = (count: string): string[] =>
    [...machine.tally.counts(count as Count)].filter(([, times]) => times > 0).map(([law]) => law)
  return {
    tally: machine.tally as unknown as Tally<Count, Time>,
    service,
    broken: named('laws_broken'),
    held: named('laws_held'),
    lastedMs: time.now() - began,
  }
}

/** Somebody else with a key of the same workspace, who opens sessions and closes them as long as anything goes on. */
async function comeAndGo(service: SimulatedService, time: SimulatedTime, random: () => number): Promise<void> {
  const path = '/v1/realtime-avatar/sessions'
  const ask = (
    method: string,
    suffix: string,
    body?: { readonly [field: string]: unknown },
  ): Promise<{ body: string }> =>
    service.handle({ key: 'same_workspace', method, path: `${path}${suffix}`, body, abandoned: () => false })
  for (;;) {
    await time.wait(random() * 4_000)
    const answer = await ask('POST', '', { avatars: [{ avatar_id: 'theirs' }] })
    const { data } = JSON.parse(answer.body) as { data: { session_id?: string } }
    await time.wait(random() * 10_000)
    if (data.session_id !== undefined) await ask('POST', `/${data.session_id}/close`, {})
  }
}
