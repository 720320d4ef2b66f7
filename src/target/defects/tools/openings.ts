import type { Behaviour, Override } from '#target/behaviour/behaviour'
import { textOf, type JsonObject } from '#target/wire'
import { runsOf } from './runs.ts'

const text = 'Good day! I have been looking forward to talking with you.'

/** Whether an event is about what is said first. */
export type IsOpening = (event: JsonObject) => boolean

/** An opening that is spoken at once; the mistake is in it alone. */
export const greeting =
  (then: (isOpening: IsOpening) => Override): Override =>
  (behaviour: Behaviour): void => {
    behaviour.extras.spokenOpening = { afterMs: 20, text }
    const runOf = runsOf(behaviour)
    then((event) => textOf(runOf(event)?.plan.text) === text)(behaviour)
  }
