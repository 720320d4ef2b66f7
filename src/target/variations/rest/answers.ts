import { onData } from '#target/overrides/data'
import { around, append, remembering, set } from '#target/overrides/operators'
import type { Override } from '#target/behaviour/behaviour'
import { isWire, type JsonObject, objectAt, objectsAt, textOf } from '#target/wire'
import { everyNth } from '../every-nth.ts'
import { variationsOf } from '../table.ts'

const sessions = /avatar-session|session-from-character/u

/** Changes every answer that shows an avatar session. */
const onSessions = (make: (data: JsonObject) => JsonObject): Override =>
  append('http.data', (data, operation) =>
    sessions.test(operation) && isWire(data) && data['avatars'] !== undefined ? make(data) : data,
  )

const onAvatars = (make: (avatar: JsonObject) => JsonObject): Override =>
  onSessions((data) => ({ ...data, avatars: objectsAt(data, 'avatars').map(make) }))

const onImages = (avatar: JsonObject, make: (images: JsonObject[]) => JsonObject[]): JsonObject => {
  const visual = objectAt(avatar, 'visual')
  if (visual['source_images'] === undefined) return avatar
  return { ...avatar, visual: { ...visual, source_images: make(objectsAt(visual, 'source_images')) } }
}

/** Every so many answers take so many milliseconds. */
const answering = (times: number, ms: number): Override =>
  remembering(() => {
    const isSlow = everyNth(times, 0)
    return ({ http }) =>
      void Object.defineProperty(http, 'answerMs', {
        get: () => (isSlow() ? ms : 0),
        // Another variation beside this one may set its own.
        set: () => {},
      })
  })

/** From one maintenance to the next, in milliseconds. */
const maintenance_ms = 20_000

/** What avatar sessions are answered with, and when, where the interface leaves it open. */
export const answerVariations = variationsOf({
  'answers-out-of-order §Conventions: Every other answer takes a seventh of a second longer.': answering(2, 150),
  'answers-slow-at-times §Conventions: Every fortieth answer takes three seconds (no time is promised).': answering(
    40,
    3_000,
  ),
  'bodies-with-blanks §Conventions: Bodies begin and end with empty lines.': around(
    'http.encode',
    (encode) => (envelope, operation) => `\r\n\t${encode(envelope, operation)}\r\n\r\n`,
  ),
  'avatars-in-another-order §2.1: Avatars come back in another order.': onSessions((data) => ({
    ...data,
    avatars: objectsAt(data, 'avatars').toReversed(),
  })),
  'images-in-another-order §2.3: Source images come back in another order.': onAvatars((avatar) =>
    onImages(avatar, (images) => images.toReversed()),
  ),
  'images-measured §9: Source images tell of their size and state.': onAvatars((avatar) =>
    onImages(avatar, (images) => images.map((image) => ({ ...image, width: 512, height: 512, status: 'ready' }))),
  ),
  'tools-in-another-order §2.5: Tools come back in another order.': onSessions((data) => {
    const conversation = objectAt(data, 'conversation')
    if (conversation['tools'] === undefined) return data
    return { ...data, conversation: { ...conversation, tools: objectsAt(conversation, 'tools').toReversed() } }
  }),
  'assets-always-shown §2.1: Assets are shown where there are none, too.': onSessions((data) => ({
    ...data,
    assets: { audio: [], speech_text: [], visual_prompts: [], ...objectAt(data, 'assets') },
  })),
  'instructions-always-shown §2.3: Instructions that were not given come back empty.': onAvatars((avatar) => ({
    instructions: '',
    ...avatar,
  })),
  'repeats-with-fresh-media §4.1: A repeated create has a fresh signature for joining the room.': ({ views }) => {
    let count = 0
    const { delivery } = views.replayed
    views.replayed['delivery'] = (session, control) => {
      const shown = delivery?.(session, control)
      if (!isWire(shown)) return shown
      count += 1
      const media = objectAt(shown, 'media')
      const fresh = (name: string, field: string): JsonObject =>
        isWire(media[name]) ? { [name]: { ...media[name], [field]: `fresh-signature-${count}` } } : {}
      return { ...shown, media: { ...media, ...fresh('rtc_a', 'user_sig'), ...fresh('rtc_b', 'token') } }
    }
  },
  'region-told-unasked §2.1: A session for which no region was named tells its own.': set(
    'create.region',
    (body) => textOf(body['region']) ?? 'eu-central',
  ),
  'capacity-lacks-at-times §7: Capacity lacks for every ninth create ("retry after a short backoff").': remembering(
    () => {
      const lacks = everyNth(9, 0)
      return around('quota.capacity', (capacity) => (state) => (lacks() ? '30008' : capacity(state)))
    },
  ),
  'capacity-lacks-for-starts §7: Capacity lacks for the first five starts that find the workspace full ("retry after a short backoff").':
    remembering(() => {
      let count = 0
      return around('quota.exceeded', (exceeded) => (operation) => {
        if (operation === 'create-session-from-character') count += 1
        return operation === 'create-session-from-character' && count <= 5 ? '30008' : exceeded(operation)
      })
    }),
  'list-states-own §4.1: List shows its sessions in states of its own (its payload is not shown).': ({ views }) => {
    views.listed = { session_id: ({ id }) => id, state: () => 'live' }
  },
  'maintenance-ends-the-lonely §3.1: Every twenty seconds maintenance ends the sessions to which nobody is connected ("The service may also close a session").':
    (behaviour) => {
      const began = Date.now()
      around('lifecycle.disconnectedMs', (usual) => (policy, session) => {
        const [own, left] = [usual(policy, session), maintenance_ms - ((Date.now() - began) % maintenance_ms)]
        return own > 0 ? Math.min(own, left) : left
      })(behaviour)
    },
  'voices-in-another-order §4.3: Voices are listed in another order each time.': remembering(() => {
    let count = 0
    return onData('list-voices', (data) => {
      count += 1
      const voices = objectsAt(data, 'voices')
      const place = (count * 5) % Math.max(1, voices.length)
      return { ...data, voices: [...voices.slice(place), ...voices.slice(0, place)] }
    })
  }),
  'characters-replaced-slowly §4.2: A replace takes more than half a second (no time is promised).': set(
    'characters.writeMs',
    600,
  ),
  'characters-read-after-replace §4.2: A replace answers with the character as it is read a moment later: another replace may have been there meanwhile.':
    set('characters.readBackMs', 15),
})
