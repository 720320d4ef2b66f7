import type { Condition, Pattern } from '#trace/claim'
import { any, before, event } from '#trace/conditions'
import { matches } from '#trace/match'
import { speech } from '../bodies.ts'
import { errorAbout, startedFor } from '../error-about.ts'
import { type Counted, onlyIf } from '../expectation.ts'
import {
  besideSpeech,
  eventOf,
  finishOff,
  lastingBeyond,
  listen,
  outOfBand,
  runOf,
  type Speaking,
  speakLong,
  type BusySession,
  story,
  tryAgain,
} from '../responses/busy.ts'
import { cutGraceMs } from '../model/cut.ts'
import { outlast, quiet, start, wasCut, whole } from '../responses/responses.ts'
import { claiming } from '../step.ts'
import type { Talk } from '../talk.ts'
import { type Meeting, meet, onceOver, whileBusy } from './meeting.ts'
import { hearBoth, type Queued, queue } from './wait.ts'

const told = (words: string) => event('response.output_text.done', { '/text': words })

function itemDone({ responseId, itemId }: Speaking): Pattern {
  return eventOf('response.output_item.done', responseId, itemId === undefined ? {} : { '/item/id': itemId })
}

/**
 * It is cut short where it had text left when the interruption was read (a text may run ahead of its voice), and in a
 * while after.
 */
function isCut(talk: Talk, it: Meeting, old: Speaking): Counted {
  const left = talk.never(whole(old.words), { event: old.created }, { event: it.pong })
  const late = talk.event(eventOf('response.output_text.delta', old.responseId), {
    event: it.pong,
    plus_ms: cutGraceMs,
  })
  return whileBusy(it, old.short, left, any(old.short, before({ event: late }, { event: old.done })))
}

/** `interrupt` in the midst of a text. "Interrupted responses still emit terminal events." */
export const interruptActive = claiming({
  scheduling: [
    'interrupt-starts-new interrupt-new-completes interrupt-cancels-active interrupted-status interrupted-gets-done',
    'interrupted-gets-item-done',
  ],
}).step(async (talk, busy: BusySession) => {
  await besideSpeech(talk, lastingBeyond(busy, cutGraceMs), async (old) => {
    const words = story(talk, 40)
    const met = await meet(talk, busy, old, speech(words, { scheduling_policy: 'interrupt' }), (it) => {
      const brought = talk.eventually(whole(words), { event: it.created })
      // All of its text came before the new one: then there was nothing to interrupt.
      const midway = talk.never(whole(old.words), { event: old.created }, { event: it.created })
      const interrupted = [it.active, it.started, midway]
      const delta = eventOf('response.output_text.delta', old.responseId)
      const introduced = talk.eventually(delta, { event: old.created })
      const finished = talk.eventually(itemDone(old), { event: old.created })
      return {
        'scheduling.interrupt-starts-new': whileBusy(it, it.started),
        'scheduling.interrupt-new-completes': whileBusy(it, brought, it.started),
        'scheduling.interrupt-cancels-active': isCut(talk, it, old),
        'scheduling.interrupted-status': onlyIf([it.active, old.short, old.endIsOwn], wasCut(old)),
        'scheduling.interrupted-gets-done': onlyIf(interrupted, talk.eventually(old.done.match, it.at)),
        'scheduling.interrupted-gets-item-done': onlyIf([...interrupted, introduced], finished),
      }
    })
    await talk.hear(met.created.match, met.frame)
    await outlast(talk, told(words), met.frame)
    await talk.hear(itemDone(old), old.start?.frame ?? 0)
    await quiet(talk)
    return met.wasBusy()
  })
})

/** Without a policy, too, and what is out of band; the policy of another response applies "only to this response". */
export const interruptByDefault = claiming({ scheduling: 'interrupt-is-default interrupt-cancels-active' }).step(
  async (talk, busy: BusySession) => {
    const longer = lastingBeyond(busy, cutGraceMs)
    await tryAgain(talk, longer, async (length) => {
      const old = await speakLong(talk, longer, length, { ...outOfBand, scheduling_policy: 'reject_if_busy' })
      const met = await meet(talk, busy, old, speech(story(talk, 40)), (it) => ({
        'scheduling.interrupt-is-default': [whileBusy(it, it.started), isCut(talk, it, old)],
        'scheduling.interrupt-cancels-active': isCut(talk, it, old),
      }))
      await talk.hear(met.created.match, met.frame)
      await quiet(talk)
      return met.wasBusy()
    })
  },
)

/**
 * What is interrupted before it brought anything comes to its end, too; which answer is whose only rules can tell. The first
 * `response.created` may be that of the interrupted one, which may be over before the other begins.
 */
export const interruptAtOnce = claiming({}).step(async (talk) => {
  const response = speech(story(talk, 1_200))
  talk.send({ type: 'response.create', event_id: talk.context.id('response'), response })
  const { id, start: begun } = await start(talk, speech(story(talk, 40)))
  const own = event('response.created', { '/request_event_id': id })
  if (begun !== undefined && !matches(begun.data, own)) {
    // A service need not name requests, nor start what was interrupted: none that comes now is none that is missed.
    const others = [startedFor(id), errorAbout(id)]
    await talk.channel.next(others, { after: begun.frame, within_ms: talk.patienceFor('response.created') })
  }
  await quiet(talk)
})

/** A response that interrupted another keeps the session busy like any other, and what is out of band interrupts it. */
export const interruptTwice = claiming({
  scheduling: 'interrupt-starts-new interrupt-cancels-active reject-if-busy-active-rejected',
}).step(async (talk, busy: BusySession) => {
  await besideSpeech(talk, lastingBeyond(busy, cutGraceMs), async (old, length) => {
    const words = story(talk, length)
    const first = await meet(talk, busy, old, speech(words, { scheduling_policy: 'interrupt' }))
    const begun = await talk.hear(first.created.match, first.frame)
    const active = await listen(talk, { ...first, start: begun }, words)
    await meet(talk, busy, active, speech(story(talk, 40), { scheduling_policy: 'reject_if_busy' }), (it) => ({
      'scheduling.reject-if-busy-active-rejected': whileBusy(it, it.rejected),
    }))
    const next = speech(story(talk, 40), { ...outOfBand, scheduling_policy: 'interrupt' })
    const second = await meet(talk, busy, active, next, (it) => ({
      'scheduling.interrupt-starts-new': whileBusy(it, it.started),
      'scheduling.interrupt-cancels-active': isCut(talk, it, active),
    }))
    await talk.hear(second.created.match, second.frame)
    await quiet(talk)
    return second.wasBusy()
  })
})

/**
 * What waited does not run any more, and an `error` may tell so (6.2).
 *
 * @param runs what waits comes to run if nothing clears it
 */
export function isCleared(talk: Talk, it: Meeting, waiting: Queued, runs: Condition): Counted {
  const notYet = talk.never(waiting.created.match, waiting.at, { event: it.created })
  const cleared = talk.never(runOf(waiting, waiting.words), it.at)
  return whileBusy(it, cleared, waiting.taken, notYet, runs)
}

/** What was cleared while the other one had text left never starts, not even to end at once. */
export function neverStarts(talk: Talk, it: Meeting, waiting: Queued, old: Speaking): Counted {
  const begun = event('response.created', { '/request_event_id': waiting.id })
  return whileBusy(it, talk.never(begun, it.at), waiting.taken, old.short)
}

/** An interruption that names no policy and is out of band clears what waits, too. */
export const clearByDefault = claiming({ scheduling: 'interrupt-clears-pending' }).step(
  async (talk, busy: BusySession, runs: Condition) => {
    await besideSpeech(talk, busy, async (old) => {
      const waiting = await queue(talk, busy, old, story(talk, 40))
      const met = await meet(talk, busy, old, speech(story(talk, 40), outOfBand), (it) => ({
        'scheduling.interrupt-clears-pending': [
          isCleared(talk, it, waiting, runs),
          neverStarts(talk, it, waiting, old),
        ],
      }))
      await talk.hear(met.created.match, met.frame)
      await quiet(talk)
      return met.wasBusy()
    })
  },
)

/** An interruption clears what waits; what is sent to wait after it runs. */
export const interruptPending = claiming({
  scheduling: 'interrupt-clears-pending interrupt-leaves-later-pending pending-one-accepted',
}).step(async (talk, busy: BusySession, runs: Condition) => {
  await besideSpeech(talk, busy, async (old, length) => {
    const waiting = await queue(talk, busy, old, story(talk, 40))
    const words = story(talk, length)
    const met = await meet(talk, busy, old, speech(words, { scheduling_policy: 'interrupt' }), (it) => ({
      'scheduling.interrupt-clears-pending': [isCleared(talk, it, waiting, runs), neverStarts(talk, it, waiting, old)],
    }))
    const begun = await talk.hear(met.created.match, met.frame)
    const active = await listen(talk, { ...met, start: begun }, words)
    const later = await queue(talk, busy, active, story(talk, 40), {
      expect: (it) => {
        const free = talk.never(runOf(waiting, waiting.words), met.at)
        return {
          'scheduling.interrupt-leaves-later-pending': onceOver(active, it, it.runs, it.notRejected, runs),
          'scheduling.pending-one-accepted': whileBusy(it, it.notRejected, waiting.taken, met.started, free),
        }
      },
    })
    await hearBoth(talk, active, later)
    return met.wasBusy() && later.wasBusy()
  })
})

/** What had waited is cut short like any other. */
export const interruptWaited = claiming({ scheduling: 'interrupt-cancels-active' }).step(
  async (talk, busy: BusySession) => {
    await besideSpeech(talk, busy, async (old) => {
      const words = story(talk, lastingBeyond(busy, cutGraceMs).length)
      const waiting = await queue(talk, busy, old, words)
      await finishOff(talk, old)
      const begun = await outlast(talk, waiting.created.match, waiting.frame)
      const active = await listen(talk, { ...waiting, start: begun }, words)
      const met = await meet(talk, busy, active, speech(story(talk, 40), { scheduling_policy: 'interrupt' }), (it) => ({
        'scheduling.interrupt-cancels-active': isCut(talk, it, active),
      }))
      await talk.hear(met.created.match, met.frame)
      await quiet(talk)
      return met.wasBusy()
    })
  },
)
