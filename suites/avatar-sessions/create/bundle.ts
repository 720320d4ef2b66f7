import { type Option, sendBundle, type Taken } from '#scenario/author/bundle'
import type { Context } from '#scenario/author/context'
import { unlessUnsupported } from '#scenario/author/expectation'
import type { KeyName } from '#spec/profile'
import { accepted, any } from '#trace/conditions'
import type { JsonObject } from '#trace/json'
import { type Change, changed } from '../change.ts'
import type { Faulty, Ground } from './refusal.ts'
import type { CreateRow } from './rows.ts'
import { isTaken, type Release } from './send.ts'

/** Something that a create may carry and a target must take. */
export interface CreateOption extends Option<CreateRow> {
  readonly change: Change
  /** Something that a model or a provider may lack: it may be refused, by 30004 also where it is sent alone. */
  readonly optional?: boolean
  /** Options of the bundle of which one must be taken, or a refusal of this one says nothing. */
  readonly given?: readonly string[]
}

export interface CreateBundlePlan {
  readonly base: JsonObject
  readonly options: readonly CreateOption[]
  readonly key: KeyName
  /** For the search after a refusal, which may cost more requests than the key has left; default `key`. */
  readonly search?: KeyName
  /** Of a session that may stay open beside these, where there is room. */
  readonly release?: Release
  /** Where the target refuses `without`, which the base rests on and no row here speaks of, `base` stands in. */
  readonly instead?: { readonly without: JsonObject; readonly base: JsonObject }
}

/** What came of a bundle. */
export interface CreateBundle {
  readonly taken: Taken
  /** The body with the option alone, for requests that differ from it by one fault. */
  readonly bodies: ReadonlyMap<string, JsonObject>
  /** Ids of the options that a correct target may refuse. */
  readonly mayBeRefused: ReadonlySet<string>
}

export async function sendCreateBundle(c: Context<CreateRow>, plan: CreateBundlePlan): Promise<CreateBundle> {
  const { key, search = key, release, instead } = plan
  let { base } = plan
  const options = plan.options.map((option) => ({ ...option, mayBeRefused: mayBeRefused(option) }))
  let unsure = instead
  const taken = await sendBundle<CreateRow, CreateOption>(c, {
    options,
    send: (chosen, exchange) =>
      isTaken(c, changed(base, ...chosen.map(({ change }) => change)), { exchange, key, release }),
    sendAlone: async ({ change }, exchange) => {
      const doubt = unsure
      unsure = undefined
      if (doubt !== undefined && !(await isTaken(c, doubt.without, { key: search, release }))) base = doubt.base
      return isTaken(c, changed(base, change), { exchange, key: search, release })
    },
    together: (option, exchange) =>
      mayBeRefused(option) ? { onlyIf: [accepted(exchange)] } : { given: [accepted(exchange)] },
    alone: ({ given = [], optional }, exchange, all) => {
      const needed = given.map((id) => all.get(id)).filter((condition) => condition !== undefined)
      const premises = [
        ...(needed.length === 0 ? [] : [any(...needed)]),
        ...(optional ? [unlessUnsupported(exchange)] : []),
      ]
      return premises.length === 0 ? {} : { onlyIf: premises }
    },
  })
  return {
    taken,
    bodies: new Map(options.map(({ id, change }) => [id, changed(base, change)])),
    mayBeRefused: new Set(options.filter(mayBeRefused).map(({ id }) => id)),
  }
}

/** Bundles by the ids that they have among what is optional. */
export type NamedBundles = { readonly [id: string]: readonly CreateOption[] }

/** Ids of the bundles that have the option. */
export function bundlesWith(on: string | undefined, bundles: NamedBundles): readonly string[] {
  return Object.entries(bundles).flatMap(([id, options]) => (options.some((one) => one.id === on) ? [id] : []))
}

/** The body with the option that a fault is put into. Undefined where no bundle has it, or it stands on none. */
export function groundOf({ on = '' }: Pick<Faulty, 'on'>, bundles: readonly CreateBundle[]): Ground | undefined {
  const bundle = bundles.find(({ taken }) => taken.has(on))
  const [control, body] = [bundle?.taken.get(on), bundle?.bodies.get(on)]
  if (control === undefined || body === undefined) return undefined
  return { control, body, mayBeRefused: bundle?.mayBeRefused.has(on) === true }
}

const mayBeRefused = (option: CreateOption): boolean => option.mayBeRefused === true || option.optional === true
