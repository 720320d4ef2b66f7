import { set, remembering } from '#target/overrides/operators'
import type { Behaviour } from '../behaviour/behaviour.ts'
import type { Session } from '../sessions/session.ts'
import { everyNth, everyNthOf } from './every-nth.ts'
import { variationsOf } from './table.ts'

/** Above what the profile of this target grants for an event, below twice as long. */
const stallMs = 4_000
/** Above twice of it: by then the next event is on its way. */
const longStallMs = 7_000
/** Above twice of what it grants: a model may think. */
const silenceMs = 8_000

/** So soon that many a session ends between its creation and the first look at it. */
const soonMs = 140

/** Longer than most sessions last, and shorter than any timer that is waited for. */
const waitedMs = 3_000

/** One session in so many ends before it handles its event of this number. */
function endsOne(lifecycle: Behaviour['lifecycle'], times: number, event: number, first?: number): void {
  const chosen = everyNth(times, first)
  const known = new Map<Session, boolean>()
  lifecycle.endsBefore = (session) => {
    if (!known.has(session)) known.set(session, chosen())
    return known.get(session) === true && session.tally.sent >= event
  }
}

/** Nothing in the interface promises when something comes, nor that a session lives as long as it might. */
export const latenessVariations = variationsOf({
  'stalls-once §6.2: Every session stalls for four seconds before one of its first events is handled (no time is promised).':
    set('channel.stallMs', ({ tally }) => (tally.sent === 3 ? stallMs : 0)),
  'stalls-long-at-first §6.2: Every fourth session stalls for seven seconds before its first event is handled (no time is promised).':
    remembering(() => {
      const isChosen = everyNthOf(4)
      return set('channel.stallMs', (session) => (session.tally.sent === 1 && isChosen(session) ? longStallMs : 0))
    }),
  'stalls-later §6.2: Every session stalls for four seconds in the middle of a conversation (no time is promised).':
    set('channel.stallMs', ({ tally }) => (tally.sent === 12 ? stallMs : 0)),
  'stalls-long-later §6.2: Every third session stalls for seven seconds before its fifth event is handled (no time is promised).':
    remembering(() => {
      const isChosen = everyNthOf(3)
      return set('channel.stallMs', (session) => (session.tally.sent === 5 && isChosen(session) ? longStallMs : 0))
    }),
  'model-thinks-long §3.4: Every eighth response is silent for eight seconds before its first text (no time is promised).':
    ({ pace }) => {
      const thinks = everyNth(8)
      let { firstDeltaMs } = pace
      Object.defineProperty(pace, 'firstDeltaMs', {
        get: () => (thinks() ? silenceMs : firstDeltaMs),
        // Another variation beside this one may set its own.
        set: (ms: number) => {
          firstDeltaMs = ms
        },
      })
    },
  'sessions-ended-for-maintenance §3.1: One session in six ends in the middle of a conversation, with `session.closed` ("or maintenance").':
    ({ lifecycle }) => endsOne(lifecycle, 6, 7),
  'sessions-ended-in-first-words §3.1: One session in seven ends before its third event, with `session.closed` ("or maintenance").':
    ({ lifecycle }) => endsOne(lifecycle, 7, 3, 5),
  'sessions-ended-soon §3.1: One session in 25 ends a seventh of a second after its creation, whether or not anybody is connected ("or maintenance").':
    ({ lifecycle }) => {
      const chosen = everyNth(25, 5)
      lifecycle.maintainedAfterMs = () => (chosen() ? soonMs : Infinity)
    },
  'sessions-ended-while-waited-for §3.1: One session in twelve ends three seconds after its creation, whatever timers it has ("or maintenance").':
    ({ lifecycle }) => {
      const chosen = everyNth(12)
      lifecycle.maintainedAfterMs = () => (chosen() ? waitedMs : Infinity)
    },
  'sessions-ended-unannounced §6.2: One session in six ends in the middle of a conversation, and its `session.closed` is missed ("may be missed").':
    ({ lifecycle }) => {
      endsOne(lifecycle, 6, 7)
      lifecycle.announces = (cause) => cause !== 'service'
    },
  'timers-in-whole-seconds §4.1: Timers of automatic closure count whole seconds of the clock (their unit is a second).':
    remembering(() => {
      const whole = (seconds: number): number => {
        const now = Date.now()
        return seconds === 0 ? 0 : Math.floor(now / 1000 + seconds) * 1000 - now
      }
      return [
        set('lifecycle.idleMs', ({ idleSeconds }) => whole(idleSeconds)),
        set('lifecycle.disconnectedMs', ({ disconnectedSeconds }) => whole(disconnectedSeconds)),
      ]
    }),
})
