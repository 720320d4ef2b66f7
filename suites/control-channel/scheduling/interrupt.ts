import type { Condition, Pattern } from '#trace/claim'
import { equals, event, inEvent, oneOf } from '#trace/conditions'
import { speech } from '../bodies.ts'
import { eventOf, listen, runOf, type Speaking, speakLong, type Stage, story, tryAgain } from '../responses/busy.ts'
import { type Meeting, meet } from './meeting.ts'
import { outlast, quiet, whole } from '../responses/responses.ts'
import { hearBoth, once, type Queued, queue } from './wait.ts'
import type { ClaimOptions, Talk } from '../talk.ts'

/** `interrupt` in the midst of a text. */
export function interruptActive(stage: Stage): Promise<void> {
  const { talk } = stage
  return tryAgain(stage, async (length) => {
    const old = await speakLong(stage, length)
    const words = story(talk, 40)
    const met = await meet(stage, old, speech(words, { scheduling_policy: 'interrupt' }), (it) => {
      claimNew(talk, it, words)
      claimOld(talk, it, old)
    })
    await talk.hear(met.created.match, met.frame)
    await outlast(talk, told(words), met.frame)
    await talk.hear(itemDone(old), old.start?.frame ?? 0)
    await quiet(talk)
    return met.wasBusy()
  })
}

const told = (words: string) => event('response.output_text.done', { '/text': words })

function itemDone({ responseId, itemId }: Speaking): Pattern {
  return eventOf('response.output_item.done', responseId, itemId === undefined ? {} : { '/item/id': itemId })
}

function claimNew(talk: Talk, it: Meeting, words: string): void {
  talk.claim('scheduling.interrupt-starts-new', it.started, it.busy)
  const brought = talk.eventually(whole(words), { event: it.created })
  talk.claim('scheduling.interrupt-new-completes', brought, {
    given: [...(it.busy.given ?? []), it.started],
    choice: true,
  })
}

/** "Interrupted responses still emit terminal events." */
function claimOld(talk: Talk, it: Meeting, old: Speaking): void {
  talk.claim('scheduling.interrupt-cancels-active', old.short, withTextLeft(talk, it, old))
  const status = equals(inEvent(old.done, '/response/status'), oneOf('cancelled', 'incomplete'))
  talk.claim('scheduling.interrupted-status', status, { given: [it.active, old.short], choice: true })
  // All of its text came before the new one: then there was nothing to interrupt.
  const midway = talk.never(whole(old.words), { event: old.created }, { event: it.created })
  const interrupted = [it.active, it.started, midway]
  talk.claim('scheduling.interrupted-gets-done', talk.eventually(old.done.match, it.at), {
    given: interrupted,
    choice: true,
  })
  const introduced = talk.eventually(eventOf('response.output_text.delta', old.responseId), { event: old.created })
  const finished = talk.eventually(itemDone(old), { event: old.created })
  const options = { given: [...interrupted, introduced], choice: true }
  talk.claim('scheduling.interrupted-gets-item-done', finished, options)
}

/** It was active, and had text left to cut when the interruption was read: a text may run ahead of its voice. */
function withTextLeft(talk: Talk, it: Meeting, old: Speaking): ClaimOptions {
  const left = talk.never(whole(old.words), { event: old.created }, { event: it.pong })
  return { given: [...(it.busy.given ?? []), left], choice: true }
}

/** Without a policy, too; that of another response applies "only to this response". */
export function interruptByDefault(stage: Stage): Promise<void> {
  const { talk } = stage
  return tryAgain(stage, async (length) => {
    const old = await speakLong(stage, length, { scheduling_policy: 'reject_if_busy' })
    const met = await meet(stage, old, speech(story(talk, 40)), (it) => {
      talk.claim('scheduling.interrupt-is-default', it.started, it.busy)
      talk.claim('scheduling.interrupt-is-default', old.short, withTextLeft(talk, it, old))
    })
    await talk.hear(met.created.match, met.frame)
    await quiet(talk)
    return met.wasBusy()
  })
}

/** A response that interrupted another is interrupted like any other. */
export function interruptTwice(stage: Stage): Promise<void> {
  const { talk } = stage
  return tryAgain(stage, async (length) => {
    const old = await speakLong(stage, length)
    const words = story(talk, length)
    const first = await meet(stage, old, speech(words, { scheduling_policy: 'interrupt' }), () => undefined)
    const begun = await talk.hear(first.created.match, first.frame)
    const active = await listen(talk, { ...first, start: begun }, words)
    const second = await meet(stage, active, speech(story(talk, 40), { scheduling_policy: 'interrupt' }), (it) => {
      talk.claim('scheduling.interrupt-starts-new', it.started, it.busy)
      talk.claim('scheduling.interrupt-cancels-active', active.short, withTextLeft(talk, it, active))
    })
    await talk.hear(second.created.match, second.frame)
    await quiet(talk)
    return second.wasBusy()
  })
}

/** An interruption that names no policy clears what waits, too. */
export function clearByDefault(stage: Stage, runs: Condition): Promise<void> {
  const { talk } = stage
  return tryAgain(stage, async (length) => {
    const old = await speakLong(stage, length)
    const waiting = await queue(stage, old, story(talk, 40))
    const met = await meet(stage, old, speech(story(talk, 40)), (it) => claimCleared(talk, it, waiting, runs))
    await talk.hear(met.created.match, met.frame)
    await quiet(talk)
    return met.wasBusy()
  })
}

function claimCleared(talk: Talk, it: Meeting, waiting: Queued, runs: Condition): void {
  const notYet = talk.never(waiting.created.match, waiting.at, { event: it.created })
  const given = [...(it.busy.given ?? []), waiting.notRejected, notYet, runs]
  const cleared = talk.never(runOf(waiting, waiting.words), it.at)
  talk.claim('scheduling.interrupt-clears-pending', cleared, { given, choice: true })
}

/**
 * An interruption clears what waits; what is sent to wait after it runs.
 *
 * @param runs what waits comes to run if nothing clears it
 */
export function interruptPending(stage: Stage, runs: Condition): Promise<void> {
  const { talk } = stage
  return tryAgain(stage, async (length) => {
    const old = await speakLong(stage, length)
    const waiting = await queue(stage, old, story(talk, 40))
    const words = story(talk, length)
    const met = await meet(stage, old, speech(words, { scheduling_policy: 'interrupt' }), (it) => {
      claimCleared(talk, it, waiting, runs)
    })
    const begun = await talk.hear(met.created.match, met.frame)
    const active = await listen(talk, { ...met, start: begun }, words)
    const later = await queue(stage, active, story(talk, 40), {
      write: (it) => {
        talk.claim('scheduling.interrupt-leaves-later-pending', it.runs, once(active, it, it.notRejected, runs))
        const free = talk.never(runOf(waiting, waiting.words), met.at)
        const given = [...(it.busy.given ?? []), waiting.notRejected, met.started, free]
        talk.claim('scheduling.pending-one-accepted', it.notRejected, { given, choice: true })
      },
    })
    await hearBoth(talk, active, later)
    return met.wasBusy() && later.wasBusy()
  })
}
