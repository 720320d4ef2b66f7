import type { KeyName, Profile } from '#spec/profile'
import { offers } from '#spec/profile'
import { partOf } from '#spec/part-of'
import type { RequirementId } from '#spec/register'
import type { SkippedScenario, Tier } from '#trace/entry'
import { isMeant } from './is-meant.ts'
import { nearest } from './nearest.ts'
import { countsOnVideo } from '../author/bodies.ts'
import { type Optional, optionalFor } from '../author/optional.ts'
import type { Price, Scenario } from '../author/scenario.ts'

const tiers: readonly Tier[] = ['smoke', 'standard', 'full']

export interface SelectionOptions {
  readonly scenarios: readonly Scenario[]
  readonly profile: Profile
  /** Keys that have a value. */
  readonly keys: readonly KeyName[]
  readonly tier: Tier
  /** Ids of requirements or scenarios, or names of parts; empty for all. */
  readonly only: readonly string[]
  /** By row that failed in an earlier run: scenarios in which it did. They run, whatever else shows the row. */
  readonly failed_in?: FailedIn
  /** All ids of the register. */
  readonly requirements: readonly string[]
}

/** By row: ids of scenarios. */
export type FailedIn = ReadonlyMap<string, readonly string[]>

/** A scenario that this run leaves out. */
export interface Skipped {
  readonly scenario: Scenario
  readonly why: Extract<
    SkippedScenario['why'],
    'missing_key' | 'missing_trigger' | 'missing_media' | 'tier' | 'only' | 'not_applicable'
  >
  /** Name of the tier, ability, key, trigger or medium that it needs. */
  readonly what?: string
  /** Rows that are left out with it; all that it proves where missing. Of a scenario that runs all the same, some. */
  readonly rows?: readonly RequirementId[]
}

/** By scenario that runs: what it leaves out of its optional requests, and the rows that only these show. */
export type LeftOut = {
  readonly [scenario: string]: { readonly ids: readonly string[]; readonly rows: readonly RequirementId[] }
}

export interface Selection {
  readonly selected: readonly Scenario[]
  readonly skipped: readonly Skipped[]
  readonly left_out?: LeftOut
}

/** `--only` names something that there isn't. */
export class UnknownSelection extends Error {
  override readonly name = 'UnknownSelection'
  readonly wanted: string
  readonly suggestion: string | undefined

  constructor(wanted: string, suggestion: string | undefined) {
    const hint = suggestion === undefined ? '' : `; did you mean ${suggestion}?`
    super(`no requirement, scenario or part is called ${wanted === '' ? '""' : wanted}${hint}`)
    this.wanted = wanted
    this.suggestion = suggestion
  }
}

/**
 * Decides which scenarios a run drives, and why it leaves out the others.
 *
 * @throws UnknownSelection
 */
export function select(asked: SelectionOptions): Selection {
  const scenarios = asked.scenarios.map((scenario) => forProfile(scenario, asked.profile))
  const options = { ...asked, scenarios }
  const wanted = narrowed(options)
  const selected: Scenario[] = []
  const skipped: Skipped[] = []
  for (const scenario of options.scenarios) {
    const reason = wanted.has(scenario) ? reasonToSkip(scenario, options) : ({ why: 'only' } as const)
    if (reason === undefined) selected.push(scenario)
    else skipped.push({ scenario, ...reason })
  }
  const driven = withoutReplaced(selected, options)
  return { selected: driven, skipped, ...unwanted(driven, options) }
}

/** The scenario as this profile has it done, with what it costs then. */
function forProfile(scenario: Scenario, profile: Profile): Scenario {
  const { without_video: optional, price } = scenario
  if (optional === undefined || countsOnVideo(profile)) return scenario
  const more = requestsOf(optional) - requestsOf(scenario.optional ?? [])
  return { ...scenario, optional, price: withMore(price, more) }
}

const requestsOf = (all: readonly Optional[]): number => all.reduce((sum, { requests }) => sum + requests, 0)

/** On the key by which most is sent. */
function withMore({ requests, ...price }: Price, count: number): Price {
  const [most] = (Object.entries(requests) as [KeyName, number][]).toSorted(([, one], [, other]) => other - one)
  const more = most === undefined ? {} : { [most[0]]: most[1] + count }
  return {
    ...price,
    requests: { ...requests, ...more },
    ...(price.typical === undefined ? {} : { typical: price.typical + count }),
  }
}

/** What a longer one shows as well is driven only where it was asked for by its own id. */
function withoutReplaced(selected: readonly Scenario[], { only }: SelectionOptions): readonly Scenario[] {
  const replaced = new Set(selected.flatMap(({ replaces = [] }) => replaces))
  return selected.filter(({ id }) => !replaced.has(id) || only.includes(id))
}

/**
 * Where single requirements are asked for, what a scenario sends for others alone is left out; who asks for a scenario or
 * a part gets the whole of it.
 */
function unwanted(
  selected: readonly Scenario[],
  { only, failed_in = new Map() }: Pick<SelectionOptions, 'only' | 'failed_in'>,
): Pick<Selection, 'left_out'> {
  const wanted = new Set(only)
  const isWanted = (row: string): boolean => wanted.has(row) || wanted.has(partOf(row))
  const left = selected.flatMap((scenario) => {
    const { id, optional = [] } = scenario
    if (wanted.size === 0 || wanted.has(id) || wanted.has(partOf(id)) || failedAnywhere(scenario, failed_in)) return []
    return [[id, optionalFor(optional, isWanted)] as const]
  })
  const left_out = leftOutBut(new Map(left), selected)
  return Object.keys(left_out).length === 0 ? {} : { left_out }
}

/** Whether a row failed in it of which any request of the scenario may show something: nothing of it is left out then. */
function failedAnywhere({ id, optional = [] }: Scenario, failed_in: FailedIn): boolean {
  const shownBySome = new Set(optional.flatMap(({ rows }): readonly string[] => rows))
  return [...failed_in].some(([row, scenarios]) => scenarios.includes(id) && !shownBySome.has(row))
}

/** What scenarios leave out that do no more than this of their optional requests; whole are those that are not named. */
export function leftOutBut(taken: ReadonlyMap<string, ReadonlySet<Optional>>, scenarios: readonly Scenario[]): LeftOut {
  const left = scenarios.map(({ id, optional = [] }) => {
    const out = taken.has(id) ? optional.filter((one) => taken.get(id)?.has(one) !== true) : []
    return [id, { ids: out.map((one) => one.id), rows: out.flatMap(({ rows }) => rows) }] as const
  })
  return Object.fromEntries(left.filter(([, { ids }]) => ids.length > 0))
}

function narrowed({ scenarios, only, failed_in = new Map(), requirements }: SelectionOptions): ReadonlySet<Scenario> {
  const known = new Set([...requirements, ...scenarios.flatMap(({ id, proves }) => [id, ...proves])])
  for (const id of known) known.add(partOf(id))
  const unknown = only.find((name) => !known.has(name))
  if (unknown !== undefined) throw new UnknownSelection(unknown, nearest(unknown, known))
  const failed = new Set([...failed_in.values()].flat())
  const isWanted = (one: Scenario): boolean => failed.has(one.id) || only.some((name) => isMeant(one, name))
  return new Set(scenarios.filter((scenario) => only.length === 0 || isWanted(scenario)))
}

function reasonToSkip(
  { needs = {}, tier = 'standard' }: Scenario,
  options: SelectionOptions,
): Omit<Skipped, 'scenario'> | undefined {
  const { profile } = options
  const ability = needs.abilities?.find((name) => !offers(profile, name))
  if (ability !== undefined) return { why: 'not_applicable', what: ability }
  if (tiers.indexOf(tier) > tiers.indexOf(options.tier)) return { why: 'tier', what: tier }
  const key = needs.keys?.find((name) => !options.keys.includes(name))
  if (key !== undefined) return { why: 'missing_key', what: key }
  const trigger = needs.triggers?.find((name) => profile.triggers?.[name] === undefined)
  if (trigger !== undefined) return { why: 'missing_trigger', what: trigger }
  const media = needs.media?.find((name) => profile.media?.[name] === undefined)
  return media === undefined ? undefined : { why: 'missing_media', what: media }
}
