import type { Condition, Pattern } from '#trace/claim'
import { all, event } from '#trace/conditions'
import type { JsonObject } from '#trace/json'
import { speech, userMessage } from '../bodies.ts'
import { sendUnknownType } from '../events/unknown.ts'
import { type Counted, type Expect, type Expectations, onlyIf } from '../expectation.ts'
import { makeItem, retrieve } from '../items/items.ts'
import {
  besideSpeech,
  eventOf,
  finishOff,
  listen,
  outOfBand,
  runOf,
  type Speaking,
  type BusySession,
  story,
} from '../responses/busy.ts'
import { completed, outlast, whole } from '../responses/responses.ts'
import { type Row } from '../rows.ts'
import { hearAnnounced } from '../speech/speeches.ts'
import { claiming } from '../step.ts'
import type { Talk } from '../talk.ts'
import { hearOutcome, type Meeting, type Met, meet, onceOver, whileBusy } from './meeting.ts'

/** Text of the response with the identity, as long as it goes on. */
const outputs = (responseId: string | undefined): readonly Pattern[] =>
  ['response.output_text.delta', 'response.output_text.done'].map((type) => eventOf(type, responseId))

/** A response that waits for another one, before it is sent. */
export interface Queued extends Met {
  readonly words: string
  /** It comes to run. */
  readonly runs: Condition
}

export interface QueueOptions<R extends Row> {
  /** Default: a speech of the words. */
  readonly response?: JsonObject
  readonly expect?: Expect<R, Meeting & Pick<Queued, 'runs'>>
}

/** Sends what is to wait for the active response, and to speak these words then. */
export async function queue<R extends Row>(
  talk: Talk<R>,
  busy: BusySession,
  old: Speaking,
  words: string,
  { response = speech(words), expect }: QueueOptions<R> = {},
): Promise<Queued> {
  let runs: Condition = all()
  const message = { ...response, scheduling_policy: 'after_current_response' }
  const met = await meet(talk, busy, old, message, (it) => {
    runs = talk.eventually([it.created.match, ...(words === '' ? [] : whole(words))], it.at)
    return expect?.({ ...it, runs })
  })
  return { ...met, words, runs }
}

/** Waits for the end of the active response and for that of the one behind it. */
export async function hearBoth(talk: Talk, old: Speaking, { created, frame }: Met): Promise<void> {
  await finishOff(talk, old)
  const begun = await outlast(talk, created.match, frame)
  if (begun !== undefined) await outlast(talk, event('response.done'), Math.max(begun.frame, endFrame(talk, old)))
}

/** In `text_chat` a pending response may start before the end of the other. */
function endFrame(talk: Talk, old: Speaking): number {
  const after = old.start?.frame ?? 0
  return talk.channel.frames.find(({ frame, type }) => type === old.done.match.type && frame > after)?.frame ?? 0
}

/** It does not start before the last output of the active one. */
function waits(talk: Talk, it: Meeting, old: Speaking): Counted {
  return whileBusy(it, talk.never(outputs(old.responseId), { event: it.created }))
}

/** What waited is active now, and another one may wait for it. */
const queueBehind = claiming({ scheduling: 'pending-slot-frees after-current-not-before-output-ends' }).step(
  async (talk, busy: BusySession, active: Speaking): Promise<boolean> => {
    if (active.start === undefined) return true
    const last = await queue(talk, busy, active, story(talk, 40), {
      expect: (it) => ({
        'scheduling.pending-slot-frees': [whileBusy(it, it.notRejected), onceOver(active, it, it.runs, it.notRejected)],
        'scheduling.after-current-not-before-output-ends': waits(talk, it, active),
      }),
    })
    await hearBoth(talk, active, last)
    return last.wasBusy()
  },
)

/** One response waits for another, which is out of band, and a third one for that. @returns that what waits comes to run */
export const queueOne = claiming(
  {
    scheduling: [
      'after-current-queued after-current-runs after-current-not-before-output-ends after-current-leaves-active',
      'after-current-brings-own-text pending-one-accepted pending-runs-once',
    ],
    script: 'default-speech-written',
  },
  queueBehind,
).step(async (talk, busy: BusySession): Promise<Condition> => {
  let runs: Condition = all()
  const attempt = async (old: Speaking, length: number): Promise<boolean> => {
    const pending = await queue(talk, busy, old, story(talk, length), {
      expect: (it) => ({
        'scheduling.after-current-queued': whileBusy(it, it.notRejected),
        'scheduling.pending-one-accepted': whileBusy(it, it.notRejected),
        'scheduling.after-current-runs': onceOver(old, it, it.runs),
        'scheduling.after-current-not-before-output-ends': waits(talk, it, old),
        'scheduling.after-current-leaves-active': whileBusy(it, old.unharmed),
      }),
    })
    runs = all(pending.notRejected, pending.runs)
    // What waited brings its own text, once.
    const own = talk.eventually(whole(pending.words), { event: pending.created })
    const again = event('response.created', { '/request_event_id': pending.id })
    const told = event('response.output_text.done', { '/text': pending.words })
    talk.expect({
      'scheduling.after-current-brings-own-text': whileBusy(pending, own, pending.started),
      'scheduling.pending-runs-once': [
        whileBusy(pending, talk.never(again, { event: pending.created }), pending.started),
        whileBusy(pending, talk.never(told, { event: talk.event(told, pending.at) }), pending.started),
      ],
    })
    await finishOff(talk, old)
    const begun = await outlast(talk, pending.created.match, pending.frame)
    const next = await listen(talk, { ...pending, start: begun }, pending.words)
    const behind = await queueBehind(talk, busy, next)
    if (next.itemId !== undefined) {
      await hearAnnounced(talk, next.itemId)
      await retrieve(talk, next.itemId, (it) => ({
        'script.default-speech-written': onlyIf(completed(next), it.confirmed),
      }))
    }
    return pending.wasBusy() && behind
  }
  await besideSpeech(talk, busy, attempt, outOfBand)
  return runs
})

/**
 * What waits is not a speech but something else, whose text is not known beforehand; neither an item that is made meanwhile
 * nor an event of an unknown type keeps it from running.
 *
 * @param runs a speech that waits comes to run
 */
export const queueOther = claiming(
  { scheduling: 'after-current-queued after-current-runs after-current-not-before-output-ends' },
  sendUnknownType,
).step((talk, busy: BusySession, runs: Condition, response: JsonObject) =>
  besideSpeech(talk, busy, async (old) => {
    const waiting = await queue(talk, busy, old, '', {
      response,
      expect: (it) => ({
        'scheduling.after-current-queued': whileBusy(it, it.notRejected, runs),
        'scheduling.after-current-runs': onceOver(old, it, it.runs, runs),
        'scheduling.after-current-not-before-output-ends': waits(talk, it, old),
      }),
    })
    await makeItem(talk, userMessage('And this I write meanwhile.'))
    await sendUnknownType(talk)
    await hearBoth(talk, old, waiting)
    return waiting.wasBusy()
  }),
)

/** A request beside a response that is active and one that waits, before it is sent. */
interface Rival extends Meeting {
  readonly words: string
  readonly waiting: Queued
  readonly old: Speaking
}

interface Rivals<R extends Row> {
  /** Of words that nobody else speaks. */
  readonly response: (words: string, nth: number) => JsonObject
  /** How many are sent, each once the one before it was answered; default 1. */
  readonly count?: number
  readonly expect: (rival: Rival) => Expectations<R>
}

/** Sends requests beside a response that is active and one that waits. */
function besidePending<R extends Row>(
  talk: Talk<R>,
  busy: BusySession,
  { response, count = 1, expect }: Rivals<R>,
): Promise<void> {
  return besideSpeech(talk, busy, async (old) => {
    const waiting = await queue(talk, busy, old, story(talk, 40))
    let last: Met = waiting
    for (let nth = 0; nth < count; nth += 1) {
      const words = story(talk, 40)
      last = await meet(talk, busy, old, response(words, nth), (it) => expect({ ...it, words, waiting, old }))
      await hearOutcome(talk, last)
    }
    await hearBoth(talk, old, waiting)
    return last.wasBusy()
  })
}

/** What counts where the first one was queued, and had not started when the second was handled. */
function whileWaiting(talk: Talk, it: Rival, condition: Condition, ...more: readonly Condition[]) {
  const { waiting } = it
  const notYet = talk.never(waiting.created.match, waiting.at, { event: it.pong })
  return whileBusy(it, condition, waiting.notRejected, notYet, ...more)
}

/** What waits runs all the same where the other request was rejected. @param runs what waits comes to run otherwise */
const stillRuns = (it: Rival, runs: Condition): Counted =>
  onceOver(it.old, it, it.waiting.runs, it.waiting.notRejected, it.rejected, runs)

/** A second one that would wait is refused, and so is the next, which is out of band; the first one runs all the same. */
export const refuseSecond = claiming({
  scheduling: 'pending-second-rejected pending-second-never-starts pending-second-leaves-first',
}).step((talk, busy: BusySession, runs: Condition) =>
  besidePending(talk, busy, {
    response: (words, nth) =>
      speech(words, { scheduling_policy: 'after_current_response', ...(nth === 1 ? { conversation: 'none' } : {}) }),
    count: 2,
    expect: (it) => ({
      'scheduling.pending-second-rejected': whileWaiting(talk, it, it.rejected),
      'scheduling.pending-second-never-starts': whileWaiting(
        talk,
        it,
        talk.never(runOf(it, it.words), it.at),
        it.rejected,
      ),
      'scheduling.pending-second-leaves-first': stillRuns(it, runs),
    }),
  }),
)

/** `reject_if_busy` beside one that is active and one that waits. */
export const rejectWhilePending = claiming({
  scheduling: 'reject-if-busy-pending-rejected reject-if-busy-leaves-pending',
}).step((talk, busy: BusySession, runs: Condition) =>
  besidePending(talk, busy, {
    response: (words) => speech(words, { scheduling_policy: 'reject_if_busy' }),
    expect: (it) => ({
      'scheduling.reject-if-busy-pending-rejected': whileWaiting(talk, it, it.rejected),
      'scheduling.reject-if-busy-leaves-pending': stillRuns(it, runs),
    }),
  }),
)

/** Of requests with a fault of their own; the last one would take the place of what waits, were it valid. */
const invalidPolicies = ['reject_if_busy', 'interrupt'] as const

/** A request with a fault of its own leaves what waits alone. */
export const refuseInvalidBeside = claiming({ scheduling: 'after-current-runs' }).step(
  (talk, busy: BusySession, runs: Condition) =>
    besidePending(talk, busy, {
      response: (_words, nth) => ({
        input: [{ type: 'item_reference', id: talk.context.id('unknown-item') }],
        scheduling_policy: invalidPolicies[nth] ?? 'interrupt',
      }),
      count: invalidPolicies.length,
      expect: (it) => ({ 'scheduling.after-current-runs': stillRuns(it, runs) }),
    }),
)
