import { workspaceOf } from '#spec/profile'
import type { KeyName, Profile } from '#spec/profile'
import type { Scenario } from '../author/scenario.ts'
import { Pool } from './pool.ts'

/** Places for sessions, by key. All that a scenario needs are taken at its start, so none can wait for another's. */
export interface Slots {
  /** The pool of the workspace that the key belongs to. */
  pool(key: KeyName): Pool
  /** Sessions of the run in all workspaces. */
  known(): ReadonlySet<string>
  /** Whether somebody has waited in vain for a place, and none came free since. */
  starved(): boolean
  /** Why the scenario can never have what it needs, or undefined. */
  impossible(scenario: Scenario): string | undefined
  admits(scenario: Scenario): boolean
  take(scenario: Scenario): void
  give(scenario: Scenario): void
  /** Whether a scenario that wants to be alone is, beside another: it holds sessions, and the other none in its workspaces. */
  apart(alone: Scenario, other: Scenario): boolean
  /** Whether it holds several sessions in a workspace whose cap the profile does not tell. */
  hasUnknownCap(scenario: Scenario): boolean
}

/** `primary` and `same_workspace` share a workspace by definition; other keys are taken to have their own. */
export function createSlots(profile: Profile): Slots {
  const pools = new Map<string, Pool>()
  const pool = (key: KeyName): Pool => {
    const workspace = workspaceOf(key)
    const known = pools.get(workspace) ?? new Pool(declaredFor(profile, workspace))
    pools.set(workspace, known)
    return known
  }
  const wants = (scenario: Scenario) =>
    needs(scenario, profile).map(([key, count]) => ({ pool: pool(key), key, count }))
  return {
    pool,
    known: () => new Set([...pools.values()].flatMap((own) => [...own.known])),
    starved: () => [...pools.values()].some((own) => own.starved),
    impossible: (scenario) => {
      const want = wants(scenario).find(({ pool: own, count }) => own.impossible(count))
      return want && `${want.count} sessions at once do not fit the workspace of ${want.key}`
    },
    admits: (scenario) => wants(scenario).every(({ pool: own, count }) => own.admits(count, isLong(scenario))),
    take: (scenario) => wants(scenario).forEach(({ pool: own, count }) => own.take(count, isLong(scenario))),
    give: (scenario) => wants(scenario).forEach(({ pool: own, count }) => own.give(count, isLong(scenario))),
    apart: (alone, other) => {
      const workspaces = new Set(wants(alone).map(({ pool: own }) => own))
      return workspaces.size > 0 && wants(other).every(({ pool: own }) => !workspaces.has(own))
    },
    hasUnknownCap: (scenario) =>
      wants(scenario).some(({ pool: own, count }) => count > 1 && own.declared === undefined),
  }
}

function isLong({ runs }: Scenario): boolean {
  return runs === 'long'
}

function declaredFor(profile: Profile, workspace: KeyName): number | undefined {
  const limits = profile.limits ?? {}
  const declared = limits[workspace]?.concurrent_sessions
  return declared ?? (workspace === 'primary' ? limits.same_workspace?.concurrent_sessions : undefined)
}

/** The key that stands in for one that the profile lacks: scenarios that can do without it use `primary`. */
export function standIn(profile: Profile, key: KeyName): KeyName {
  return profile.keys[key] === undefined ? 'primary' : key
}

/** Sessions at once by workspace, those of two keys of one workspace added up. */
function needs(scenario: Scenario, profile: Profile): [KeyName, number][] {
  const sums = new Map<KeyName, number>()
  for (const [key, count] of Object.entries(scenario.price.sessions ?? {}) as [KeyName, number][]) {
    const workspace = workspaceOf(standIn(profile, key))
    sums.set(workspace, (sums.get(workspace) ?? 0) + count)
  }
  return [...sums].filter(([, count]) => count > 0)
}
