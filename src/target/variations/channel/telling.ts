import { onEvent, splitEvent } from '#target/overrides/events'
import { append, around, remembering, set, several } from '#target/overrides/operators'
import { type JsonObject, isWire, objectAt, objectsAt, textOf } from '#target/wire'
import { everyNth } from '../every-nth.ts'
import { variationsOf } from '../table.ts'

const typeOf = (event: JsonObject): string => String(event['type'])

/** Names that hold those of known events. */
const alike = ['response.done.v2', 'session.closed.soon', 'ERROR', 'error.hint', 'session.update', 'response.create']

/** How and when events are told, where nothing or little is said of it. */
export const tellingVariations = variationsOf({
  'unknown-events-alike §6: Events come between the others whose unknown types hold the names of known ones.':
    remembering(() => {
      let count = 0
      return append('outgoing', (event) => {
        count += 1
        const type = alike[count % alike.length] ?? 'service.hint'
        return [{ event_id: `alike_${count}`, type, error: null, response: null, session_id: null, item: null }, event]
      })
    }),
  'unknown-events-large §6: Every tenth event is followed by one of an unknown type with fifty thousand letters.':
    remembering(() => {
      const isChosen = everyNth(10, 0)
      let count = 0
      return append('outgoing', (event) =>
        isChosen()
          ? [event, { event_id: `large_${(count += 1)}`, type: 'service.preview', image: 'x'.repeat(50_000) }]
          : [event],
      )
    }),
  'error-params-lists §6.2: What an error says of a parameter is a list of pointers (no type is given for `error.param`).':
    onEvent('error', (event) => {
      const error = objectAt(event, 'error')
      return { ...event, error: { ...error, param: [`/${textOf(error['param']) ?? ''}`] } }
    }),
  'errors-told-apart §6.2: Each error is followed by an event of an unknown type that tells the same once more.':
    splitEvent('error', (event) => [
      event,
      { ...event, event_id: `${String(event['event_id'])}_more`, type: 'error.details' },
    ]),
  'closed-told-to-one §6.2: `session.closed` goes to one connection of the session alone ("attempted").': remembering(
    () => {
      let told: unknown
      return [
        append('outgoing', (event) => {
          told = event['type']
          return [event]
        }),
        around(
          'channel.listeners',
          (listeners) => (session, all) =>
            told === 'session.closed'
              ? [{ ...session, connections: new Set([...session.connections].slice(0, 1)) }]
              : listeners(session, all),
        ),
      ]
    },
  ),
  'close-reasons-empty §6.2: The reason of `session.closed` is an empty text.': onEvent('session.closed', (event) => ({
    ...event,
    reason: '',
  })),
  'close-reasons-of-other-places §6.2: The reason of `session.closed` is a sentence in another script, with a line break.':
    onEvent('session.closed', (event) => ({ ...event, reason: 'Сеанс окончен.\n会话已结束 "bye"' })),
  'superseded-told-last §6.2: The end of an update that a newer one replaced is told half a second late, behind all that comes of the newer one.':
    around(
      'channel.delayMs',
      (delay) => (event) =>
        delay(event) + (typeOf(event) === 'session.update.done' && event['status'] === 'cancelled' ? 500 : 0),
    ),
  'updates-told-late §6.2: What comes of an update is told eight tenths of a second late, and everything else at once (no time is promised).':
    around(
      'channel.delayMs',
      (delay) => (event) => delay(event) + (typeOf(event).startsWith('session.update') ? 800 : 0),
    ),
  'additions-told-late §6.2: `asset.added` and `avatar.added` are told nine tenths of a second late, and everything else at once.':
    around('channel.delayMs', (delay) => (event) => delay(event) + (typeOf(event).endsWith('.added') ? 900 : 0)),
  'details-as-they-change §2.10: A response that begins tells what it is about to do, and in the end how long it took (`status_details` is an object).':
    append('outgoing', (event) => {
      const { response } = event
      if (!isWire(response)) return [event]
      const details = isWire(response['status_details']) ? response['status_details'] : {}
      const more = typeOf(event) === 'response.created' ? { phase: 'thinking', eta_ms: 1500 } : { took_ms: 20.5 }
      return [{ ...event, response: { ...response, status_details: { ...details, ...more } } }]
    }),
  'outputs-told-early §2.10: `response.created` shows the item that is to come, in progress and without content ("array of conversation items").':
    append('outgoing', (event, session) => {
      const { response } = event
      const run = session.response
      if (typeOf(event) !== 'response.created' || !isWire(response) || run === undefined || run.id !== response['id'])
        return [event]
      const { call } = run.plan
      if (call !== undefined) return [event]
      const item = { id: run.itemId, type: 'message', status: 'in_progress', role: 'assistant', content: [] }
      return [{ ...event, response: { ...response, output: [item] } }]
    }),
  'items-named-twice §2.9: Each item tells its id under another name, too, and the place where it stands.': several(
    append('outgoing', (event) => {
      const named = (item: JsonObject): JsonObject => ({
        item_id: item['id'],
        object: 'realtime.item',
        index: 0,
        ...item,
      })
      if (isWire(event['item'])) return [{ ...event, item: named(event['item']) }]
      if (!isWire(event['response'])) return [event]
      return [
        { ...event, response: { ...event['response'], output: objectsAt(event['response'], 'output').map(named) } },
      ]
    }),
  ),
  'messages-read-late §4.4: A message of the client is read a quarter of a second after it came (no time is promised).':
    set('channel.reactionMs', 250),
  'renders-slowly §3.4: Rendering takes a second longer than the text, and a response begins a third of a second late.':
    several(
      set('pace.tailMs', () => 1000),
      set('pace.startMs', 330),
      set('pace.deltaMs', 120),
    ),
})
