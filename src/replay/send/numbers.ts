import type { AnyContext } from '#scenario/author/context'
import type { ClaimTerms } from '#scenario/author/expectation'
import type { Condition } from '#trace/claim'
import type { ClaimEntry } from '#trace/entry'
import { isObject, type Json } from '#trace/json'
import type { Bindings } from './bindings.ts'

/** Numbers of the recording and those that stand for them this time. */
export interface Numbers {
  exchange(recorded: number): number
  channel(recorded: number): number
  frame(recorded: number): number
  mark(recorded: number): number
  /** Says which number something got this time. */
  is(kind: 'frame' | 'mark', recorded: number, now: number): void
}

/** @param nextFrame reserves the number of a frame that is still to be sent */
export function createNumbers(context: AnyContext, nextFrame: (recorded: number) => number): Numbers {
  const known = new Map<string, number>()
  const of = (kind: string, recorded: number, reserve: () => number): number => {
    const name = `${kind} ${recorded}`
    const number = known.get(name) ?? reserve()
    known.set(name, number)
    return number
  }
  return {
    exchange: (recorded) => of('exchange', recorded, () => context.exchange()),
    channel: (recorded) => of('channel', recorded, () => context.channelNumber()),
    frame: (recorded) => of('frame', recorded, () => nextFrame(recorded)),
    mark: (recorded) => of('mark', recorded, () => never),
    is: (kind, recorded, now) => void known.set(`${kind} ${recorded}`, now),
  }
}

/** The number of what never comes. */
const never = Number.MAX_SAFE_INTEGER

/** A recorded claim with the numbers and ids of this time. */
export function claimNow(
  { condition, given, given_code }: ClaimEntry,
  numbers: Numbers,
  bindings: Bindings,
): { readonly condition: Condition; readonly terms: ClaimTerms } {
  const now = (value: unknown): Json => renumbered(bindings.json(value as Json), numbers, '')
  return {
    condition: now(condition) as unknown as Condition,
    terms: {
      ...(given === undefined ? {} : { given: given.map((one) => now(one) as unknown as Condition) }),
      ...(given_code === undefined ? {} : { given_code }),
    },
  }
}

function renumbered(value: Json, numbers: Numbers, within: string): Json {
  if (Array.isArray(value)) return (value as readonly Json[]).map((one) => renumbered(one, numbers, within))
  if (!isObject(value)) return value
  const is = typeof value['is'] === 'string' ? value['is'] : within
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name,
      // What is compared with is the target's or ours, and no number of the run.
      name === 'value' || name === 'one_of' || name === 'where'
        ? inner
        : typeof inner === 'number'
          ? numberNow(name, inner, is, numbers)
          : renumbered(inner, numbers, is),
    ]),
  )
}

function numberNow(name: string, recorded: number, is: string, numbers: Numbers): number {
  if (name === 'exchange') return numbers.exchange(recorded)
  if (name === 'channel') return numbers.channel(recorded)
  if (name === 'mark') return numbers.mark(recorded)
  if (name === 'frame' || name === 'sent') return numbers.frame(recorded)
  if (name === 'twin') return is === 'refused' ? numbers.channel(recorded) : numbers.exchange(recorded)
  return recorded
}
