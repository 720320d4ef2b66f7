import type { Override } from '#target/behaviour/behaviour'
import { around, remembering, set, several } from '#target/overrides/operators'
import { variationsOf } from '../table.ts'

/** How long one create takes, where none begins beside it. */
const alone_ms = 60

/** From one sweep that frees places to the next. */
const sweep_ms = 1_500

const createsSession = (operation: string): boolean => /^create-.*session/u.test(operation)

/** Each create of a session takes so long, and the next one waits for it. */
function inTurns(turn_ms: number): Override {
  return remembering(() => {
    let free = 0
    return around('http.holdsMs', (holds) => (operation) => {
      if (!createsSession(operation)) return holds(operation)
      const now = Date.now()
      free = Math.max(free, now) + turn_ms
      return holds(operation) + free - now
    })
  })
}

/** What happens to a request because of others at the same time. */
export const crowdVariations = variationsOf({
  'creates-take-turns §4.1: Creates of sessions are carried out one after another, each in an eighth of a second (no time is promised).':
    inTurns(120),
  'creates-take-long-turns §4.1: Creates of sessions are carried out one after another, each in half a second (no time is promised).':
    inTurns(500),
  'capacity-lacks-beside-another-create §7: While one create is carried out, capacity lacks for every other ("retry after a short backoff").':
    remembering(() => {
      let since = -Infinity
      return [
        set('create.allocationMs', alone_ms),
        around('create.internalError', (fails) => (count) => {
          since = Date.now()
          return fails(count)
        }),
        around(
          'quota.capacity',
          (lacks) => (state) => lacks(state) ?? (Date.now() - since < alone_ms ? '30008' : undefined),
        ),
      ]
    }),
  'places-freed-by-a-sweep §8: Places of sessions that are over are freed by a sweep, every second and a half.': set(
    'quota.holds',
    ({ status, past, clock }) =>
      status === 'active' ||
      status === 'closing' ||
      Math.floor((past.at(-1)?.since ?? 0) / sweep_ms) === Math.floor(clock() / sweep_ms),
  ),
  'places-counted-before-keys §7: Whether a place is free is looked at before the idempotency key, so that a repeated create is refused in a full workspace.':
    several(
      set('create.order', ['billing', 'permission', 'validation', 'capacity', 'concurrency', 'idempotency']),
      around('quota.cap', (cap) => (account, configured) => Math.min(3, cap(account, configured))),
    ),
  'service-pauses §Conventions: Every ten seconds the service stands still for two seconds, whatever it does (no time is promised).':
    several(
      around('http.holdsMs', (holds) => (operation) => holds(operation) + pauseLeft()),
      around('channel.stallMs', (stalls) => (session) => Math.max(stalls(session), pauseLeft())),
    ),
})

/** What is left of a pause in which the service stands still, in milliseconds. */
function pauseLeft(): number {
  const within = Date.now() % 10_000
  return within < 2_000 ? 2_000 - within : 0
}
