import type { Exchange, RestCall } from '#client/types'
import type { Context } from '#scenario/author/context'
import { step } from '#scenario/author/step'
import { paceOf } from '#scenario/plan/plan'
import { type KeyName, keyNames } from '#spec/profile'
import { mostAtOnce } from '#scenario/author/rate-budget'
import type { Condition } from '#trace/claim'
import { answer, any, different, equals, value } from '#trace/conditions'
import { isLimited } from './burst.ts'

const perKey = 'limits.api-key-rate.per-key'

/** After so long without a request every reading of a minute is over. */
const quiet_ms = 66_000
/** A higher limit than this is not worth so many requests. */
const most = 60
/** Requests of the quiet key before the other is busy, and beyond what both together may send. */
const [first, beyond] = [3, 5]
/** API rate limit exceeded (section 7). */
const limitedCode = 10008
/** What keys that turned out to have one budget count as among the silences of a run. */
const sharedKind = 'one budget'

/** A key, and another one whose requests may count against it. */
export interface Pair {
  readonly quiet: KeyName
  readonly busy: KeyName
}

/** A key, and those it is to be told apart from; undefined where it was not refused without need, or limits are too high. */
export function suspects(c: Context, limited: KeyName): readonly [Pair, Pair] | undefined {
  if (!strayed(c, limited)) return undefined
  const pairs = [
    { quiet: limited, busy: 'primary' } as const,
    { quiet: limited, busy: c.has('same_workspace') ? 'same_workspace' : 'primary' } as const,
  ] as const
  return pairs.every((pair) => isCheap(c, pair)) ? pairs : undefined
}

/**
 * The two keys of one workspace, where either was refused without need. Where other keys turned out to have one budget,
 * that is the reason, and two more minutes would tell nothing new.
 */
export function suspectsOfWorkspace(c: Context): readonly [Pair, Pair] | undefined {
  if (c.silences.has(sharedKind)) return undefined
  const pairs = [
    { quiet: 'same_workspace', busy: 'primary' },
    { quiet: 'primary', busy: 'same_workspace' },
  ] as const
  if (!pairs.some(({ quiet }) => strayed(c, quiet))) return undefined
  return pairs.every((pair) => isCheap(c, pair)) ? pairs : undefined
}

/** Admitted at first, and then refused at our pace. A key that is refused from the start was used by others before. */
function strayed(c: Context, key: KeyName): boolean {
  return c.usage(key, 180_000).strayed
}

function isCheap(c: Context, { quiet, busy }: Pair): boolean {
  return paceOf(c.profile, quiet) <= most && loadOf(c, { quiet, busy }) >= paceOf(c.profile, quiet) / 2
}

function loadOf(c: Context, { quiet, busy }: Pair): number {
  return Math.min(paceOf(c.profile, quiet) - first, mostAtOnce(c, busy))
}

/**
 * How much of a minute without a request of another key is still to come: what has passed already need not be waited for
 * again, as long as what the quiet key itself sent meanwhile leaves room for this round.
 */
function quietLeft(c: Context, quiet: KeyName): number {
  if (c.usage(quiet, quiet_ms).sent > paceOf(c.profile, quiet) / 2) return quiet_ms
  const others = keyNames.filter((key) => key !== quiet)
  const silent = others.map((key) => c.usage(key, quiet_ms).silent_ms)
  return Math.max(0, quiet_ms - Math.min(...silent))
}

function isFine(exchange: number): Condition {
  return equals(answer(exchange, '/code'), value(0))
}

/** So many lists side by side, and the last of them under a number that claims know. */
async function lists(c: Context, call: RestCall, count: number, exchange: number): Promise<Exchange> {
  const ask = (own: RestCall) => c.call('list-avatar-sessions', { ...call, ...own, pace: false, retry: 'never' })
  await Promise.all(Array.from({ length: count - 1 }, () => ask({})))
  return ask({ exchange })
}

/**
 * A key was refused though it had sent little itself. Somebody else may use it; or another key's requests count as its own.
 * After a minute in which no other key sent anything it is admitted, then the other key sends as much as one of them may,
 * and it is asked again: that is all that happens in those seconds. A refusal there has to come twice.
 *
 * @returns `open` where the busy key was refused itself
 */
export const tellApart = step(
  [perKey],
  async (c, pairs: readonly [Pair, Pair]): Promise<'shared' | 'free' | 'open'> => {
    const rounds = pairs.map((pair) => ({
      ...pair,
      before: c.exchange(),
      beside: c.exchange(),
      after: c.exchange(),
    }))
    const admitted = rounds.flatMap(({ before, beside }) => [isFine(before), isFine(beside)])
    const free = rounds.map(({ after }) => different(answer(after, '/code'), value(limitedCode)))
    c.claim(perKey, any(...free), { given: admitted, given_code: 'model_choice' })
    for (const { quiet, busy, before, beside, after } of rounds) {
      const [limit, load] = [paceOf(c.profile, quiet), loadOf(c, { quiet, busy })]
      await c.wait(quietLeft(c, quiet) + c.random(5_000), 'quiet')
      await lists(c, { key: quiet }, first, before)
      if (!(await lists(c, { key: busy }, load, beside)).ok) return 'open'
      const last = await lists(c, { key: quiet }, Math.max(0, limit - load - first) + beyond, after)
      if (!isLimited(last)) return 'free'
    }
    c.silences.set(sharedKind, 1)
    return 'shared'
  },
)
