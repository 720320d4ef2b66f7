import { allowedPerWindow } from '#client/pace/pace'
import { type KeyName, offers, type Profile } from '#spec/profile'
import { type Requirement, requirements } from '#spec/register'
import type { Scenario } from '../author/scenario.ts'
import type { Optional } from '../author/optional.ts'
import type { Finds } from './finds.ts'
import { type Outlay, outlayOf, priceOf } from './outlay.ts'
import { paceOf } from './plan.ts'
import type { LeftOut } from './selection.ts'

/** What may be spent; without either all of it. */
export interface Budget {
  readonly requests?: number
  readonly seconds?: number
}

/** What is chosen among, and by what. */
export interface Choosing {
  readonly candidates: readonly Scenario[]
  readonly finds: Finds
  readonly profile: Profile
  readonly budget: Budget
  /** Mistakes that count; all where missing. */
  readonly wanted?: (mistake: string) => boolean
  /** Ids of scenarios that come before all others; whole, as far as the budget goes. */
  readonly first?: readonly string[]
}

export interface Choice extends Outlay {
  /** In the order of the candidates. */
  readonly selected: readonly Scenario[]
  readonly left_out: LeftOut
  /** How many of the mistakes that count it is known to find. */
  readonly found: number
  readonly of: number
}

/** A scenario without what may be left out of it, or one such part of a scenario that was chosen before. */
interface Unit {
  readonly scenario: Scenario
  readonly part?: Optional
  readonly shows: ReadonlySet<string>
  /** Requests, or shares of a minute of its keys. */
  readonly cost: number
}

/**
 * Chooses what finds the most seeded mistakes for what may be spent: again and again what finds the most that nothing
 * found yet, for its cost. What can be gained shrinks only, so that only the best by what was known last is looked at anew.
 * The same candidates give the same choice.
 */
export function choose(choosing: Choosing): Choice {
  const { candidates, finds, budget, profile, wanted = () => true, first = [] } = choosing
  const known = knownOf(finds, (mistake) => wanted(mistake) && isInReach(rowOf(mistake), profile))
  const chosen = new Chosen(candidates, profile)
  const units = candidates.map((scenario) => unitOf(scenario, known, choosing))
  for (const unit of units.filter(({ scenario }) => first.includes(scenario.id))) {
    if (chosen.take(unit, budget)) for (const part of partsOf(unit.scenario, known, choosing)) chosen.take(part, budget)
  }
  const queue = units
    .filter(({ scenario }) => !chosen.has(scenario))
    .map((unit) => ({ unit, worth: worthOf(unit, chosen) }))
  for (;;) {
    const best = pullBest(queue, chosen)
    if (best === undefined) break
    if (!chosen.take(best, budget) || best.part !== undefined) continue
    for (const unit of partsOf(best.scenario, known, choosing)) queue.push({ unit, worth: worthOf(unit, chosen) })
  }
  const all = new Set([...known.values()].flatMap(({ brief, whole }) => [...brief, ...whole]))
  const of = Object.keys(finds.mistakes).filter((id) => wanted(id) && (first.length === 0 || all.has(id))).length
  return { ...chosen.outcome(), of }
}

type Waiting = { readonly unit: Unit; worth: number }

/** Takes the best out of the queue, which is the best still when what it is worth by now is no less than all others were. */
function pullBest(queue: Waiting[], chosen: Chosen): Unit | undefined {
  for (;;) {
    let best: Waiting | undefined
    for (const one of queue) if (one.worth > (best?.worth ?? 0)) best = one
    if (best === undefined) return undefined
    const worth = worthOf(best.unit, chosen)
    if (worth === best.worth) {
      queue.splice(queue.indexOf(best), 1)
      return best.unit
    }
    best.worth = worth
  }
}

function worthOf({ shows, cost }: Unit, { found }: Chosen): number {
  return shows.difference(found).size / Math.max(cost, least)
}

/** What costs nothing is worth the most, and not more than everything. */
const least = 0.001

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

/** What a scenario shows without and only with its optional parts. */
interface Known {
  readonly brief: Set<string>
  readonly whole: Set<string>
}

function knownOf({ mistakes }: Finds, wanted: (mistake: string) => boolean): ReadonlyMap<string, Known> {
  const known = new Map<string, Known>()
  for (const [mistake, scenarios] of Object.entries(mistakes).filter(([id]) => wanted(id))) {
    for (const one of scenarios) {
      const [scenario = '', plus] = one.split(' ')
      const shown = known.get(scenario) ?? { brief: new Set(), whole: new Set() }
      known.set(scenario, shown)
      shown[plus === undefined ? 'brief' : 'whole'].add(mistake)
    }
  }
  return known
}

/** All that may be left out of it. */
function allOptional({ id, optional = [] }: Scenario): LeftOut {
  return { [id]: optional.flatMap(({ rows }) => rows) }
}

function unitOf(scenario: Scenario, known: ReadonlyMap<string, Known>, { profile, budget }: Choosing): Unit {
  const cost = costOf(priceOf(scenario, allOptional(scenario), profile), profile, budget)
  return { scenario, shows: known.get(scenario.id)?.brief ?? new Set(), cost }
}

function partsOf(
  scenario: Scenario,
  known: ReadonlyMap<string, Known>,
  { profile, budget }: Choosing,
): readonly Unit[] {
  const whole = [...(known.get(scenario.id)?.whole ?? [])]
  const [key = 'primary'] = Object.keys(priceOf(scenario, {}, profile).by_key) as KeyName[]
  return (scenario.optional ?? []).map((part) => {
    const shows = new Set(whole.filter((mistake) => part.rows.some((row) => row === rowOf(mistake))))
    const price = { requests: part.requests, by_key: { [key]: part.requests } }
    return { scenario, part, shows, cost: costOf(price, profile, budget) }
  })
}

/** The mistakes that a choice is known to find. */
export function foretoldBy(
  { selected, left_out }: Pick<Choice, 'selected' | 'left_out'>,
  { mistakes }: Finds,
  profile: Profile,
): ReadonlySet<string> {
  const chosen = new Set(selected.map(({ id }) => id))
  const shows = (mistake: string, [scenario = '', plus]: readonly string[]): boolean =>
    chosen.has(scenario) && (plus === undefined || left_out[scenario]?.some((row) => row === rowOf(mistake)) !== true)
  const found = Object.entries(mistakes).filter(([mistake, by]) => by.some((one) => shows(mistake, one.split(' '))))
  return new Set(found.map(([mistake]) => mistake).filter((mistake) => isInReach(rowOf(mistake), profile)))
}

/** A mistake is named after the requirement that it breaks, and what is behind a `~` tells it from others. */
export function rowOf(mistake: string): string {
  return mistake.split('~')[0] ?? mistake
}

function costOf({ requests, by_key }: Pick<Outlay, 'requests' | 'by_key'>, profile: Profile, budget: Budget): number {
  if (budget.seconds === undefined) return requests
  const counts = Object.entries(by_key) as [KeyName, number][]
  return counts.reduce((sum, [key, count]) => sum + count / allowedPerWindow(paceOf(profile, key)), 0)
}

/** What was chosen so far. */
class Chosen {
  readonly found = new Set<string>()
  readonly #candidates: readonly Scenario[]
  readonly #profile: Profile
  readonly #parts = new Map<Scenario, readonly Optional[]>()

  constructor(candidates: readonly Scenario[], profile: Profile) {
    this.#candidates = candidates
    this.#profile = profile
  }

  has(scenario: Scenario): boolean {
    return this.#parts.has(scenario)
  }

  /** Adds it, unless that were more than may be spent. */
  take({ scenario, part, shows }: Unit, { requests = Infinity, seconds = Infinity }: Budget): boolean {
    const before = this.#parts.get(scenario)
    this.#parts.set(scenario, [...(before ?? []), ...(part === undefined ? [] : [part])])
    const cost = outlayOf(this.#selected(), this.#leftOut(), this.#profile)
    if (cost.requests > requests || cost.seconds > seconds) {
      if (before === undefined) this.#parts.delete(scenario)
      else this.#parts.set(scenario, before)
      return false
    }
    for (const mistake of shows) this.found.add(mistake)
    return true
  }

  outcome(): Omit<Choice, 'of'> {
    const [selected, left_out] = [this.#selected(), this.#leftOut()]
    return { ...outlayOf(selected, left_out, this.#profile), selected, left_out, found: this.found.size }
  }

  #selected(): readonly Scenario[] {
    return this.#candidates.filter((one) => this.#parts.has(one))
  }

  #leftOut(): LeftOut {
    const left = [...this.#parts].map(([scenario, parts]) => {
      const out = (scenario.optional ?? []).filter((part) => !parts.includes(part))
      return [scenario.id, out.flatMap(({ rows }) => rows)] as const
    })
    return Object.fromEntries(left.filter(([, rows]) => rows.length > 0))
  }
}
