import type { CommonTime } from '../common-measures.ts'
import { type Finding, type Findings, timesOf } from '../findings.ts'
import { causeIn, mayBeCause } from '../silence.ts'
import type { Tally } from '../tally.ts'
import { BESIDE_MS } from './asked-response.ts'
import type { Flaw } from './chain.ts'

/** What a correct target does instead, and the row of the register that says so. */
interface ChainLaw {
  readonly says: string
  readonly requirement: string
}

/* @__NO_SIDE_EFFECTS__ */
const channel = (row: string, says: string): ChainLaw => ({ says, requirement: `control-channel.${row}` })

/** The law that each flaw in a chain of events breaks. */
export const chainLaws: { readonly [flaw in Flaw]: ChainLaw } = {
  'created-again': channel('response-create.created-once', 'a request yields at most one `response.created`'),
  'request-answered-again': channel('scheduling.pending-runs-once', 'a request starts one response'),
  'created-late': channel(
    'response-created.precedes-output',
    '`response.created` comes before the rest of its response',
  ),
  'created-missing': channel(
    'response-created.precedes-output',
    'events of a response come after its `response.created`, on the same connection (these may be of another session)',
  ),
  'delta-late': channel('text-done.no-delta-after', 'no delta of an item follows its `response.output_text.done`'),
  'text-done-again': channel('text-done.once', 'an item gets `response.output_text.done` at most once'),
  'text-done-missing': channel(
    'text-done.for-every-completed-stream',
    'an item that was streamed to its end gets `response.output_text.done`',
  ),
  'text-lost': channel('text-delta.concatenate-to-final-text', 'the deltas of an item bring all of its final text'),
  'text-repeated': channel('text-delta.concatenate-to-final-text', 'the deltas of an item bring its text once'),
  'text-reordered': channel('text-delta.concatenate-to-final-text', 'the deltas of an item come in their order'),
  'text-differs': channel('text-delta.concatenate-to-final-text', 'the deltas of an item are its final text'),
  'script-differs': channel(
    'response-done.completed-text-whole',
    'a response that ends `completed` has brought its scripted text',
  ),
  'item-done-again': channel('output-item-done.once', 'an item gets `response.output_item.done` at most once'),
  'item-done-missing': channel(
    'output-item-done.for-every-introduced-item',
    'every item that a text event introduced gets its `response.output_item.done`',
  ),
  'after-done': channel('response-done.last-event', 'no event of a response follows its `response.done`'),
  'done-again': channel('response-done.once', 'a response gets `response.done` at most once'),
  'update-done-early': channel(
    'session-update.accepted-yields-done',
    '`session.update.done` comes after its `session.updated`',
  ),
  'updated-again': channel('session-update.updated-once', 'an update yields one `session.updated`'),
  'update-done-again': channel('session-update.done-once', 'an update yields one `session.update.done`'),
  'avatar-differs': channel(
    'session-update.active-avatar-applied',
    'the `session.updated` of a completed update shows the active avatar that it named',
  ),
  'rejected-ran': channel('scheduling.pending-second-never-starts', 'a request that was rejected never starts'),
  'pending-early': channel(
    'scheduling.after-current-not-before-output-ends',
    'a response that waits begins after the last output of the one that it waits for',
  ),
  'cleared-ran': channel(
    'scheduling.interrupt-clears-pending',
    'a response that waits for one that is then interrupted never starts',
  ),
  'two-at-once': channel(
    'scheduling.interrupt-cancels-active',
    'an interrupted response does not go on to its end beside the one that interrupted it',
  ),
  'interrupt-waited': channel(
    'scheduling.interrupt-cancels-active',
    'a response that interrupts another one does not wait for its end',
  ),
  'second-waited': channel(
    'scheduling.pending-second-rejected',
    'of responses that wait for the same one, the second is rejected',
  ),
  'state-lost': channel(
    'secret.reconnect-keeps-state',
    'after a reconnect, the active avatar is the one that the last applied update set',
  ),
  'request-of-another': channel(
    'response-created.request-event-id-names-request',
    '`request_event_id` is the id of a request of this session',
  ),
  'events-of-another': channel('isolation.events-not-shared', 'events of a session come on its own connections only'),
}

/** Told by a clock, as that something went on for long: whoever was late himself can't tell them. */
const byClock: ReadonlySet<string> = new Set<Flaw>(['two-at-once', 'interrupt-waited', 'second-waited'])

/** One finding for each flaw that was counted; what the generator itself may have caused makes the run invalid. */
export function flawFindings(tally: Tally<'flaws', CommonTime>): Pick<Findings, 'broken' | 'invalid'> {
  const [broken, invalid]: [Finding[], Finding[]] = [[], []]
  for (const [flaw, { says, requirement }] of Object.entries(chainLaws)) {
    const count = tally.counts('flaws').get(flaw) ?? 0
    if (count === 0) continue
    const text = `${timesOf(count)} ${flaw}: it must hold that ${says}`
    if (byClock.has(flaw) && mayBeCause(tally, BESIDE_MS)) invalid.push({ text: `${text} (${causeIn(tally)})` })
    else broken.push({ text, requirement })
  }
  return { broken, invalid }
}
