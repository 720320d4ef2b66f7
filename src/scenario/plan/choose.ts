import { allowedPerWindow } from '#client/pace/pace'
import type { KeyName, Profile } from '#spec/profile'
import type { Optional } from '../author/optional.ts'
import type { Scenario } from '../author/scenario.ts'
import type { Finds } from './finds.ts'
import { waysToFind } from './known.ts'
import { type Outlay, outlayOf, priceOf } from './outlay.ts'
import { paceOf } from './plan.ts'
import { type LeftOut, leftOutBut } from './selection.ts'

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

type Optionals = ReadonlySet<Optional>

/** A scenario with some of what may be left out of it. */
interface Unit {
  readonly scenario: Scenario
  readonly optional: Optionals
  /** New mistakes for what it costs; undefined where that has to be looked at anew. */
  worth: number | undefined
}

/**
 * Chooses what finds the most seeded mistakes for what may be spent: again and again what finds the most that nothing
 * found yet, for what it costs beside all that was chosen. The same candidates give the same choice.
 */
export function choose(choosing: Choosing): Choice {
  const { candidates, finds, budget, profile, wanted = () => true, first = [] } = choosing
  const ways = waysToFind(finds, candidates, profile)
  const known = new Known([...ways].filter(([mistake]) => wanted(mistake)))
  const chosen = new Chosen(choosing, known)
  for (const scenario of candidates.filter(({ id }) => first.includes(id))) {
    if (!chosen.take({ scenario, optional: new Set() }, budget)) continue
    for (const part of scenario.optional ?? []) chosen.take({ scenario, optional: new Set([part]) }, budget)
  }
  const units = new Set(known.units(candidates))
  for (let best = bestOf(units, chosen); best !== undefined; best = bestOf(units, chosen)) {
    units.delete(best)
    const touched = chosen.take(best, budget)
    if (touched !== undefined) for (const unit of units) if (touched.has(unit.scenario)) unit.worth = undefined
  }
  const of = Object.keys(finds.mistakes).filter((id) => wanted(id) && (first.length === 0 || ways.has(id))).length
  return { ...chosen.outcome(), of }
}

function bestOf(units: ReadonlySet<Unit>, chosen: Chosen): Unit | undefined {
  let best: Unit | undefined
  for (const unit of units) {
    unit.worth ??= chosen.worthOf(unit)
    if (unit.worth > (best?.worth ?? 0)) best = unit
  }
  return best
}

/** What costs nothing is worth the most, and not more than everything. */
const least = 0.001

/** The mistakes that a choice is known to find. */
export function foretoldBy(
  { selected, left_out }: Pick<Choice, 'selected' | 'left_out'>,
  finds: Finds,
  profile: Profile,
): ReadonlySet<string> {
  const leaves = ({ id }: Scenario, optional: Optionals): boolean =>
    [...optional].some((one) => left_out[id]?.ids.includes(one.id) === true)
  const ways = [...waysToFind(finds, selected, profile)]
  const found = ways.filter(([, by]) => by.some(({ scenario, optional }) => !leaves(scenario, optional)))
  return new Set(found.map(([mistake]) => mistake))
}

/** What each scenario shows, and with what. */
class Known {
  readonly byScenario = new Map<Scenario, { readonly mistake: string; readonly optional: Optionals }[]>()
  readonly #scenarios = new Map<string, readonly Scenario[]>()

  constructor(
    ways: Iterable<readonly [string, readonly { readonly scenario: Scenario; readonly optional: Optionals }[]]>,
  ) {
    for (const [mistake, by] of ways) {
      this.#scenarios.set(
        mistake,
        by.map(({ scenario }) => scenario),
      )
      for (const { scenario, optional } of by) {
        const shown = this.byScenario.get(scenario) ?? []
        this.byScenario.set(scenario, shown)
        shown.push({ mistake, optional })
      }
    }
  }

  /** Scenarios that show the mistake. */
  showing(mistake: string): readonly Scenario[] {
    return this.#scenarios.get(mistake) ?? []
  }

  /** Each of the scenarios with each of the sets of optional requests that show something. */
  units(scenarios: readonly Scenario[]): readonly Unit[] {
    return scenarios.flatMap((scenario) => {
      const shown = this.byScenario.get(scenario) ?? []
      const sets = new Map(shown.map(({ optional }) => [[...optional].map(({ id }) => id).join(' '), optional]))
      return [...sets.values()].map((optional) => ({ scenario, optional, worth: undefined }))
    })
  }
}

/** What was chosen so far. */
class Chosen {
  readonly #found = new Set<string>()
  readonly #choosing: Choosing
  readonly #known: Known
  readonly #taken = new Map<Scenario, Optionals>()

  constructor(choosing: Choosing, known: Known) {
    this.#choosing = choosing
    this.#known = known
  }

  /** New mistakes for what it costs to have them beside what was chosen. */
  worthOf({ scenario, optional }: Pick<Unit, 'scenario' | 'optional'>): number {
    return this.#shows(scenario, optional).length / Math.max(this.#costOf(scenario, optional), least)
  }

  /**
   * Adds it, unless that were more than may be spent.
   *
   * @returns scenarios of which something is worth another sum now; undefined where it is too dear
   */
  take(
    { scenario, optional }: Pick<Unit, 'scenario' | 'optional'>,
    { requests = Infinity, seconds = Infinity }: Budget,
  ): ReadonlySet<Scenario> | undefined {
    const before = this.#taken.get(scenario)
    const shown = this.#shows(scenario, optional)
    this.#taken.set(scenario, before === undefined ? optional : before.union(optional))
    const cost = outlayOf(this.#selected(), this.#leftOut(), this.#choosing.profile)
    if (cost.requests > requests || cost.seconds > seconds) {
      if (before === undefined) this.#taken.delete(scenario)
      else this.#taken.set(scenario, before)
      return undefined
    }
    for (const mistake of shown) this.#found.add(mistake)
    return new Set([scenario, ...shown.flatMap((mistake) => this.#known.showing(mistake))])
  }

  outcome(): Omit<Choice, 'of'> {
    const [selected, left_out] = [this.#selected(), this.#leftOut()]
    const { profile } = this.#choosing
    return { ...outlayOf(selected, left_out, profile), selected, left_out, found: this.#found.size }
  }

  /** Mistakes that nothing found so far, and that it shows with what was taken before. */
  #shows(scenario: Scenario, optional: Optionals): readonly string[] {
    const all = this.#taken.get(scenario)?.union(optional) ?? optional
    const shown = this.#known.byScenario.get(scenario) ?? []
    return shown.flatMap((one) => (!this.#found.has(one.mistake) && one.optional.isSubsetOf(all) ? [one.mistake] : []))
  }

  /** Requests, or shares of a minute of its keys. */
  #costOf(scenario: Scenario, optional: Optionals): number {
    const { profile, budget } = this.#choosing
    const before = this.#taken.get(scenario)
    const price = this.#priceOf(scenario, before?.union(optional) ?? optional)
    const whole = costOf(price, profile, budget)
    return before === undefined ? whole : whole - costOf(this.#priceOf(scenario, before), profile, budget)
  }

  #priceOf(scenario: Scenario, optional: Optionals): Pick<Outlay, 'requests' | 'by_key'> {
    return priceOf(scenario, leftOutBut(new Map([[scenario.id, optional]]), [scenario]), this.#choosing.profile)
  }

  #selected(): readonly Scenario[] {
    return this.#choosing.candidates.filter((one) => this.#taken.has(one))
  }

  #leftOut(): LeftOut {
    return leftOutBut(new Map([...this.#taken].map(([{ id }, taken]) => [id, taken])), [...this.#taken.keys()])
  }
}

function costOf({ requests, by_key }: Pick<Outlay, 'requests' | 'by_key'>, profile: Profile, budget: Budget): number {
  if (budget.seconds === undefined) return requests
  const counts = Object.entries(by_key) as [KeyName, number][]
  return counts.reduce((sum, [key, count]) => sum + count / allowedPerWindow(paceOf(profile, key)), 0)
}
