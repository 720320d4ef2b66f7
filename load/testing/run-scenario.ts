import { prepare } from '../k6/prepare.ts'
import type { LoadPart } from '../core/summary.ts'
import type { TallyJson } from '../core/tally.ts'
import { type JudgedPart, judgePart } from '../scenarios/judge-part.ts'
import type { Scenario } from '../scenarios/scenario.ts'
import { type Workload, workloads } from '../workloads.ts'
import { FakeAvatars, type Quirks } from './fake-avatars.ts'
import { FakeK6, type Ran } from './fake-k6.ts'

export interface ScenarioRun {
  readonly ran: Ran
  readonly part: LoadPart
  /** Of the scenario. */
  readonly tally: TallyJson
  readonly service: FakeAvatars
}

/** One iteration of a scenario on the fake k6, against avatars with these quirks, unless the scale says otherwise. */
export async function runScenario(
  scenario: Scenario,
  quirks: Quirks = {},
  scale: Partial<Workload> = {},
): Promise<ScenarioRun> {
  const once = { start_rate: 1, stages: [{ seconds: 1, rate: 1 }], users: 1, characters: 60 }
  return runScenarios([scenario], quirks, { GREENROOM_SCALE: JSON.stringify({ ...once, ...scale }) })
}

export async function runScenarios(
  scenarios: readonly Scenario[],
  quirks: Quirks,
  environment: { readonly [name: string]: string },
): Promise<ScenarioRun> {
  let service: FakeAvatars | undefined
  const k6 = new FakeK6((time) => (service = new FakeAvatars(time, quirks)), {
    GREENROOM_TARGET: 'https://127.0.0.1',
    GREENROOM_API_KEY: 'the-value-of-the-key',
    GREENROOM_RUN: 'run',
    GREENROOM_SUMMARY: 'part.json',
    ...environment,
  })
  const ran = await k6.run(() => {
    const load = prepare(scenarios)
    return { options: load.options, iterate: () => load.iterate(), handleSummary: (data) => load.summary(data) }
  })
  if (service === undefined) throw new Error('there was no service')
  const part = JSON.parse(ran.outputs['part.json'] ?? '{}') as LoadPart
  return { ran, part, tally: part.tallies[scenarios[0]?.name ?? ''] ?? {}, service }
}

/** The judgement of a run's only part. */
export function judgePartOf(scenario: Scenario, { part }: ScenarioRun): JudgedPart {
  const asked = { workloadName: 'smoke' as const, workload: { ...workloads.smoke, ...part.scale }, keys: [] }
  const errorCodes = ['10008', '20005', '30004', '30006', '30007', '30008']
  const words = { serverEvents: Object.keys(part.tallies[scenario.name]?.['events'] ?? {}), errorCodes }
  return judgePart(part, [scenario], asked, words)
}
