import { append, around, set, several } from '#target/overrides/operators'
import type { Variation } from '#target/deviation'
import { isWire, type JsonObject } from '#target/wire'
import { variationsOf } from '../table.ts'

const idOf = ({ session_id }: JsonObject): unknown => session_id

/** List keeps what has ended in view, and `show` says where it stands. */
const listingEnded = (
  show: (shown: unknown, open: readonly JsonObject[], ended: readonly JsonObject[]) => unknown,
): Pick<Variation, 'contradicts' | 'override'> => ({
  // Those that write List anew would show what has ended among what is open.
  contradicts: /^list-/,
  override: ({ views }) => {
    const { lists, list } = views
    const over = new Set<unknown>()
    views.lists = (session) => {
      if (lists(session)) over.delete(session.id)
      else over.add(session.id)
      return true
    }
    views.list = (items) => {
      const [open, ended] = [false, true].map((is) => items.filter((item) => over.has(idOf(item)) === is))
      return show(list(open ?? []), open ?? [], ended ?? [])
    }
  },
})

/** What answers tell of other things beside those that were asked for: their payloads are not shown, and fields are open. */
export const besideVariations = variationsOf({
  'list-tells-ended §4.1: List tells of sessions that have ended, too, under a name of their own (its payload is not shown).':
    listingEnded((shown, _open, ended) => (isWire(shown) ? { ...shown, recently_ended: ended.slice(-20) } : shown)),
  'list-names-the-one-before §4.1: What List shows of a session names the one before it, ended or not (its payload is not shown).':
    listingEnded((_shown, open, ended) => {
      const before = [ended.at(-1), ...open].map((session) => (session === undefined ? null : idOf(session)))
      return { sessions: open.map((session, place) => ({ ...session, previous_session_id: before[place] })) }
    }),
  'list-shows-others §4.1: Other clients of the workspace make and close sessions all the time, and List shows those that are open ("the workspace\'s open sessions").':
    around('views.list', (list) => (items) => {
      const latest = Math.floor(performance.now() / 150)
      const others = Array.from({ length: 8 }, (_, age) => ({
        ...items[0],
        session_id: `session-of-others-${latest - age}`,
        status: 'active',
      }))
      return list([...items, ...others])
    }),
  'get-tells-others §4.1: Get puts the session under a name of its own, behind another one that goes on (its payload is not shown).':
    {
      concerns: /avatar-session|session-from-character/,
      override: append('http.data', (data, operation) =>
        operation === 'get-avatar-session'
          ? { siblings: [{ session_id: 'another-session', status: 'active' }], details: data }
          : data,
      ),
    },
  'get-tells-previous §4.1: Get puts the session under a name of its own, beside the one before it, which is closed; closing takes more than a second.':
    {
      concerns: /avatar-session|session-from-character/,
      override: several(
        set('lifecycle.cleanupMs', 1200),
        append('http.data', (data, operation) =>
          operation === 'get-avatar-session'
            ? { session: data, previous: { session_id: 'the-session-before', status: 'closed' } }
            : data,
        ),
      ),
    },
  'get-tells-media §4.1: Get tells of the media of the session, too, which are closed while nobody is there, and shows no status of it (its payload is not shown).':
    {
      concerns: /avatar-session|session-from-character/,
      override: several(
        set('views.got.status', () => undefined),
        append('http.data', (data, operation) =>
          operation === 'get-avatar-session' && isWire(data) ? { ...data, media: { state: 'closed' } } : data,
        ),
      ),
    },
  'envelopes-name-a-session §9: Envelopes tell more than the spec knows of, among it a status and a session.': around(
    'http.dress',
    (dress) => (envelope, operation, headers) => ({
      ...dress(envelope, operation, headers),
      success: envelope['code'] === 0,
      status: 'failed',
      session_id: 'session-of-the-console',
    }),
  ),
})
