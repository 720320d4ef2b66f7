import { messageOf } from '#trace/message-of'
import type { Key } from '../../../load/core/keys.ts'
import { countOf, peakOf, secondsOf } from '../../../load/core/arrivals.ts'
import type { Words } from '../../../load/core/words.ts'
import type { Scenario } from '../../../load/scenarios/scenario.ts'
import { mixOf, scenarios } from '../../../load/scenarios/scenarios.ts'
import { type Workload, type WorkloadName, workloads } from '../../../load/workloads.ts'
import { planRun, type RunPlan } from '#scenario/plan/run-plan'
import { presentKeys, readSecrets } from '#scenario/run/run-secrets'
import { type KeyName, offers, type Profile, workspaceOf } from '#spec/profile'
import { errorCodes, idsOf, serverEvents } from '#spec/tables'
import type { Subject } from '../check/subject.ts'
import type { WorkloadOptions } from './options.ts'
import { didYouMean } from '../did-you-mean.ts'
import { usage } from '../stop.ts'
import { refuseIdle } from './idle-options.ts'

/** What a load run is to do. */
export interface LoadPlan {
  readonly run: RunPlan
  /** Of the scenario; `mix` for several. */
  readonly name: string
  readonly scenarios: readonly Scenario[]
  readonly weights: { readonly [scenario: string]: number } | undefined
  readonly workloadName: WorkloadName
  /** Numbers that replace those of the workload. */
  readonly scale: Partial<Workload>
  /** The workload with these numbers. */
  readonly workload: Workload
  readonly keys: readonly Key[]
  readonly processes: number
  /** One conversation in so many is recorded in full. */
  readonly sample: number
  /** Outputs of k6 itself. */
  readonly outputs: readonly string[]
}

export interface LoadWishes extends WorkloadOptions {
  readonly processes: number
  readonly seed?: number
}

/** How many conversations of a run are recorded, unless `--sample` says otherwise. */
const usualSamples = 50

/** @throws Stop (2) for a scenario, workload or weight that there isn't */
export function planLoad(
  name: string,
  wishes: LoadWishes,
  { profile, environment }: Pick<Subject, 'profile' | 'environment'>,
): LoadPlan {
  const weights = name === 'mix' ? weightsOf(wishes.weight, profile) : undefined
  if (weights === undefined && wishes.weight.length > 0) throw usage('--weight is for "mix" only; leave it out')
  const chosen = weights === undefined ? [scenarioOf(name)] : mixed(weights)
  for (const scenario of chosen) {
    const why = notOffered(scenario, profile)
    if (why !== undefined) throw usage(`${scenario.name} is not applicable: ${why}`)
  }
  refuseIdle(chosen, wishes)
  const workloadName = workloadNameOf(wishes.workload)
  const scale = scaleOf(workloads[workloadName], wishes)
  const workload = { ...workloads[workloadName], ...scale }
  const present = presentKeys(readSecrets(profile, environment))
  return {
    run: planRun({ profile, tier: 'standard', only: [], selected: [], seed: wishes.seed }),
    name,
    scenarios: chosen,
    weights,
    workloadName,
    scale,
    workload,
    keys: enough(keysOf(profile, present, chosen), chosen.length, workload),
    processes: wishes.processes,
    sample: wishes.sample ?? Math.max(1, Math.ceil(countOf(workload) / usualSamples)),
    outputs: wishes.k6Out,
  }
}

/** Why a scenario has nothing to do on a target, in words; undefined where it has. */
export function notOffered({ needs }: Scenario, profile: Profile): string | undefined {
  if (needs === undefined || offers(profile, needs)) return undefined
  return `the profile says that the target offers none ("abilities": { "${needs}": false })`
}

/** What may stand in place of a scenario. */
const commands = ['list', 'explain', 'merge', 'knee', 'nightly', 'k8s', 'cloud']

/** @throws Stop (2) */
export function scenarioOf(name: string): Scenario {
  const scenario = scenarios.get(name)
  if (scenario !== undefined) return scenario
  if (Object.hasOwn(workloads, name))
    throw usage(`${JSON.stringify(name)} is a workload, no scenario; see "npx greenroom load list"`)
  if (commands.includes(name))
    throw usage(`${JSON.stringify(name)} is a command, no scenario; see "npx greenroom load ${name} --help"`)
  const near = didYouMean(name, [...scenarios.keys(), 'mix', ...commands])
  throw usage(`there is no scenario ${JSON.stringify(name)}${near || ';'} see "npx greenroom load list"`)
}

function mixed(weights: { readonly [scenario: string]: number }): readonly Scenario[] {
  for (const name of Object.keys(weights)) scenarioOf(name)
  try {
    return mixOf(weights)
  } catch (error) {
    throw usage(`--weight: ${messageOf(error)}`)
  }
}

/** Says nothing as long as capacity never lacks, and would make the whole mix invalid: who wants it gives it a weight. */
export const needsLackOfCapacity = 'capacity-backoff'

/** Without weights, all that may be mixed and the target offers, each as often as any other. */
function weightsOf(given: readonly string[], profile: Profile): { readonly [scenario: string]: number } {
  if (given.length === 0) {
    const all = [...scenarios.values()].filter(({ name, alone }) => alone === undefined && name !== needsLackOfCapacity)
    const offered = all.filter((scenario) => notOffered(scenario, profile) === undefined)
    return Object.fromEntries(offered.map(({ name }) => [name, 1]))
  }
  const weights: { [scenario: string]: number } = {}
  for (const text of given) {
    const [, name = '', weight = ''] = /^([\w-]+)=(\d*\.?\d+)$/.exec(text) ?? []
    if (name === '' || !(Number(weight) > 0))
      throw usage(`--weight ${JSON.stringify(text)} is not of the form control-throughput=3, with a number above 0`)
    if (Object.hasOwn(weights, name)) throw usage(`--weight names ${name} twice; leave one of them out`)
    weights[name] = Number(weight)
  }
  return weights
}

function workloadNameOf(name: string): WorkloadName {
  const names = Object.keys(workloads)
  if (Object.hasOwn(workloads, name)) return name as WorkloadName
  throw usage(
    `there is no workload ${JSON.stringify(name)}${didYouMean(name, names) || `; there are ${names.join(', ')}`}`,
  )
}

/** A rate makes the shape flat; a length stretches the shape. Both bring the users that it takes. */
function scaleOf(workload: Workload, { rate, seconds }: LoadWishes): Partial<Workload> {
  if (rate === undefined && seconds === undefined) return {}
  const whole = secondsOf(workload)
  const shape =
    rate === undefined
      ? {
          stages: workload.stages.map((stage) => ({ ...stage, seconds: (stage.seconds * (seconds ?? whole)) / whole })),
        }
      : { start_rate: rate, stages: [{ seconds: seconds ?? whole, rate }] }
  return { ...shape, users: usersFor({ ...workload, ...shape }) }
}

/** More users than this are more than one machine holds. */
const mostUsers = 2_000

/** So many cost little, wherever they are. */
const cheapUsers = 100

/**
 * As many as iterations of a prompt service hold at a time. A service may take its time: where that costs little, as many as
 * iterations that take all the time that they may.
 */
function usersFor(workload: Workload): number {
  const { users, turns, turn_interval_ms, iteration_ms } = workload
  const peak = peakOf(workload)
  const prompt = Math.ceil(peak * (3 + turns * (1 + turn_interval_ms / 1_000)))
  const patient = Math.min(countOf(workload), Math.ceil((peak * iteration_ms) / 1_000), cheapUsers)
  return Math.min(mostUsers, Math.max(users, prompt, patient))
}

/** Keys whose work is to be refused send no load. */
const usual: readonly KeyName[] = ['primary', 'same_workspace', 'other_workspace']
/** Keys that are there to be exceeded. */
const exceeded = { requests: 'rate_limited', sessions: 'capped' } as const

/** Section 8. */
const usualRate = 60

/**
 * The keys that load is spread over. A scenario that is meant to exceed a limit gets the key that is there for it, where
 * the profile names one, with those of the usual ones that have to stay unharmed.
 */
function keysOf(profile: Profile, present: readonly KeyName[], chosen: readonly Scenario[]): readonly Key[] {
  const meant = [...new Set(chosen.flatMap(({ exceeds }) => exceeds))].map((budget) => exceeded[budget])
  const special = meant.filter((name) => present.includes(name))
  const names = [...special, ...usual.filter((name) => present.includes(name))]
  const cautious = chosen.every(({ exceeds }) => !exceeds.includes('sessions'))
  return names.map((name) => {
    const { requests_per_minute = usualRate, concurrent_sessions } = profile.limits?.[name] ?? {}
    const sharers = cautious ? names.filter((other) => workspaceOf(other) === workspaceOf(name)).length : 1
    const sessions =
      concurrent_sessions === undefined ? undefined : Math.max(1, Math.floor(concurrent_sessions / sharers))
    return { name, requests_per_minute, concurrent_sessions: sessions }
  })
}

/** Each key has a schedule of its own for each scenario: of a few iterations nothing would be left for any of them. */
function enough(keys: readonly Key[], scenarioCount: number, workload: Workload): readonly Key[] {
  const each = countOf(workload) / (keys.length * scenarioCount)
  return scenarioCount > 1 && each < 1 ? keys.slice(0, 1) : keys
}

/** Words of the interface that become keys of counts. */
export function loadWords(): Words {
  const codes = new Set(idsOf(errorCodes).map((name) => String(errorCodes[name].code)))
  return { serverEvents: idsOf(serverEvents), errorCodes: [...codes] }
}
