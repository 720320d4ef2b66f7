import { around, set } from '#target/overrides/operators'
import type { ResponseRun } from '#target/responses/run'
import { cutWithout, dropPending, endAs } from '../../tools/control-channel.ts'
import { onceReturned } from '../../tools/refusals.ts'
import { byAsker } from '../../tools/senders.ts'
import { defectsOf } from '../../tools/table.ts'

const longReplies = around('generation.reply', (reply) => (facts) => `${reply(facts)} `.repeat(40).trimEnd())

/** Responses that a service may take for none that can be cancelled. */
const UNCANCELLED: readonly (readonly [word: string, what: string, fits: (run: ResponseRun) => boolean])[] = [
  ['out-of-band', 'What is out of band', ({ plan }) => plan.conversation === 'none'],
  ['interrupting', 'What interrupted another response', ({ origin }) => origin === 'interrupt'],
  ['waited', 'What had waited', ({ origin }) => origin === 'pending'],
  ['registered', 'A registered text', ({ plan }) => plan.kind === 'speech_asset'],
  ['audio', 'Audio', ({ plan }) => plan.kind === 'audio'],
]

export const responseCancelDefects = defectsOf('control-channel.response-cancel', {
  'active-ends: A cancelled response falls silent.': cutWithout('response.done', 'cancel'),
  'active-cut-short: A cancel is accepted and does nothing.': set('scheduling.cancelCuts', () => false),
  'active-cut-short~reply: A reply of the model, which is long, cannot be cancelled.': [
    longReplies,
    set('scheduling.cancelCuts', ({ response }) => response?.plan.kind !== 'reply'),
  ],
  'active-cut-short~action: An action cannot be cancelled.': set(
    'scheduling.cancelCuts',
    ({ response }) => response?.plan.kind !== 'visual',
  ),
  ...Object.fromEntries(
    UNCANCELLED.map(([word, what, fits]) => [
      `active-cut-short~${word}: ${what} cannot be cancelled.`,
      around(
        'scheduling.cancelCuts',
        (cuts) => (session) => cuts(session) && !(session.response !== undefined && fits(session.response)),
      ),
    ]),
  ),
  'active-cut-short~reconnect: After a reconnect a cancel is accepted and does nothing.': onceReturned((returned) => [
    around('scheduling.cancelCuts', (cuts) => (session) => cuts(session) && !returned(session)),
  ]),
  'active-cut-short~other-connection: What one connection asked for cannot be cancelled over another.': byAsker(
    (isOfOther) => [around('scheduling.cancelCuts', (cuts) => (session) => cuts(session) && !isOfOther(session))],
  ),
  'active-cut-short~pending-instead: With a pending response a cancel takes that one and leaves the active response.':
    set('scheduling.cancelCuts', (session) => {
      const alone = session.pending.length === 0
      dropPending(session)
      return alone
    }),
  'status: A cancelled response ends completed.': endAs('cancel', 'completed'),
  'frees-session: After a cancel the session stays busy.': [
    set('scheduling.cutFrees', (cause) => cause !== 'cancel'),
    around(
      'scheduling.decide.interrupt',
      (interrupt) => (session, busy, asked) =>
        session.response?.reached.has('response.done') === true ? 'reject' : interrupt(session, busy, asked),
    ),
  ],
  'frees-session~pending: After a cancel the pending response neither runs nor gives way.': set(
    'scheduling.runsPending',
    (done) => done.status !== 'cancelled',
  ),
  'known-type: A cancel is an unknown event.': around(
    'frames.type-unknown.broken',
    (broken) => (frame) => broken(frame) || frame.event?.['type'] === 'response.cancel',
  ),
})
