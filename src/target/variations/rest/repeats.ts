import { around, set, several } from '#target/overrides/operators'
import { Refusal } from '#target/refusal'
import type { Override } from '#target/behaviour/behaviour'
import type { ErrorCode } from '#target/behaviour/codes'
import type { SessionStatus } from '#target/sessions/session'
import { everyNth } from '../every-nth.ts'
import { atTimes } from '../failing.ts'
import { variationsOf } from '../table.ts'

/** What repeats the create of a session in one of these states is refused. */
const refusing = (code: ErrorCode, states: readonly SessionStatus[]): Override =>
  around('idempotency.returns', (returns) => (status, session) => {
    if (states.includes(status)) throw new Refusal(code, 'the session of this key is over')
    return returns(status, session)
  })

const saves = /^(?:create|replace|delete)-character$/u

/** What becomes of a request that is sent again, or too soon. */
export const repeatVariations = variationsOf({
  'repeats-of-closed-not-found §7: A create that is repeated when its session is closed is told that there is none any more ("avatar session id unknown").':
    refusing('20005', ['closed']),
  'repeats-of-ended-invalid §7: A create that is repeated when its session closes, is closed or has failed is invalid (no duplicate is made).':
    refusing('30004', ['closing', 'closed', 'failed']),
  'repeats-tell-so §9: A repeated create says so, and tells the status that the session had at first.': several(
    set('views.replayed.idempotent_replay', () => true),
    set('views.replayed.status_at_creation', () => 'active'),
  ),
  'creates-fail-when-done-at-times §7: Every 6th create of a session fails with a 5xx when its session is there, which its key leads to ("does not allocate a duplicate session").':
    atTimes('after', 6, /^create-(?:avatar-session|session-from-character)$/u),
  'world-creates-fail-when-done-at-times §7: Every 5th create of a world session fails with a 5xx when its session is there, which its key leads to.':
    atTimes('after', 5, /^create-world-session$/u),
  'uploads-fail-when-done-at-times §7: Every 5th upload or clone fails with a 5xx when its file or voice is there.':
    atTimes('after', 5, /^(?:upload-audio|clone-voice)$/u),
  'secrets-fail-when-done-at-times §7: Every 3rd request for fresh secrets fails with a 5xx when they were made.':
    atTimes('after', 3, /^create-client-secret$/u),
  'saves-take-turns §4.2: Saves are carried out one after another, each in a quarter of a second (no time is promised).':
    around('http.holdsMs', (holds) => {
      let free = 0
      return (operation) => {
        if (!saves.test(operation)) return holds(operation)
        const now = Date.now()
        free = Math.max(free, now) + 250
        return holds(operation) + free - now
      }
    }),
  'reads-fail-twice-at-times §7: Every 25th Get or List fails with a 5xx, and so does the one after it ("on 429, 5xx or timeout, retry").':
    around('http.failsInside', (fails) => {
      const chosen = everyNth(25, 0)
      let again = false
      return (operation) => {
        if (!/^(?:get|list)-/u.test(operation)) return fails(operation)
        const failsNow = again || chosen()
        again = failsNow && !again
        return failsNow ? 'before' : fails(operation)
      }
    }),
})
