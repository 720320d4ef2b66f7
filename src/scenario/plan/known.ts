import { offers, type Profile } from '#spec/profile'
import { type Requirement, requirements } from '#spec/register'
import { type Optional, optionalFor } from '../author/optional.ts'
import type { Scenario } from '../author/scenario.ts'
import type { Finds } from './finds.ts'

/** One way to find a mistake: a scenario with so much of its optional requests. */
export interface Way {
  readonly scenario: Scenario
  readonly optional: ReadonlySet<Optional>
}

/**
 * By mistake that the profile has the means for: each way that is known to find it, among these scenarios. What is known
 * to show only with what a scenario may leave out takes all of it that shows something of the mistake's row. What joins
 * others finds what these find.
 */
export function waysToFind(
  { format, mistakes }: Finds,
  scenarios: readonly Scenario[],
  profile: Profile,
): ReadonlyMap<string, readonly Way[]> {
  const byId = new Map(scenarios.map((scenario) => [scenario.id, scenario]))
  const joint = scenarios.filter(({ joins }) => joins !== undefined)
  const ways = new Map<string, readonly Way[]>()
  for (const [mistake, by] of Object.entries(mistakes)) {
    const row = rowOf(mistake)
    if (!isInReach(row, profile)) continue
    const found = [...new Set(by)].flatMap((one): readonly Way[] => {
      const [id = '', plus] = one.split(' ')
      const scenario = byId.get(id)
      if (scenario === undefined) return []
      // When the first format was written, scenarios could leave out less than now.
      const brief = plus === undefined && format !== 'greenroom.finds/1'
      return [{ scenario, optional: brief ? nothing : forRow(scenario, row) }]
    })
    const ids = new Set(by.map((one) => one.split(' ')[0] ?? one))
    const jointly = joint.filter(({ joins = [] }) => joins.some((id) => ids.has(id)))
    const all = [...found, ...jointly.map((scenario): Way => ({ scenario, optional: nothing }))]
    if (all.length > 0) ways.set(mistake, all)
  }
  return ways
}

const nothing: ReadonlySet<Optional> = new Set()

/** By a scenario's optional requests and a row: those that show something of it. Many mistakes ask for the same. */
const setsByRow = new WeakMap<readonly Optional[], Map<string, ReadonlySet<Optional>>>()

function forRow({ optional = [] }: Scenario, row: string): ReadonlySet<Optional> {
  const rows = setsByRow.get(optional) ?? new Map<string, ReadonlySet<Optional>>()
  setsByRow.set(optional, rows)
  const set = rows.get(row) ?? optionalFor(optional, (one) => one === row)
  rows.set(row, set)
  return set
}

/** A mistake is named after the requirement that it breaks, and what is behind a `~` tells it from others. */
export function rowOf(mistake: string): string {
  return mistake.split('~')[0] ?? mistake
}

/** Whether the profile has what the row is judged by: its keys, triggers and media, and the ability. */
function isInReach(row: string, profile: Profile): boolean {
  const { keys = [], triggers = [], media = [], abilities = [] } = rowsById.get(row) ?? {}
  return (
    keys.every((name) => profile.keys[name] !== undefined) &&
    triggers.every((name) => profile.triggers?.[name] !== undefined) &&
    media.every((name) => profile.media?.[name] !== undefined) &&
    abilities.every((name) => offers(profile, name))
  )
}

const rowsById: ReadonlyMap<string, Requirement> = requirements
