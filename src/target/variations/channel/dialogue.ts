import { memory } from '#target/overrides/memory'
import { append, around, remembering, set, several } from '#target/overrides/operators'
import { onCalls, onEvent, onItems } from '#target/overrides/events'
import type { Override } from '#target/behaviour/behaviour'
import type { Session } from '#target/sessions/session'
import { isWire, type JsonObject, objectAt, objectsAt, textOf, without } from '#target/wire'
import { everyNth } from '../every-nth.ts'
import { variationsOf } from '../table.ts'

/** Changes the parts of messages of a role. */
const onParts = (role: string, make: (part: JsonObject) => JsonObject[]): Override =>
  onItems((item) =>
    item['type'] === 'message' && item['role'] === role
      ? { ...item, content: objectsAt(item, 'content').flatMap(make) }
      : item,
  )

/** What confirms a create, a retrieve or a delete of the client. */
const isConfirmed = (event: JsonObject): boolean =>
  /^conversation\.item\.(retrieved|deleted)$/.test(String(event['type'])) ||
  (event['type'] === 'conversation.item.created' && objectAt(event, 'item')['status'] === 'completed')

/** A text in two parts, of which one may be a single character. */
function inTwo(part: JsonObject): JsonObject[] {
  const characters = Array.from(textOf(part['text']) ?? '')
  if (part['type'] !== 'text' || characters.length < 2) return [part]
  const middle = Math.ceil(characters.length / 3)
  const texts = [characters.slice(0, middle), characters.slice(middle)]
  return texts.map((text) => ({ ...part, text: text.join('') }))
}

/** Text that was generated stands in two parts; what a client wrote stays as it is. */
const inParts: Override = remembering(() => {
  const generated = memory(() => new Set<unknown>())
  return several(
    append('outgoing', (event, session) => {
      if (event['response_id'] !== undefined) generated(session).add(event['item_id'] ?? objectAt(event, 'item')['id'])
      return [event]
    }),
    onItems((item, session) =>
      item['type'] === 'message' && generated(session).has(item['id'])
        ? { ...item, content: objectsAt(item, 'content').flatMap(inTwo) }
        : item,
    ),
  )
})

/** Events are numbered in each session; what a client named keeps its name. */
const counted: Override = remembering(() => {
  const counts = memory(() => ({ events: 0 }))
  return append('outgoing', (event, session) => {
    if (event['type'] === 'session.updated') return [event]
    const count = counts(session)
    count.events += 1
    return [{ ...event, event_id: String(count.events) }]
  })
})

/** Responses are numbered in each session, so that those of two sessions have the same ids. */
const countedResponses: Override = remembering(() => {
  const known = memory(() => new Map<unknown, string>())
  const numbered = (id: unknown, session: Session): string => {
    const ids = known(session)
    const number = ids.get(id) ?? String(ids.size + 1)
    ids.set(id, number)
    return number
  }
  return append('outgoing', (event, session) => {
    const { response, response_id: id } = event
    if (id !== undefined) return [{ ...event, response_id: numbered(id, session) }]
    if (!isWire(response) || response['id'] === undefined) return [event]
    return [{ ...event, response: { ...response, id: numbered(response['id'], session) } }]
  })
})

/** Arrays of all that is registered, whenever it was. */
const allAssets = (event: JsonObject, { assets }: Session): JsonObject => ({
  ...event,
  assets: {
    ...objectAt(event, 'assets'),
    ...Object.fromEntries(Object.entries(assets).map(([kind, store]) => [kind, [...store.values()]])),
  },
})

const scripts = 'Zażółć 👩‍👩‍👧‍👦 gęślą 🇮🇸 jaźń.\n\tمرحبا بالعالم\u200F — "z̤̈a̐l̃g̈o" <b>&amp;</b> {"a": [1]} \u2028 𝒳.'

/** How a conversation is told, where the interface leaves it open. */
export const dialogueVariations = variationsOf({
  'content-in-parts §2.9: The text of an assistant stands in two parts of its content.': inParts,
  'output-index-from-one §6.2: Output is counted from one (no first index is named).': append('outgoing', (event) => {
    const { output_index: index } = event
    return [typeof index === 'number' ? { ...event, output_index: index + 1 } : event]
  }),
  'event-ids-counted §6: The events of a session are numbered from one.': counted,
  'response-ids-counted §2.10: The responses of a session are numbered from one.': countedResponses,
  'connections-greeted §6: A fresh connection is greeted by events that the spec does not know, one of them with a session.':
    set('extras.greeting', ({ id }) => [
      { type: 'session.created', session: { id, object: 'realtime.session' } },
      { type: 'rate_limits.updated', rate_limits: [{ name: 'responses', remaining: 100 }] },
    ]),
  'deltas-uneven §6.2: Most of a text comes in the first delta, and the rest a character at a time.': set(
    'pace.split',
    (text) => {
      const characters = Array.from(text)
      const most = Math.max(1, characters.length - 12)
      return [characters.slice(0, most).join(''), ...characters.slice(most)]
    },
  ),
  'replies-in-many-scripts §6.2: A reply has words of many scripts, markup, control characters and joined emoji.':
    around('generation.reply', (reply) => (facts) => `${scripts} ${reply(facts)} ${scripts}`),
  'replies-without-words §2.10: Every seventh reply of the model is empty, and completes.': remembering(() => {
    const isEmpty = everyNth(7, 0)
    return around('generation.reply', (reply) => (facts) => (isEmpty() ? '' : reply(facts)))
  }),
  'item-confirmations-late §6.2: Items of a user are confirmed almost half a second late, and what is generated meanwhile is told in time.':
    around('channel.delayMs', (delay) => (event) => {
      const isOfUser = event['type'] === 'conversation.item.created' && objectAt(event, 'item')['role'] === 'user'
      return delay(event) + (isOfUser ? 400 : 0)
    }),
  'item-confirmations-cross §6.2: Confirmations of items come an eighth, or a quarter, of a second late in turn, and so out of order (no order is promised).':
    remembering(() => {
      const turn = { count: 0 }
      return around('channel.delayMs', (delay) => (event) => {
        if (!isConfirmed(event)) return delay(event)
        turn.count += 1
        return delay(event) + 125 * (turn.count % 3)
      })
    }),
  'audio-plays-long §3.4: Scripted audio takes three seconds, whatever its bytes.': set('pace.audioMs', () => 3_000),
  'updates-take-seconds §3.5: An update takes almost two seconds to complete.': set('update.settleMs', 1_800),
  'transport-told-alone §6.2: Every update in video names the transport, mostly without its details (both are optional).':
    onEvent('session.updated', (event, { state, media }) =>
      state.mode === 'video_avatar' ? { media_transport: media['transport'], ...event } : event,
    ),
  'update-reasons-always §6.2: The end of an update has a reason, whatever its status (`reason` is optional).': onEvent(
    'session.update.done',
    (event) => ({ reason: 'applied', ...event }),
  ),
  'opening-cancelled §6.2: The opening is cancelled for an unfamiliar reason, and each connection learns of it.': set(
    'extras.opening',
    { status: 'cancelled', reason: 'nobody_listens' },
  ),
  'additions-told-whole §6.2: `asset.added` shows all assets that are registered ("arrays of the registered assets").':
    onEvent('asset.added', allAssets),
  'call-ids-missing §2.9: A function call has no `call_id` (it is optional there).': {
    warns: ['control-channel.output-item-done.function-call-call-id'],
    override: onCalls((item) => without(item, 'call_id')),
  },
  'call-arguments-indented §2.9: Arguments of a function call are indented JSON.': onCalls((item) => ({
    ...item,
    arguments: `${JSON.stringify(JSON.parse(String(item['arguments'])), null, 2)}\n`,
  })),
  'tokens-capped §2.10: No response has more than 4,096 tokens, and says so where more are asked for.': around(
    'responses.maxOutputTokens',
    (maximum) =>
      (...facts) => {
        const asked = maximum(...facts)
        return asked === 'inf' ? 4096 : Math.min(asked, 4096)
      },
  ),
  'cut-without-details §2.10: A cut response has no details of its status.': set('responses.cutDetails', () => null),
  'audio-transcribed §2.9: Audio of a user comes back with a transcript.': onParts('user', (part) => [
    part['type'] === 'input_audio' ? { transcript: 'Hello there.', ...part } : part,
  ]),
  'image-details-filled §2.9: An image of a user comes back with its level of detail.': onParts('user', (part) => [
    part['type'] === 'input_image' ? { detail: 'auto', ...part } : part,
  ]),
  'messages-bounded §4.4: A message of more than half a megabyte ends its connection.': set(
    'channel.maxFrameBytes',
    512 * 1024,
  ),
  'closing-with-own-code §6.2: Connections of a session that closes end with a code of the service.': set(
    'lifecycle.closeCode',
    4001,
  ),
})
