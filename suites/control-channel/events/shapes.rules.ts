import { carries } from '#judge/conditions/operands'
import { judgeShape, placeOf } from '#judge/shape-rule'
import type { ShapeError } from '#spec/shape-error'
import { idsOf, isServerEventType, serverEvents, type ServerEventType } from '#spec/tables'
import { validateServerEvent } from '#spec/validators'
import { at, isObject, type Json } from '#trace/json'
import { ruleOf, type Say } from '../model/say.ts'
import { type ReceivedEvent, sessionsOf } from '../model/sessions.ts'
import { eventPlaces, type EventPlaces, itemPlaces, praiseShape, type Table, tableOf } from '../model/shapes.ts'
import type { Row } from '../rows.ts'

const itemTypes = ['message', 'function_call', 'function_call_output']
const itemEvents = ['output_item.done', 'response', 'other'] as const
const eventTables = new Map(idsOf(serverEvents).map((type) => [type, tableOf(eventPlaces[type])]))
const itemTables = new Map(
  itemEvents.map((event) => [
    event,
    new Map([...itemTypes, ''].map((type) => [type, tableOf(itemPlaces(type, event))])),
  ]),
)

/** Rows of all tables, and those that are judged here by hand. */
const proves: readonly Row[] = [
  ...new Set([
    ...rowsOf(Object.values(eventPlaces)),
    ...rowsOf(itemEvents.flatMap((event) => itemTypes.map((type) => itemPlaces(type, event)))),
    'response-created.status-in-progress' as const,
    'response-done.status-final' as const,
    'response.output-items-shape' as const,
    'asset-added.empty-kinds-shown' as const,
  ]),
]

function rowsOf(places: readonly EventPlaces[]): readonly Row[] {
  return places.flatMap(({ rows, otherwise }) => [...(Object.keys(rows) as Row[]), otherwise])
}

/** Every server event has its shape (6.2), items (2.9) and responses (2.10) in it included. */
export const shapes = ruleOf('shapes', proves, (trace, say) => {
  for (const session of sessionsOf(trace)) {
    for (const received of session.received)
      if (isServerEventType(received.type)) judgeEvent(received, received.type, say)
  }
})

function judgeEvent(received: ReceivedEvent, type: ServerEventType, say: Say): void {
  const all = validateServerEvent(received.event)
  const errors = all.length === 0 ? all : all.filter((error) => !isJudgedElsewhere(error, received, type))
  const places = itemsIn(received, type)
  const rest = errors.length === 0 ? errors : errors.filter(({ pointer }) => !isWithinOne(pointer, places))
  const table = eventTables.get(type)
  if (table !== undefined) judgeValue(received.event, received, rest, table, say)
  for (const place of places) judgeItem(received, place, errors, say)
  if (type === 'response.created' || type === 'response.done') judgeResource(received, type, say)
  if (type === 'asset.added') judgeKinds(received, say)
}

/** Names of all events are judged with the frames; a status by {@link judgeStatus}; the image of `text_chat` with the state. */
function isJudgedElsewhere(error: ShapeError, received: ReceivedEvent, type: ServerEventType): boolean {
  const place = placeOf(error)
  if (place === '/event_id' || place === '/type') return true
  if (namesPlaces.has(place) && isOddName(at(received.event, place), received)) return true
  if (type === 'avatar.added' && isEffectivelyNone(place, received)) return true
  if (type === 'session.updated') return error.schema_path.includes('/then/')
  if (type === 'session.update.done') return place === '/request_event_id' && mayBeNameless(received)
  if (type.startsWith('conversation.item.') && (isEchoedName(error, received) || isOurFault(error, received)))
    return true
  const narrowed = type === 'response.created' || type === 'response.done'
  return narrowed && place === '/response/status' && isStatus(at(received.event, '/response/status'))
}

const namesPlaces = new Set(['/error/event_id', '/request_event_id'])

/** An `event_id` of another type, which need not be refused, may be named as it came. */
function isOddName(name: Json | undefined, { connection, line }: ReceivedEvent): boolean {
  const { sent } = connection.session
  return name !== undefined && sent.some(({ event, line: before }) => before < line && event['event_id'] === name)
}

/** "The effective `instructions`, `voice`, `visual`" (6.2): what an avatar has none of may be told as null. */
function isEffectivelyNone(place: string, { event }: ReceivedEvent): boolean {
  return /^\/avatars\/\d+\/(?:instructions|voice|visual)$/.test(place) && at(event, place) === null
}

/** Whoever takes an item with a `status`, `detail` or the like of no such name, which it need not refuse, may show it as it came. */
function isEchoedName({ pointer, keyword }: ShapeError, { event, line, connection }: ReceivedEvent): boolean {
  const shown = at(event, pointer)
  if ((keyword !== 'enum' && keyword !== 'const') || typeof shown !== 'string') return false
  return connection.session.sent.some((sent) => sent.line < line && at(sent.event, pointer) === shown)
}

/**
 * Nor need it refuse an item that lacks something, or has it in another form (2.9 says nothing of a rejection): whoever
 * shows all that was sent shows our own fault.
 */
function isOurFault(error: ShapeError, { event, line, connection }: ReceivedEvent): boolean {
  const [place, shown] = [placeOf(error), event['item']]
  if (!place.startsWith('/item/') || !isObject(shown)) return false
  return connection.session.sent.some(({ event: sent, line: at_, type }) => {
    const item = sent['item']
    if (at_ > line || type !== 'conversation.item.create' || !isObject(item)) return false
    // How the JSON of arguments is written is the service's own.
    const { id: _, status: __, arguments: ___, ...own } = item
    return isEcho(at(sent, place), at(event, place)) && carries(shown, own)
  })
}

/** What is shown may have more fields than what was sent (9.3). */
function isEcho(sent: Json | undefined, shown: Json | undefined): boolean {
  return sent === undefined ? shown === undefined : carries(shown, sent)
}

const statuses = new Set<unknown>(['in_progress', 'completed', 'cancelled', 'failed', 'incomplete'])

function isStatus(value: unknown): boolean {
  return statuses.has(value)
}

/** What names an update that had no id is not said; one that is sent while the session closes may be answered as well. */
function mayBeNameless({ connection, line }: ReceivedEvent): boolean {
  return connection.session.sent.some(
    ({ type, id, line: before }) => type === 'session.update' && id === undefined && before < line,
  )
}

/** Only `id` is called optional in 2.10, and nothing required: what is missing has no shape. */
function judgeResource(received: ReceivedEvent, type: 'response.created' | 'response.done', say: Say): void {
  judgeStatus(received, type, say)
  for (const [name, row] of Object.entries(resourceFields)) {
    if (at(received.event, `/response/${name}`) === undefined) say.open(row, `no ${name} is shown`, received)
  }
}

const resourceFields = {
  status_details: 'response.status-details-object-or-null',
  max_output_tokens: 'response.max-output-tokens-number-or-inf',
} as const

function judgeStatus(received: ReceivedEvent, type: 'response.created' | 'response.done', say: Say): void {
  const status = at(received.event, '/response/status')
  if (typeof status !== 'string') return
  const running = status === 'in_progress'
  const got = () => JSON.stringify(status)
  if (type === 'response.created')
    say.judge('response-created.status-in-progress', running, 'in_progress', got, received)
  else say.judge('response-done.status-final', isStatus(status) && !running, 'a final status', got, received)
}

function judgeKinds(received: ReceivedEvent, say: Say): void {
  const assets = received.event['assets']
  if (!isObject(assets)) return
  const missing = ['images', 'audio', 'speech_text', 'visual_prompts'].filter((kind) => assets[kind] === undefined)
  say.judge(
    'asset-added.empty-kinds-shown',
    missing.length === 0,
    'all four arrays',
    () => `no ${missing.join(', ')}`,
    received,
  )
}

/** Pointers to the items in an event. */
function itemsIn({ event }: ReceivedEvent, type: ServerEventType): readonly string[] {
  if (type === 'response.created' || type === 'response.done') {
    const output = at(event, '/response/output')
    return Array.isArray(output) ? output.map((_, place) => `/response/output/${place}`) : []
  }
  return holdingItems.has(type) && isObject(event['item']) ? itself : none
}

const holdingItems: ReadonlySet<ServerEventType> = new Set(
  idsOf(serverEvents).filter((type) => type.startsWith('conversation.item.') || type === 'response.output_item.done'),
)
const itself: readonly string[] = ['/item']
const none: readonly string[] = []

function judgeItem(received: ReceivedEvent, place: string, errors: readonly ShapeError[], say: Say): void {
  const item = at(received.event, place)
  const inResponse = place !== '/item'
  if (inResponse) {
    const good = isObject(item) && typeof item['id'] === 'string' && typeof item['type'] === 'string'
    say.judge(
      'response.output-items-shape',
      good,
      'a conversation item',
      () => JSON.stringify(item).slice(0, 200),
      received,
    )
    if (!good) return
  }
  const event = inResponse ? 'response' : received.type === 'response.output_item.done' ? 'output_item.done' : 'other'
  const found = errors.length === 0 ? errors : errors.filter(({ pointer }) => isWithin(pointer, place))
  const table = itemTable(event, isObject(item) ? item['type'] : undefined)
  if (table !== undefined && item !== undefined)
    judgeValue(item, received, found.length === 0 ? found : found.map((error) => below(error, place)), table, say)
}

function judgeValue(value: Json, received: ReceivedEvent, errors: readonly ShapeError[], table: Table, say: Say): void {
  const { line, scenario } = received
  if (errors.length === 0) praiseShape(value, line, table, say.report)
  else judgeShape({ value, line, scenario }, errors, table, say.report)
}

function itemTable(event: (typeof itemEvents)[number], type: unknown): Table | undefined {
  const known = typeof type === 'string' && itemTypes.includes(type) ? type : ''
  return itemTables.get(event)?.get(known)
}

function below(error: ShapeError, place: string): ShapeError {
  return { ...error, pointer: error.pointer.slice(place.length) }
}

function isWithinOne(pointer: string, places: readonly string[]): boolean {
  return places.some((place) => isWithin(pointer, place))
}

function isWithin(pointer: string, place: string): boolean {
  return pointer === place || pointer.startsWith(`${place}/`)
}
