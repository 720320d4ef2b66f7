import type { Ability, KeyName, MediaName, TriggerName } from '#spec/profile'
import type { RequirementId } from '#spec/register'
import type { Tier } from '#trace/entry'
import type { AnyContext, Context } from './context.ts'
import type { Optional } from './optional.ts'
import { type RowOf, rowsOf } from './step.ts'

/** What a scenario needs; where the profile lacks it, the scenario isn't selected and its rows say why. */
export interface Needs {
  readonly abilities?: readonly Ability[]
  readonly keys?: readonly KeyName[]
  readonly triggers?: readonly TriggerName[]
  readonly media?: readonly MediaName[]
}

/** What a scenario costs at most on a healthy target. */
export interface Price {
  /** REST requests by key, cleanup included. */
  readonly requests: { readonly [name in KeyName]?: number }
  /**
   * REST requests that it takes on a healthy target that answers promptly and has room, without a key and with bad ones
   * too; default the sum of `requests`.
   */
  readonly typical?: number
  /** Sessions that it holds open at the same time, by key. */
  readonly sessions?: { readonly [name in KeyName]?: number }
  /** Seconds that it has to wait for, more or less: timers of the spec, `Retry-After`, responses that keep a session busy. */
  readonly waits?: number
}

/** Code that drives a target. It steers and writes claims; it judges nothing and knows no framework. */
export interface Scenario {
  /** `<part>.<what it does>` in kebab-case words, unique. */
  readonly id: string
  /** Requirements that its claims name, or that rules can judge by what it makes happen. */
  readonly proves: readonly RequirementId[]
  /** Those of them that its own claims name, all where missing: others show only if what rules look for comes about. */
  readonly claims?: readonly RequirementId[]
  /** Lowest tier that runs it; default `standard`. */
  readonly tier?: Tier
  readonly needs?: Needs
  readonly price: Price
  /** Ids of scenarios of which it does all, for less: only a run that may spend little has it, and then none of these. */
  readonly joins?: readonly string[]
  /** Ids of shorter scenarios that are not driven beside it: it shows what they show. */
  readonly replaces?: readonly string[]
  /** What of it may be left out where little may be spent. */
  readonly optional?: readonly Optional[]
  /** The same where no session in video may be counted on: there it sends more by itself. */
  readonly without_video?: readonly Optional[]
  /**
   * `any` (default): runs beside others. `alone`: nothing else that holds sessions in its workspaces runs meanwhile. `long`: mostly waits; started first and
   * collected last. `last`: after all that send by the same keys (`primary`
   * apart), since it exhausts a limit; one at a time, beside others.
   */
  readonly runs?: 'any' | 'alone' | 'long' | 'last'
  /**
   * Keys of the price that a last scenario sends by only where a key that it needs strayed: others that send by them are
   * waited for only then.
   */
  readonly where_strayed?: readonly KeyName[]
  drive(context: AnyContext): Promise<void>
}

type AnyStep = { readonly claims: readonly RequirementId[] }

/** A scenario as it is written: what it proves follows from its steps. */
interface Plan<Of extends AnyStep, Row extends RequirementId> extends Omit<Scenario, 'proves' | 'claims' | 'drive'> {
  /** Steps of which it consists; the rows that these claim are proven by it. */
  readonly steps?: readonly Of[]
  /** Rows that it claims itself. */
  readonly claims?: readonly Row[]
  /** Rows that only rules judge, by what it makes happen. */
  readonly observes?: readonly RequirementId[]
  drive(context: Context<RowOf<Of> | Row>): Promise<void>
}

export function scenario<const Of extends AnyStep = never, const Row extends RequirementId = never>(
  plan: Plan<Of, Row>,
): Scenario {
  const { steps = [], claims = [], observes = [], ...rest } = plan
  return { ...rest, proves: rowsOf([...steps, ...claims, ...observes]), claims: rowsOf([...steps, ...claims]) }
}

/** How many control channels a scenario that can do without one still opens where none ever says anything. */
export const mostInVain = 3
