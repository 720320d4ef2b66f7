import { around, remembering, set, several } from '#target/overrides/operators'
import type { Override } from '#target/behaviour/behaviour'
import { everyNthOf } from '../every-nth.ts'
import { variationsOf } from '../table.ts'

/** One session in so many is asked to connect anew before its event of this number; the session lives on. */
function moves(times: number, event: number, code: number): Override {
  return remembering(() => {
    const isChosen = everyNthOf(times, 0)
    return [
      set('channel.moveCode', code),
      set('channel.movesBefore', (session) => isChosen(session) && session.tally.sent === event),
    ]
  })
}

/** Whether a connection is the first one of its session. */
function firsts(): (connection: object, session: object) => boolean {
  const known = new WeakMap<object, object>()
  return (connection, session) => {
    const first = known.get(session) ?? connection
    known.set(session, first)
    return first === connection
  }
}

/** Each connection has a queue of its own, and that of the first one takes so long for an event: what is behind it waits. */
function queues(ms: number): Override {
  return remembering(() => {
    const isFirst = firsts()
    const free = new WeakMap<object, number>()
    return [
      set('channel.lagMs', (connection, session) => {
        if (!isFirst(connection, session)) return 0
        const now = performance.now()
        const next = Math.max(free.get(connection) ?? 0, now) + ms
        free.set(connection, next)
        return next - now
      }),
    ]
  })
}

/** Connections after the first one of a session are behind by so much. */
function lags(ms: number): Override {
  return remembering(() => {
    const isFirst = firsts()
    return [set('channel.lagMs', (connection, session) => (isFirst(connection, session) ? 0 : ms))]
  })
}

/** How connections begin, carry and end, where the interface leaves it open. */
export const connectionVariations = variationsOf({
  'connections-moved-at-times §5: The connection of one session in seven is closed before its fifth event with 1012, and the session lives on ("reconnecting with it in the same session is allowed").':
    moves(7, 5, 1012),
  'connections-moved-later-at-times §5: The connection of one session in five is closed before its 14th event with 1001, and the session lives on.':
    moves(5, 14, 1001),
  'connections-dropped-at-times §5: The connection of one session in seven is closed before its fourth event with 1011, and the session lives on (nothing says how long a connection lasts).':
    moves(7, 4, 1011),
  'connections-dropped-later-at-times §5: The connection of one session in five is closed before its ninth event with a code of the service, and the session lives on.':
    moves(5, 9, 4008),
  'connections-linger §6.2: Connections stay open for a second and a half behind `session.closed` ("attempted before remaining control connections are disconnected").':
    set('lifecycle.lingerMs', 1500),
  'connections-break-at-closure §6.2: The connections of a session that closes break without a close of their own.':
    set('lifecycle.breaks', true),
  'closed-told-first §6.2: `session.closed` comes before the ends of what the closure cuts.': set(
    'lifecycle.closeOrder',
    ['session.closed', 'pending', 'response', 'update', 'disconnect'],
  ),
  'secrets-read-as-numbers §5: A secret of small letters and figures is a number to the base of 16, and opens its session in capitals as well.':
    several(
      set('ids.secret', (random) => random.hex(40)),
      around(
        'channel.admission.token-wrong',
        (wrong) => (attempt) => wrong({ ...attempt, token: attempt.token?.toLowerCase() }),
      ),
    ),
  'secrets-read-as-bytes §5: A secret is twenty-four bytes in base64, and a letter behind them that makes no byte says nothing.':
    several(
      set('ids.secret', (random) => Buffer.from(random.hex(48), 'hex').toString('base64url')),
      around(
        'channel.admission.token-wrong',
        (wrong) => (attempt) =>
          wrong({
            ...attempt,
            token: attempt.token && Buffer.from(attempt.token, 'base64url').toString('base64url'),
          }),
      ),
    ),
  'upgrades-slow §5: An upgrade takes seven tenths of a second (no time is promised).': set('channel.upgradeMs', 700),
  'messages-in-fragments §4.4: Messages come in fragments of 37 bytes, which cut through letters.': set(
    'channel.fragmentBytes',
    37,
  ),
  'first-connections-queue §6.2: The first connection of a session has a queue that takes 60 ms for each event, while the others hear at once, and deltas come faster than that (no time is promised, and no order across connections).':
    several(
      queues(60),
      around('pace.deltaMs', () => 4),
    ),
  'later-connections-lag §6.2: A connection that is not the first of its session hears everything nine tenths of a second later than the first one does.':
    lags(900),
  'events-in-bunches §6.2: Events are gathered for a quarter of a second and come together (no time is promised).':
    several(set('lifecycle.lingerMs', 300), set('channel.bunchMs', 250)),
})
