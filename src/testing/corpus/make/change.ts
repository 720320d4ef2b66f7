import type { Entry, FrameReceivedEntry, ResponseEntry } from '#trace/entry'
import { at as pointerAt, isObject, type Json, type JsonObject, textAt } from '#trace/json'

/** An answer or event in a piece: the last of its kind, where `first` is not said. */
export interface Place {
  /** Type of a server event. */
  readonly event?: string
  /** Operation that was answered. */
  readonly answer?: string
  /** Type of a client event, to copy from. */
  readonly sent?: string
  readonly first?: true
}

/** What is done to it. */
export type Change =
  /** Values by JSON Pointer, of the event or of the body. */
  | { readonly set: { readonly [pointer: string]: Json } }
  /** The value that stands there in another answer or event. */
  | { readonly copy: string; readonly from: Place }
  | { readonly drop: true }
  | { readonly repeat: true; readonly set?: { readonly [pointer: string]: Json } }
  /** It comes behind the last event of another type. */
  | { readonly behind: string }
  /** It comes before the first event of another type. */
  | { readonly ahead: string }
  /** Something between us and the service failed: a reset instead of the answer, or the page of a proxy. */
  | { readonly lost: 'reset' | 'page' }
  /** The recording ends before it. */
  | { readonly cut: true }
  /** The session was over already. */
  | { readonly closed: true }

/** The piece with its change. @throws where the piece has no such place */
export function changed(entries: readonly Entry[], place: Place, change: Change): readonly Entry[] {
  const at = placeOf(entries, place)
  const entry = entries[at] as FrameReceivedEntry | ResponseEntry
  if ('cut' in change) return cutAt(entries, at)
  if ('drop' in change) return entries.toSpliced(at, 1)
  if ('repeat' in change) return entries.toSpliced(at + 1, 0, withFrame(withValues(entry, change.set ?? {}), entries))
  if ('behind' in change) return moved(entries, at, placeOf(entries, { event: change.behind }) + 1)
  if ('ahead' in change) return moved(entries, at, placeOf(entries, { event: change.ahead, first: true }))
  if ('copy' in change) {
    const other = entries[placeOf(entries, change.from)]
    return entries.toSpliced(
      at,
      1,
      withValues(entry, { [change.copy]: pointerAt(contentOf(other), change.copy) ?? null }),
    )
  }
  if ('lost' in change) return entries.toSpliced(at, 1, lost(entry, change.lost))
  if ('closed' in change) return entries.toSpliced(at, 0, closing(entry, entries))
  return entries.toSpliced(at, 1, withValues(entry, change.set))
}

function contentOf(entry: Entry | undefined): Json | undefined {
  if (entry?.kind === 'response') return entry.body
  return entry?.kind === 'frame-received' || entry?.kind === 'frame-sent' ? entry.data : undefined
}

function placeOf(entries: readonly Entry[], { event, answer, sent, first }: Place): number {
  const operations = new Map(
    entries.flatMap((entry) => (entry.kind === 'request' ? [[entry.exchange, entry.operation] as const] : [])),
  )
  const fits = (entry: Entry): boolean => {
    if (entry.kind === 'response') return answer !== undefined && operations.get(entry.exchange) === answer
    if (entry.kind === 'frame-sent') return sent !== undefined && textAt(entry.data, '/type') === sent
    return entry.kind === 'frame-received' && event !== undefined && textAt(entry.data, '/type') === event
  }
  const at = first === true ? entries.findIndex(fits) : entries.findLastIndex(fits)
  if (at === -1) throw new Error(`the piece has no ${event ?? sent ?? answer}`)
  return at
}

function moved(entries: readonly Entry[], from: number, to: number): readonly Entry[] {
  const one = entries[from]
  const rest = entries.toSpliced(from, 1)
  const target = to > from ? to - 1 : to
  const near = rest[target - 1] ?? rest[target]
  return one === undefined ? entries : rest.toSpliced(target, 0, { ...one, t: near?.t ?? one.t } as Entry)
}

function withValues<E extends FrameReceivedEntry | ResponseEntry>(
  entry: E,
  values: { readonly [pointer: string]: Json },
): E {
  const name = entry.kind === 'response' ? 'body' : 'data'
  const before = entry.kind === 'response' ? entry.body : entry.data
  const after = Object.entries(values).reduce<Json>(
    (whole, [pointer, value]) => put(whole, pointer, value),
    before ?? {},
  )
  return { ...entry, [name]: after }
}

function put(whole: Json, pointer: string, value: Json): Json {
  if (pointer === '') return value
  const [name = '', ...rest] = pointer.slice(1).split('/')
  const below = rest.length === 0 ? '' : `/${rest.join('/')}`
  if (Array.isArray(whole)) {
    const list = whole as readonly Json[]
    return list.map((one, place) => (String(place) === name ? put(one, below, value) : one))
  }
  const object: JsonObject = isObject(whole) ? whole : {}
  const { [name]: old = null } = object
  return { ...object, [name]: below === '' ? value : put(old, below, value) }
}

/** A further event has a number of its own. */
function withFrame(entry: FrameReceivedEntry | ResponseEntry, entries: readonly Entry[]): Entry {
  if (entry.kind !== 'frame-received') return entry
  const numbers = entries.flatMap((one) => ('frame' in one ? [one.frame] : []))
  const { data } = entry
  const own = isObject(data) ? { ...data, event_id: `${textAt(data, '/event_id') ?? 'event'}_again` } : data
  const isEcho = textAt(data, '/type') === 'session.updated'
  return { ...entry, frame: Math.max(...numbers) + 1, ...(own === undefined || isEcho ? {} : { data: own }) }
}

function lost(entry: FrameReceivedEntry | ResponseEntry, how: 'reset' | 'page'): Entry {
  if (entry.kind !== 'response') throw new Error('an event is not lost alone')
  const { t, exchange, attempt, scenario } = entry
  const common = { t, exchange, attempt, ...(scenario === undefined ? {} : { scenario }) }
  if (how === 'reset') return { kind: 'failure', ...common, reason: 'reset', message: 'the connection was reset' }
  const text = '<html><body>502 Bad Gateway</body></html>'
  return {
    kind: 'response',
    ...common,
    status: 502,
    headers: { 'content-type': 'text/html' },
    text,
    problem: 'not-json',
    bytes: text.length,
  }
}

/** Nothing more was recorded; nobody ended anything. */
function cutAt(entries: readonly Entry[], at: number): readonly Entry[] {
  return entries.slice(0, at).filter(({ kind }) => kind !== 'end')
}

/** `session.closed`, as if the service had ended the session by itself just before. */
function closing(entry: FrameReceivedEntry | ResponseEntry, entries: readonly Entry[]): Entry {
  if (entry.kind !== 'frame-received') throw new Error('only a control connection tells that its session is over')
  const open = entries.find((one) => one.kind === 'channel-open' && one.channel === entry.channel)
  const session_id = open?.kind === 'channel-open' ? open.session : ''
  const data = { type: 'session.closed', event_id: 'closed_by_service', session_id, reason: 'maintenance' }
  return withFrame({ ...entry, data, bytes: JSON.stringify(data).length }, entries)
}
