import { onData } from '#target/overrides/data'
import { append, around, remembering, set } from '#target/overrides/operators'
import type { Session } from '#target/sessions/session'
import { type JsonObject, isWire, objectsAt, without } from '#target/wire'
import { variationsOf } from '../table.ts'

const GET = 'get-avatar-session'
const LIST = 'list-avatar-sessions'
const CLOSE = 'close-avatar-session'

const isOver = (shown: JsonObject): boolean => shown['status'] === 'closed' || shown['status'] === 'failed'

const isTimed = ({ closeReason }: Session): boolean => closeReason !== undefined && closeReason !== 'client_request'

/** What Get, List and Close of avatar sessions show: their payloads are not shown. */
export const lookVariations = variationsOf({
  'get-in-a-list §4.1: Get answers with a list that holds the session (its payload is not shown).': onData(
    GET,
    (shown) => [shown],
  ),
  'get-status-alone §4.1: The data of Get is the status of the session and nothing else (its payload is not shown).':
    append('http.data', (shown, operation) => (operation === GET && isWire(shown) ? shown['status'] : shown)),
  'get-status-as-object §4.1: The status that Get shows is an object with a name and a time (its payload is not shown).':
    onData(GET, (shown) => ({ ...shown, status: { name: shown['status'], since: shown['created_at'] } })),
  'get-status-in-capitals §4.1: Get shows the status under a name of its own, in capitals (its payload is not shown).':
    onData(GET, (shown) => ({ ...without(shown, 'status'), state: String(shown['status']).toUpperCase() })),
  'get-tells-whether-open §4.1: Get tells whether the session is open, and no status (its payload is not shown).':
    onData(GET, (shown) => ({ ...without(shown, 'status'), open: shown['status'] === 'active' })),
  'get-ended-shows-nothing §4.1: Get of a session that has ended answers with success and null (its payload is not shown).':
    append('http.data', (shown, operation) => (operation === GET && isWire(shown) && isOver(shown) ? null : shown)),
  'get-ended-shows-its-id §4.1: Get of a session that has ended shows its id alone (its payload is not shown).': onData(
    GET,
    (shown) => (isOver(shown) ? { session_id: shown['session_id'] } : shown),
  ),
  'close-says-true §4.1: The data of Close is true (its payload is not shown).': append(
    'http.data',
    (shown, operation) => (operation === CLOSE ? true : shown),
  ),
  'list-ids-in-one-text §4.1: List answers with the ids in one text, a line for each (its payload is not shown).':
    append('http.data', (shown, operation) =>
      operation === LIST && isWire(shown)
        ? objectsAt(shown, 'sessions')
            .map((one) => String(one['session_id']))
            .join('\n')
        : shown,
    ),
  'list-addresses §4.1: List shows the sessions by their addresses (its payload is not shown).': onData(
    LIST,
    (shown) => ({
      sessions: objectsAt(shown, 'sessions').map((one) => ({
        href: `/v1/realtime-avatar/sessions/${encodeURIComponent(String(one['session_id']))}`,
      })),
    }),
  ),
  'list-in-groups §4.1: List shows the sessions in groups by model, deep inside (its payload is not shown).': onData(
    LIST,
    (shown) => ({
      page: {
        groups: ['svc-a1-stream', 'svc-a1-stream-lite'].map((model) => ({
          model,
          members: objectsAt(shown, 'sessions')
            .filter((one) => one['model'] === model)
            .map((session) => ({ session })),
        })),
      },
    }),
  ),
  'list-counts-without-paging §4.1: List tells how many sessions there are of each status, the open ones and those of the last hour (its payload is not shown).':
    onData(LIST, (shown) => ({ ...shown, counts: { active: objectsAt(shown, 'sessions').length, closed: 17 } })),
  'ended-by-timers-become-failed §3.1: A session that a timer or its duration ended is `failed` in the end ("Transitions … into `failed`": not shown).':
    ({ views }) => {
      const { status } = views.got
      views.got['status'] = (session, control) =>
        isTimed(session) && session.status === 'closed' ? 'failed' : status?.(session, control)
    },
  'cleanup-takes-five-seconds §3.1: A cleanup takes five seconds ("use a bounded timeout").': set(
    'lifecycle.cleanupMs',
    5000,
  ),
  'cap-breathes §8: Every other ten seconds a workspace may have one open session less (the value of the cap is not shown).':
    remembering(() => {
      const began = Date.now()
      return around('quota.cap', (cap) => (account, configured) => {
        const usual = cap(account, configured)
        return Math.floor((Date.now() - began) / 10_000) % 2 === 1 ? Math.max(1, usual - 1) : usual
      })
    }),
})
