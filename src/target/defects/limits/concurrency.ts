import type { Override } from '#target/behaviour/behaviour'
import type { ErrorCode } from '#target/behaviour/codes'
import { around, remembering, set, several } from '#target/overrides/operators'
import type { Session } from '#target/sessions/session'
import { isOpen } from '#target/worlds/worlds'
import { isStarted, START } from '../tools/characters.ts'
import { CREATE, LITE, makes } from '../tools/creates.ts'
import { isInVideo } from '../tools/modes.ts'
import { defectsOf } from '../tools/table.ts'
import { unshown } from '../tools/unshown.ts'

/** Such a create takes a place of the cap: places are counted before the platform is asked. */
const leaks = (code: ErrorCode, operation: string): Override =>
  several(
    set('quota.leaks', (refused, by) => refused === code && by === operation),
    set('create.order', ['billing', 'permission', 'validation', 'idempotency', 'concurrency', 'capacity']),
  )

export const concurrencyDefects = defectsOf('limits.concurrency', {
  'character-sessions-count: Sessions from characters take no slot.': around(
    'quota.holds',
    (holds) => (session) => holds(session) && !isStarted(session),
  ),
  'character-sessions-count~start: The cap does not hold for a start.': set(
    'create.skips',
    (operation, step) => operation === START && step === 'concurrency',
  ),
  'character-sessions-count~deleted: Sessions whose character was deleted take no slot.': remembering(() => {
    const gone = new Set<string | undefined>()
    return [
      around('characters.deleted', (deleted) => (character) => {
        gone.add(character.id)
        deleted(character)
      }),
      around(
        'quota.holds',
        (holds) => (session) => holds(session) && !(isStarted(session) && gone.has(session.plan.characterId)),
      ),
    ]
  }),
  'refused-create-makes-nothing: A create over the cap makes its session.': set(
    'create.makesRefused',
    (code) => code === '30006',
  ),
  'refused-create-makes-nothing~start: A start that is refused with 30006 makes its session.': makes('30006', START),
  'refused-create-holds-nothing: An invalid create takes a slot.': set('quota.leaks', (code) => code === '30004'),
  'refused-create-holds-nothing~30008: A create that is refused with 30008 takes a place of the cap.': leaks(
    '30008',
    CREATE,
  ),
  'refused-create-holds-nothing~start-30008: A start that is refused with 30008 takes a place of the cap.': leaks(
    '30008',
    START,
  ),
  'refused-create-holds-nothing~30006: A create that is refused with 30006 takes a place of the cap.': leaks(
    '30006',
    CREATE,
  ),
  'refused-create-holds-nothing~start-30006: A start that is refused with 30006 takes a place of the cap.': leaks(
    '30006',
    START,
  ),
  'refused-create-holds-nothing~start-30004: A start that is refused with 30004 takes a place of the cap.': leaks(
    '30004',
    START,
  ),
  'refused-create-holds-nothing~start-30004-session: A start that is refused with 30004 makes its session.': makes(
    '30004',
    START,
  ),
  'refused-create-holds-nothing~unknown-character: A start that is refused with 20005 takes a slot for good.': set(
    'quota.leaks',
    (code) => code === '20005',
  ),
  'exceeding-refused: The cap is not enforced.': set('quota.admits', () => true),
  'exceeding-refused~unshown: The cap is not enforced, and Get tells no status.': [
    set('quota.admits', () => true),
    ...unshown,
  ],
  'exceeding-refused~lite: Sessions of the lite model are not counted.': around(
    'quota.holds',
    (holds) => (session) => session.plan.model !== LITE && holds(session),
  ),
  'exceeding-refused~closed-twice: A session that is closed twice frees two places.': remembering(() => {
    const freed = new Map<string, number>()
    return [
      around('lifecycle.alsoCloses', (alsoCloses) => (session, all) => {
        const { workspace } = session.account
        if (session.status !== 'active') freed.set(workspace, (freed.get(workspace) ?? 0) + 1)
        return alsoCloses(session, all)
      }),
      around(
        'quota.cap',
        (cap) => (account, configured) => cap(account, configured) + (freed.get(account.workspace) ?? 0),
      ),
    ]
  }),
  'full-told-by-30006~fails: Every create in a full workspace fails.': set('quota.exceeded', () => {
    throw new Error('no place')
  }),
  'full-told-by-30006: A full workspace is told by 30008.': set('quota.exceeded', () => '30008'),
  'volley-within-cap: Creates in flight are not counted.': [
    set('quota.countsInFlight', false),
    set('create.allocationMs', 120),
  ],
  'volley-within-cap~gap: Between the counting of places and the taking of one a create leaves 5 ms.': [
    set('quota.countsInFlight', false),
    set('create.allocationMs', 5),
  ],
  'slot-free-when-closed: A closed session keeps its slot.': set('quota.holds', () => true),
  'slot-free-when-closed~repeated: A create that was repeated takes a second slot, which no close frees.': remembering(
    () => {
      const lost = new Map<string, number>()
      return [
        around('views.replayed.session_id', (id) => (session: Session, address) => {
          const { workspace } = session.account
          lost.set(workspace, (lost.get(workspace) ?? 0) + 1)
          return id?.(session, address)
        }),
        around(
          'quota.cap',
          (cap) => (account, configured) => cap(account, configured) - (lost.get(account.workspace) ?? 0),
        ),
      ]
    },
  ),
  'slot-free-when-closed~connected: A session that somebody was connected to keeps its slot.': ({ quota }) => {
    const { holds } = quota
    quota.holds = (session) => holds(session) || session.everConnected
  },
  'slot-free-when-closed~expired: A session that ended by itself keeps its slot.': ({ lifecycle, quota }) => {
    const { holds } = quota
    quota.holds = (session) =>
      holds(session) || (session.closeReason !== undefined && session.closeReason !== lifecycle.reasons.request)
  },
  'video-sessions-count: Video sessions take no slot.': set(
    'quota.holds',
    ({ status, plan }) => status === 'active' && !isInVideo(plan),
  ),
  'video-sessions-count~unshown: Video sessions take no slot, and Get tells no status.': [
    set('quota.holds', ({ status, plan }) => status === 'active' && !isInVideo(plan)),
    ...unshown,
  ],
  'text-chat-sessions-count: Text chats take no slot.': set(
    'quota.holds',
    ({ status, plan }) => status === 'active' && plan.state.mode !== 'text_chat',
  ),
  'world-sessions-take-no-place: An open world session takes a slot.': set('quota.holdsWorld', isOpen),
  'shared-by-keys~unshown: Each key has a cap of its own, and Get tells no status.': [
    set('quota.scope', (account) => account.secret),
    ...unshown,
  ],
  'shared-by-keys: Each key has a cap of its own.': set('quota.scope', (account) => account.secret),
})
