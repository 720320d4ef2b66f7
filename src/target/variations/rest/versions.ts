import { around, remembering, several, set } from '#target/overrides/operators'
import { onData } from '#target/overrides/data'
import { uuid } from '#target/overrides/changes'
import type { Override } from '#target/behaviour/behaviour'
import { objectsAt, type JsonObject } from '#target/wire'
import type { Session } from '#target/sessions/session'
import { everyNth } from '../every-nth.ts'
import { statusAgo } from '../../sessions/status.ts'
import { variationsOf } from '../table.ts'

/** Every other success of an operation is answered by a newer version of the service. */
const everyOther = (operation: string, make: (data: JsonObject) => unknown): Override =>
  remembering(() => {
    const isNewer = everyNth(2, 0)
    return onData(operation, (data) => (isNewer() ? make(data) : data))
  })

const asUuid4 = (hex: string): string => uuid(hex).replace(/^(.{14}).(.{4}).(.*)$/u, '$14$2a$3')

/** While a new version is rolled out, both answer in turn; and so do machines that are not of one mind. */
export const versionVariations = variationsOf({
  'get-of-two-versions §4.1: Every other Get puts the session under a name of its own (its payload is not shown).':
    everyOther('get-avatar-session', (data) => ({ session: data })),
  'get-status-at-times §4.1: Every other Get shows no status (its payload is not shown).': everyOther(
    'get-avatar-session',
    ({ status: _status, ...others }) => others,
  ),
  'get-status-in-two-ways §4.1: Every other Get tells the status as an object, and under another name (its payload is not shown).':
    everyOther('get-avatar-session', ({ status, ...others }) => ({ ...others, state: { name: status } })),
  'close-of-two-versions §4.1: Every other Close answers with null (its payload is not shown).': everyOther(
    'close-avatar-session',
    () => null,
  ),
  'list-of-two-versions §4.1: Every other List is a bare array of ids (its payload is not shown).': everyOther(
    'list-avatar-sessions',
    (data) => ('sessions' in data ? objectsAt(data, 'sessions').map(({ session_id }) => session_id) : data),
  ),
  'list-paged-at-times §4.1: Every other List shows two sessions at most (its payload is not shown).': everyOther(
    'list-avatar-sessions',
    (data) => ('sessions' in data ? { sessions: objectsAt(data, 'sessions').slice(0, 2), has_more: true } : data),
  ),
  'sessions-listed-apart §4.1: Every other List Sessions is answered by a copy that is 1.2 seconds behind (nothing promises read-after-write).':
    remembering(() => {
      const isLate = everyNth(2, 0)
      let late = false
      const isOpen = (session: Session): boolean => {
        const status = late ? statusAgo(session, 1200) : session.status
        return status === 'active' || status === 'closing'
      }
      return [
        set('views.lists', isOpen),
        around('http.failsInside', (fails) => (operation) => {
          if (operation === 'list-avatar-sessions') late = isLate()
          return fails(operation)
        }),
      ]
    }),
  'characters-listed-apart §4.2: Every other List Characters is answered by a copy that is 1.2 seconds behind (nothing promises read-after-write).':
    remembering(() => {
      const isLate = everyNth(2, 0)
      let late = false
      return [
        around(
          'characters.list.lists',
          (lists) => (character) => lists(character) && !(late && Date.now() - character.createdAt < 1200),
        ),
        around('http.failsInside', (fails) => (operation) => {
          if (operation === 'list-characters') late = isLate()
          return fails(operation)
        }),
      ]
    }),
  'failures-of-two-versions §7: Failures have null and a list as data in turn, and messages in two styles (only success is described).':
    remembering(() => {
      const isNewer = everyNth(2, 0)
      return around('http.failure', (failure) => (code, message, operation) => {
        const envelope = failure(code, message, operation)
        if (isNewer()) return { ...envelope, message: message.toUpperCase(), data: [{ reason: message }] }
        return { ...envelope, data: null }
      })
    }),
  'ids-of-two-forms §2.1: Ids of sessions are UUIDs and figures in turn ("Identifier of the session").': remembering(
    () => {
      const isNewer = everyNth(2, 0)
      let count = 7_000_000
      return set('ids.session', (random) => (isNewer() ? String((count += 13)) : uuid(random.hex(32))))
    },
  ),
  'ids-checked-by-version §7: Ids of sessions are UUIDs of version 4, and one of another version is an invalid parameter (no code is named for it).':
    several(
      set('ids.session', (random) => asUuid4(random.hex(32))),
      set('access.unknown', (id) => (/^[0-9a-f]{8}-[0-9a-f]{4}-(?!4[0-9a-f]{3}-[89ab])/u.test(id) ? '20004' : '20005')),
    ),
  'ids-in-order-of-time §2.1: Ids of sessions begin with the time of their creation, as those of version 7 do, and one from the future is an invalid parameter.':
    several(
      set('ids.session', (random) =>
        uuid(`${Date.now().toString(16).padStart(12, '0')}7${random.hex(3)}a${random.hex(15)}`),
      ),
      set('access.unknown', (id) =>
        Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16) > Date.now() + 60_000 ? '20004' : '20005',
      ),
    ),
})
