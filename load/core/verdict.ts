import { type Flaw, flaws, gaps } from './chain.ts'
import type { ConverseTally } from './converse-measures.ts'

export type Verdict = 'pass' | 'fail' | 'invalid'

export interface Judgement {
  readonly verdict: Verdict
  /** Why it is not `pass`, in words; also what stood against the target in a run that is `invalid`. */
  readonly reasons: readonly string[]
}

/** What the run had to be, for its numbers to mean anything. */
export interface Terms {
  /** How many conversations had to be held. */
  readonly conversations: number
  /** How long the generator may leave an event lying, at p99. */
  readonly lag_bound_ms: number
}

/** Refusals that say more about our key, our budget and our quota than about the target. */
const ours: readonly string[] = ['10001', '10003', '10004', '10005', '10008', '10009', '30006']

/**
 * `fail` when the target did wrong, `invalid` when the run was not what it had to be. Disorder and gaps in a chain are
 * the target's in any case; that something took too long is so only when the generator was healthy.
 */
export function judge(tally: ConverseTally, terms: Terms): Judgement {
  const disorder = chainReasons(tally)
  const trouble = targetReasons(tally)
  const invalid = invalidReasons(tally, terms)
  if (disorder.length > 0) return { verdict: 'fail', reasons: [...disorder, ...trouble, ...invalid] }
  if (invalid.length > 0) return { verdict: 'invalid', reasons: [...invalid, ...trouble] }
  return { verdict: trouble.length > 0 ? 'fail' : 'pass', reasons: trouble }
}

function chainReasons(tally: ConverseTally): string[] {
  const misplaced = flaws.filter((flaw) => !gaps.includes(flaw))
  return [
    ...some(tally.total('flaws', misplaced), `events out of their order (${named(tally, misplaced)})`),
    ...some(tally.total('flaws', gaps), `gaps in chains (${named(tally, gaps)})`),
  ]
}

function named(tally: ConverseTally, list: readonly Flaw[]): string {
  const counts = tally.counts('flaws')
  return list.flatMap((flaw) => some(counts.get(flaw) ?? 0, flaw)).join(', ')
}

function targetReasons(tally: ConverseTally): string[] {
  const conversations = tally.counts('conversations')
  const responses = tally.counts('responses')
  return [
    ...some(tally.total('turned_away') - refusedAsOurs(tally) - unreached(tally), 'conversations were refused'),
    ...some(conversations.get('unopened') ?? 0, 'control channels did not open'),
    ...some(conversations.get('cut') ?? 0, 'conversations were cut off'),
    ...some(responses.get('silent') ?? 0, 'responses did not come in time'),
    ...some(responses.get('flooded') ?? 0, 'responses came with more events than their text can need'),
    ...some(responses.get('rejected') ?? 0, 'responses were rejected'),
    ...some(responses.get('unfinished') ?? 0, 'responses ended failed, cancelled or incomplete'),
    ...(responses.get('whole') === 0 ? ['no response came whole'] : []),
  ]
}

function invalidReasons(tally: ConverseTally, terms: Terms): string[] {
  const conversations = tally.counts('conversations')
  const begun = conversations.get('begun') ?? 0
  const ended = tally.total('conversations') - begun
  const lag = tally.time('handler_lag_ms').quantile(0.99) ?? 0
  return [
    ...(begun === terms.conversations ? [] : [`${begun} of ${terms.conversations} conversations began`]),
    ...some(begun - ended, 'conversations did not come to their end'),
    ...some(refusedAsOurs(tally), 'conversations were refused for our key, rate or quota'),
    ...some(unreached(tally), 'conversations did not reach the target at all'),
    ...some(conversations.get('unsafe') ?? 0, 'control URLs led where no load is allowed'),
    ...(lag > terms.lag_bound_ms
      ? [`the generator was behind: events lay ${lag.toFixed(1)} ms at p99, allowed are ${terms.lag_bound_ms} ms`]
      : []),
  ]
}

/** A target that nobody ever reached is no bad target; one that some reached was there for the others. */
function unreached(tally: ConverseTally): number {
  const lost = tally.total('turned_away', ['network'])
  return lost === tally.counts('conversations').get('begun') ? lost : 0
}

const refusedAsOurs = (tally: ConverseTally): number => tally.total('turned_away', ours)

/** "3 conversations were cut off"; nothing for none. */
function some(count: number, what: string): string[] {
  return count === 0 ? [] : [`${count} ${what}`]
}
