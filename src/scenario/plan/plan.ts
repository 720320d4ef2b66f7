import { type KeyName, type Profile, workspaceOf } from '#spec/profile'
import type { HeaderEntry } from '#trace/entry'
import type { Price, Scenario } from '../author/scenario.ts'
import { standIn } from '../runner/slots.ts'
import type { LeftOut, Skipped } from './selection.ts'

/** What a run costs at most on a healthy target. */
export interface Cost {
  readonly requests: number
  readonly by_key: { readonly [name in KeyName]?: number }
  /** The most sessions that one scenario holds at once, by key. */
  readonly sessions: { readonly [name in KeyName]?: number }
  /** At the pace that the profile allows, rounded up to tenths. */
  readonly minutes: number
}

/** What the scenarios of one part cost together, in REST requests over all keys. */
export interface PartCost {
  readonly part: string
  readonly typical: number
  readonly most: number
}

/** Requests of the run itself: at its start, to see if anybody is there; at its end, to see that nothing is left. */
const preflightRequests = 1
export const lookBackRequests = { smoke: 1, others: 3 }

/**
 * Requests that a run keeps back to see at its end that nothing is left: what it drives again must not take them, nor may they
 * be much of a run that may send few.
 */
export function keptForLook(max_requests = 0): number {
  return Math.min(lookBackRequests.others, Math.floor(max_requests / 20))
}

/** Their name among the parts. */
export const aroundPart = 'start and end'

/** Section 8: "60 requests per minute per key by default". */
const defaultRequestsPerMinute = 60

export function manifestOf(selected: readonly Scenario[], left_out: LeftOut = {}): HeaderEntry['manifest'] {
  return selected.map(({ id, proves }) => {
    const left = new Set(left_out[id]?.rows)
    return { scenario: id, proves: left.size === 0 ? proves : proves.filter((row) => !left.has(row)) }
  })
}

export function skippedOf(skipped: readonly Skipped[]): HeaderEntry['skipped'] {
  return skipped.map(({ scenario: { id, proves }, rows = proves, ...why }) => ({ scenario: id, proves: rows, ...why }))
}

/** Adds up the prices. Keys have their own pace each, so the slowest decides how long it takes. */
export function costOf(selected: readonly Scenario[], profile: Profile, left_out: LeftOut = {}): Cost {
  const own = (counts: Readonly<ByKey>): ByKey => standingIn(counts, profile)
  const by_key = sumByKey(selected.map((one) => atMost(own(one.price.requests), mostBut(one, left_out))))
  by_key.primary = (by_key.primary ?? 0) + aroundOf(selected, profile)
  const names = Object.keys(by_key) as KeyName[]
  const paced = names.map((name) => (by_key[name] ?? 0) / paceOf(profile, name))
  const waits = selected.map(({ price }) => (price.waits ?? 0) / 60)
  return {
    requests: names.reduce((sum, name) => sum + (by_key[name] ?? 0), 0),
    by_key,
    sessions: mostByKey(selected.map(({ price }) => own(price.sessions ?? {}))),
    minutes: Math.ceil(Math.max(0, ...paced, ...waits) * 10) / 10,
  }
}

/** Requests that belong to no scenario. */
export function aroundOf(selected: readonly Scenario[], profile: Profile): number {
  if (selected.every(({ tier }) => tier === 'smoke')) return preflightRequests + lookBackRequests.smoke
  const made = new Set(selected.flatMap((one) => lookedFor(one, profile)))
  return preflightRequests + Math.min(lookBackRequests.others, made.size)
}

/** What a scenario may make that is looked for at the end of a run: in the workspace that all use, and world sessions in any. */
function lookedFor({ needs: { abilities = [] } = {}, price }: Scenario, profile: Profile): readonly string[] {
  const isHere = (counts: Readonly<ByKey> = {}): boolean =>
    Object.keys(standingIn(counts, profile)).some((key) => workspaceOf(key as KeyName) === 'primary')
  const saves = abilities.includes('characters') || abilities.includes('voices')
  return [
    ...(isHere(price.sessions) ? ['avatar sessions'] : []),
    ...(saves && isHere(price.requests) ? ['characters'] : []),
    ...(abilities.includes('world_sessions') ? ['world sessions'] : []),
  ]
}

/** The price of each part, in the order of the parts' names; what comes before and after them is a part of its own. */
export function costByPart(
  selected: readonly Scenario[],
  profile: Profile,
  left_out: LeftOut = {},
): readonly PartCost[] {
  const parts = Map.groupBy(selected, ({ id }) => id.split('.')[0] ?? id)
  const rows = [...parts].map(([part, scenarios]) => ({
    part,
    typical: total(scenarios.map((one) => expectedOf(one, left_out))),
    most: total(scenarios.map((one) => mostBut(one, left_out))),
  }))
  const requests = aroundOf(selected, profile)
  const around = { part: aroundPart, typical: requests, most: requests }
  return [around, ...rows.toSorted((a, b) => (a.part < b.part ? -1 : 1))]
}

/**
 * So many requests beyond its price may a run spend that was narrowed by `--only`, to drive again what was disturbed: a few
 * scenarios have little to spare for each other.
 */
export const spareOfFew = 40

const total = (counts: readonly number[]): number => counts.reduce((sum, count) => sum + count, 0)

/** REST requests that a scenario costs at most, over all keys. */
export const mostOf = ({ requests }: Price): number => total(Object.values(requests))

/** The same without what a run leaves out of the scenario. */
function mostBut(scenario: Scenario, left_out: LeftOut): number {
  return Math.max(typicalOf(scenario.price), mostOf(scenario.price)) - leftOutOf(scenario, left_out)
}

/** REST requests that it takes as a rule. */
export const typicalOf = (price: Price): number => price.typical ?? mostOf(price)

/** The same without what a run leaves out of the scenario. */
export function expectedOf(scenario: Scenario, left_out: LeftOut): number {
  return Math.max(0, typicalOf(scenario.price) - leftOutOf(scenario, left_out))
}

function leftOutOf({ id, optional = [] }: Scenario, left_out: LeftOut): number {
  const ids = new Set(left_out[id]?.ids)
  return total(optional.filter((one) => ids.has(one.id)).map(({ requests }) => requests))
}

/** Requests a minute that the profile grants the key. */
export function paceOf(profile: Profile, key: KeyName): number {
  return profile.limits?.[key]?.requests_per_minute ?? defaultRequestsPerMinute
}

/** Requests a minute from which on a key keeps nobody waiting. */
const fast = 600

/**
 * Scenarios that run side by side, beside those that mostly wait. Where the key that all share is slow, more of them would
 * only hold their sessions for longer.
 */
export function sideBySide(profile: Profile): number {
  return paceOf(profile, 'primary') < fast ? 8 : 20
}

type ByKey = { [name in KeyName]?: number }

/** Counts under the keys that are really used: `primary` for those that the profile lacks. */
function standingIn(counts: Readonly<ByKey>, profile: Profile): ByKey {
  const pairs = Object.entries(counts) as [KeyName, number][]
  return sumByKey(pairs.map(([key, count]) => ({ [standIn(profile, key)]: count })))
}

/** No key takes more than the scenario does. */
function atMost(counts: Readonly<ByKey>, most: number): ByKey {
  const pairs = Object.entries(counts) as [KeyName, number][]
  return Object.fromEntries(pairs.map(([key, count]) => [key, Math.min(count, most)]))
}

function sumByKey(parts: readonly Readonly<ByKey>[]): ByKey {
  return joined(parts, (one, other) => one + other)
}

function mostByKey(parts: readonly Readonly<ByKey>[]): ByKey {
  return joined(parts, Math.max)
}

function joined(parts: readonly Readonly<ByKey>[], join: (one: number, other: number) => number): ByKey {
  const all: ByKey = {}
  for (const [name, count] of parts.flatMap((part) => Object.entries(part)) as [KeyName, number][]) {
    all[name] = join(all[name] ?? 0, count)
  }
  return all
}
