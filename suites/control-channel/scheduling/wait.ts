import type { Condition, Pattern } from '#trace/claim'
import { all, equals, event, inEvent, value } from '#trace/conditions'
import type { JsonObject } from '#trace/json'
import { speech } from '../bodies.ts'
import {
  eventOf,
  finishOff,
  listen,
  runOf,
  type Speaking,
  speakLong,
  type Stage,
  story,
  tryAgain,
} from '../responses/busy.ts'
import { type Meeting, type Met, meet } from './meeting.ts'
import { outlast, whole } from '../responses/responses.ts'
import { completed, hearOutcome } from './reject.ts'
import type { ClaimOptions, Talk } from '../talk.ts'

/** Text of the response with the identity, as long as it goes on. */
const outputs = (responseId: string | undefined): readonly Pattern[] =>
  ['response.output_text.delta', 'response.output_text.done'].map((type) => eventOf(type, responseId))

/** A response that waits for another one, before it is sent. */
export interface Queued extends Met {
  readonly words: string
  /** It comes to run. */
  readonly runs: Condition
}

export interface QueueOptions {
  /** Default: a speech of the words. */
  readonly response?: JsonObject
  readonly write?: (meeting: Meeting & Pick<Queued, 'runs'>) => void
}

/** Sends what is to wait for the active response, and to speak these words then. */
export async function queue(
  stage: Stage,
  old: Speaking,
  words: string,
  { response = speech(words), write }: QueueOptions = {},
): Promise<Queued> {
  const { talk } = stage
  let runs: Condition = all()
  const met = await meet(stage, old, { ...response, scheduling_policy: 'after_current_response' }, (it) => {
    runs = talk.eventually([it.created.match, ...whole(words)], it.at)
    write?.({ ...it, runs })
  })
  return { ...met, words, runs }
}

/** Options for what is to be seen once the active response has come to its end by itself. */
export function once(old: Speaking, it: Meeting, ...more: readonly Condition[]): ClaimOptions {
  return { given: [...(it.busy.given ?? []), ...more, completed(old)], choice: true }
}

/** Waits for the end of the active response and for that of the one behind it. */
export async function hearBoth(talk: Talk, old: Speaking, { created, frame }: Met): Promise<void> {
  await finishOff(talk, old)
  const begun = await outlast(talk, created.match, frame)
  if (begun !== undefined) await outlast(talk, event('response.done'), Math.max(begun.frame, endFrame(talk, old)))
}

/** In `text_chat` a pending response may start before the end of the other. */
function endFrame(talk: Talk, old: Speaking): number {
  return (
    talk.channel.frames.find(({ frame, type }) => type === old.done.match.type && frame > (old.start?.frame ?? 0))
      ?.frame ?? 0
  )
}

/**
 * One response waits for another, and a third one for that.
 *
 * @returns that what waits comes to run
 */
export async function queueOne(stage: Stage): Promise<Condition> {
  const { talk } = stage
  let runs: Condition = all()
  await tryAgain(stage, async (length) => {
    const old = await speakLong(stage, length)
    const pending = await queue(stage, old, story(talk, length), { write: (it) => claimQueued(talk, old, it) })
    runs = all(pending.notRejected, pending.runs)
    claimText(talk, pending)
    await finishOff(talk, old)
    const begun = await outlast(talk, pending.created.match, pending.frame)
    const next = await listen(talk, { ...pending, start: begun }, pending.words)
    const behind = await queueBehind(stage, next)
    return pending.wasBusy() && behind
  })
  return runs
}

function claimQueued(talk: Talk, old: Speaking, it: Meeting & Pick<Queued, 'runs'>): void {
  talk.claim(['scheduling.after-current-queued', 'scheduling.pending-one-accepted'], it.notRejected, it.busy)
  talk.claim('scheduling.after-current-runs', it.runs, once(old, it))
  const beside = talk.never(outputs(old.responseId), { event: it.created })
  talk.claim('scheduling.after-current-not-before-output-ends', beside, it.busy)
  talk.claim('scheduling.after-current-leaves-active', old.unharmed, it.busy)
}

/** What waited brings its own text, once. */
function claimText(talk: Talk, it: Queued): void {
  const options = { given: [...(it.busy.given ?? []), it.started], choice: true }
  const own = equals(inEvent(it.text, '/text'), value(it.words))
  talk.claim('scheduling.after-current-brings-own-text', own, options)
  const again = event('response.created', { '/request_event_id': it.id })
  talk.claim('scheduling.pending-runs-once', talk.never(again, { event: it.created }), options)
  const told = event('response.output_text.done', { '/text': it.words })
  talk.claim('scheduling.pending-runs-once', talk.never(told, { event: talk.event(told, it.at) }), options)
}

/** What waited is active now, and another one may wait for it. */
async function queueBehind(stage: Stage, active: Speaking): Promise<boolean> {
  if (active.start === undefined) return true
  const last = await queue(stage, active, story(stage.talk, 40), {
    write: (it) => {
      stage.talk.claim('scheduling.pending-slot-frees', it.notRejected, it.busy)
      stage.talk.claim('scheduling.pending-slot-frees', it.runs, once(active, it, it.notRejected))
    },
  })
  await hearBoth(stage.talk, active, last)
  return last.wasBusy()
}

/** A second one that would wait is refused; the first one runs all the same. */
export function refuseSecond(stage: Stage, runs: Condition): Promise<void> {
  const words = story(stage.talk, 40)
  const { talk } = stage
  return besidePending(stage, speech(words, { scheduling_policy: 'after_current_response' }), (it, waiting, old) => {
    const both = waits(talk, it, waiting)
    talk.claim('scheduling.pending-second-rejected', it.rejected, both)
    const refused = { given: [...(both.given ?? []), it.rejected], choice: true }
    talk.claim('scheduling.pending-second-never-starts', talk.never(runOf(it, words), it.at), refused)
    talk.claim(
      'scheduling.pending-second-leaves-first',
      waiting.runs,
      once(old, it, waiting.notRejected, it.rejected, runs),
    )
  })
}

/** `reject_if_busy` beside one that is active and one that waits. */
export function rejectWhilePending(stage: Stage, runs: Condition): Promise<void> {
  const { talk } = stage
  const words = story(talk, 40)
  return besidePending(stage, speech(words, { scheduling_policy: 'reject_if_busy' }), (it, waiting, old) => {
    talk.claim('scheduling.reject-if-busy-pending-rejected', it.rejected, waits(talk, it, waiting))
    talk.claim(
      'scheduling.reject-if-busy-leaves-pending',
      waiting.runs,
      once(old, it, waiting.notRejected, it.rejected, runs),
    )
  })
}

/** A request with a fault of its own leaves what waits alone. */
export function refuseInvalidBeside(stage: Stage, runs: Condition): Promise<void> {
  const input = [{ type: 'item_reference', id: stage.talk.context.id('unknown-item') }]
  return besidePending(stage, { input, scheduling_policy: 'reject_if_busy' }, (it, waiting, old) => {
    const given = once(old, it, waiting.notRejected, it.rejected, runs)
    stage.talk.claim('scheduling.after-current-runs', waiting.runs, given)
  })
}

/** The first one was queued, and had not started when the second was handled. */
function waits(talk: Talk, it: Meeting, waiting: Queued): ClaimOptions {
  const notYet = talk.never(waiting.created.match, waiting.at, { event: it.pong })
  return { given: [...(it.busy.given ?? []), waiting.notRejected, notYet], choice: true }
}

function besidePending(
  stage: Stage,
  response: JsonObject,
  write: (meeting: Meeting, waiting: Queued, old: Speaking) => void,
): Promise<void> {
  const { talk } = stage
  return tryAgain(stage, async (length) => {
    const old = await speakLong(stage, length)
    const waiting = await queue(stage, old, story(talk, 40))
    const met = await meet(stage, old, response, (it) => write(it, waiting, old))
    await hearOutcome(talk, met)
    await hearBoth(talk, old, waiting)
    return met.wasBusy()
  })
}
