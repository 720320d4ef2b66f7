import { append, around, remembering, set, several } from '#target/overrides/operators'
import { connectionsAtMost } from '#target/overrides/admission'
import { memory } from '#target/overrides/memory'
import { isWire, type JsonObject } from '#target/wire'
import { variationsOf } from '../table.ts'

/** Events of a kindred interface that tell the same once more. */
function kindred(event: JsonObject): JsonObject[] {
  const { type, response_id, item_id, item, response } = event
  if (type === 'response.output_text.delta')
    return [{ type: 'response.audio_transcript.delta', response_id, item_id, delta: event['delta'] }]
  if (type === 'response.output_text.done')
    return [{ type: 'response.content_part.done', response_id, item_id, part: { type: 'text', text: event['text'] } }]
  if (type === 'conversation.item.created') return [{ type: 'conversation.item.added', item }]
  if (type === 'response.output_item.done') return [{ type: 'conversation.item.done', item }]
  if (type === 'response.created') return [{ type: 'response.queued', response }]
  return type === 'response.done' ? [{ type: 'response.finished', response }] : []
}

/** How messages and connections come and go, where the interface leaves it open. */
export const channelTravelVariations = variationsOf({
  'events-with-blanks §4.4: Events begin and end with blanks and empty lines, as JSON allows.': around(
    'channel.encode',
    (encode) => (event) => `\r\n\t ${encode(event)} \n\n`,
  ),
  'pongs-unasked §4.4: The server sends pongs that nobody asked for, and pings with as many bytes as they may hold.':
    several(
      set('channel.pingMs', 60),
      set('channel.beat', (socket) => {
        socket.pong('still here')
        socket.ping('x'.repeat(125))
      }),
    ),
  'fragments-empty §4.4: Messages come in fragments of 200 bytes, with empty ones between them and at their end.':
    several(set('channel.fragmentBytes', 200), set('channel.emptyFragments', true)),
  'closing-without-code §6.2: Connections of a session that closes end without a code.': set(
    'lifecycle.closeCode',
    undefined,
  ),
  'connections-at-most-two §5: A third connection is refused while two are open ("reconnecting with it in the same session is allowed").':
    connectionsAtMost(2),
  'connections-end-when-quiet §5: A connection on which the client says nothing for five seconds is closed with 1001, and the session lives on (nothing says how long a connection lasts).':
    set('channel.quietMs', 5000),
  'responses-follow-new-connections §6.2: What comes of a response is told to the newest connection alone, if that came after its `response.created` (whether events reach one connection or all is not said).':
    remembering(() => {
      let told: unknown
      const began = memory(() => ({ connections: new Set<unknown>() }))
      return [
        append('outgoing', (event, session) => {
          told = event['type']
          if (told === 'response.created') began(session).connections = new Set(session.connections)
          return [event]
        }),
        around('channel.listeners', (listeners) => (session, all) => {
          const newest = [...session.connections].findLast((one) => !began(session).connections.has(one))
          if (newest === undefined || !/^response\.(?!created$)/u.test(String(told))) return listeners(session, all)
          return [{ ...session, connections: new Set([newest]) }]
        }),
      ]
    }),
  'reconnects-told-history §6.2: A connection that is not the first of its session is told of the items that there are (what is "not retained or replayed" is said of one event only).':
    set('extras.greeting', ({ items, everConnected }) =>
      everConnected
        ? items.map((item, index) => ({
            type: 'conversation.item.created',
            previous_item_id: items[index - 1]?.['id'] ?? null,
            item,
          }))
        : [],
    ),
  'conversations-begin-with-an-item §4.4: A conversation begins with an item of the service (that it is empty is not said).':
    around('channel.onConnect', (onConnect) => (session) => {
      if (!session.everConnected)
        session.items.push({
          id: 'item_rules',
          type: 'message',
          status: 'completed',
          role: 'system',
          content: [{ type: 'input_text', text: 'Be kind.' }],
        })
      onConnect(session)
    }),
  'events-of-a-kindred-interface §9: What events tell is told once more by events that the spec does not know, with the same ids.':
    append('outgoing', (event) => [
      event,
      ...kindred(event).map((one) => ({ event_id: `${String(event['event_id'])}_k`, ...one })),
    ]),
  'user-speech-kept §6.2: A user is heard speaking, and what was said becomes an item of the conversation.': several(
    set('extras.userSpeech', { afterMs: 50, transcript: 'Can you hear me?', fails: false }),
    remembering(() => {
      const heard = memory(() => new Set<unknown>())
      return append('outgoing', (event, session) => {
        const { type, item_id: id } = event
        if (type !== 'input_audio.speech_stopped' || heard(session).has(id)) return [event]
        heard(session).add(id)
        const item = {
          id,
          type: 'message',
          status: 'completed',
          role: 'user',
          content: [{ type: 'input_audio', transcript: 'Can you hear me?' }],
        }
        const previous = session.items.at(-1)
        session.items.push(item)
        const told = {
          event_id: `${String(event['event_id'])}_item`,
          type: 'conversation.item.created',
          previous_item_id: isWire(previous) ? previous['id'] : null,
          item,
        }
        return [event, told]
      })
    }),
  ),
})
