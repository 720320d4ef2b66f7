import type { Entry, FrameReceivedEntry } from '#trace/entry'
import { at, isObject, type Json, type JsonObject, listAt, textAt } from '#trace/json'
import { furtherEvent, mapEnvelopes, mapEvents, mapSaid, newFrames, withObjects } from './content.ts'
import type { Chance, LegalChange } from './legal-change.ts'

/** What looks like something that the interface knows, where it says nothing to a client. */
const lookalike: JsonObject = {
  id: 'resp_unknown',
  object: 'thing',
  type: 'error',
  status: 'failed',
  code: 20_005,
  session_id: 'ses_unknown',
  session: { mode: 'text_chat', active_avatar_id: 'nobody', source_image_id: null },
  items: [{ id: 'item_unknown', status: 'incomplete', character_id: 'chr_unknown' }],
  error: { message: 'nothing', type: 'server_error', code: 'invalid_event' },
}

const extras: readonly [Json, ...Json[]] = ['text', 17, null, true, [], {}, ['list'], lookalike, [lookalike]]

/** 2.11: references carry their name only. */
const closed = new Set(['references'])

function unknownField(name: string, value: (chance: Chance) => Json): LegalChange['apply'] {
  return (entries, chance) =>
    mapSaid(entries, (said) =>
      withObjects(said, (object, where) =>
        !closed.has(where) && chance.here() ? { ...object, [name]: value(chance) } : object,
      ),
    )
}

/** Names that the interface has elsewhere, and that mean nothing at the top of an event that has them not. */
const borrowed: JsonObject = {
  session_id: 'ses_unknown',
  object: 'event',
  sequence: 7,
  created_at: 1_700_000_000,
  content_index: 0,
  code: 0,
  message: '',
  error: null,
  data: null,
  items: [],
  index: 0,
  metadata: {},
}

const borrowedInData: JsonObject = {
  object: 'thing',
  type: 'thing',
  error: null,
  code: 0,
  message: '',
  request_id: 'r-1',
}

const unknownTypes: readonly [string, ...string[]] = [
  'response.output_item.added',
  'response.content_part.added',
  'response.output_audio.delta',
  'response.output_text.delta.v2',
  'response.done.summary',
  'response.queued',
  'conversation.item.updated',
  'conversation.item.done',
  'session.created',
  'session.closing',
  'session.update.started',
  'asset.removed',
  'errors',
  'warning',
  'ping',
  'x',
]

function unknownEvents(entries: readonly Entry[], chance: Chance): readonly Entry[] {
  const frame = newFrames(entries)
  return entries.flatMap((entry): readonly Entry[] => {
    if (entry.kind === 'channel-opened' && chance.here()) {
      const { kind: _, ...common } = entry
      const [number, beside] = [frame(), { kind: 'frame-received', ...common, frame: 0, bytes: 0 } as const]
      return [entry, furtherEvent(beside, number, unknownEvent({}, number, chance))]
    }
    if (entry.kind !== 'frame-received' || !isObject(entry.data) || !chance.here()) return [entry]
    const number = frame()
    return [entry, furtherEvent(entry, number, unknownEvent(entry.data, number, chance))]
  })
}

function unknownEvent(beside: JsonObject, number: number, chance: Chance): JsonObject {
  const copied = chance.below(2) === 0 ? beside : lookalike
  return { ...copied, event_id: `notice-${number}`, type: chance.one(unknownTypes) }
}

/** Sessions of others of the workspace, at any place of the list. */
function othersSessions(entries: readonly Entry[], chance: Chance): readonly Entry[] {
  return mapEnvelopes(entries, (envelope, { operation, key }) => {
    const { data } = envelope
    // Nobody else may be where the profile says how many fit.
    if (operation !== 'list-avatar-sessions' || key === 'capped' || !isObject(data)) return envelope
    const name = Object.keys(data).find((one) => Array.isArray(data[one]))
    if (name === undefined || !chance.here()) return envelope
    const list = listAt(data, `/${name}`)
    const like = isObject(list[0]) ? list[0] : { status: 'active' }
    const other = { ...like, session_id: `ses_of_others_${chance.below(1_000_000_000)}` }
    return { ...envelope, data: { ...data, [name]: list.toSpliced(chance.below(list.length + 1), 0, other) } }
  })
}

function othersVoices(entries: readonly Entry[], chance: Chance): readonly Entry[] {
  return mapEnvelopes(entries, (envelope, request) => {
    if (request.operation !== 'list-voices' || !Array.isArray(at(envelope, '/data/voices')) || !chance.here())
      return envelope
    const voices = listAt(envelope, '/data/voices')
    const other = { voice_id: `voice_of_others_${chance.below(1_000_000_000)}`, name: 'Somebody', language: 'de' }
    return { ...envelope, data: { voices: voices.toSpliced(chance.below(voices.length + 1), 0, other) } }
  })
}

/** A character of others has the same second as its neighbour, so that any order is newest first. */
function othersCharacters(entries: readonly Entry[], chance: Chance): readonly Entry[] {
  return mapEnvelopes(entries, (envelope, request) => {
    const items = listAt(envelope, '/data/items')
    const size = Math.min(200, Number(/[?&]page_size=(\d+)/.exec(request.path)?.[1] ?? 50))
    if (request.operation !== 'list-characters' || items.length === 0 || items.length >= size || !chance.here())
      return envelope
    const place = chance.below(items.length + 1)
    const neighbour = items[Math.max(0, place - 1)]
    const other = {
      ...(isObject(neighbour) ? neighbour : {}),
      character_id: `chr_of_others_${chance.below(1_000_000_000)}`,
      name: 'Of others',
    }
    const data = isObject(envelope['data']) ? envelope['data'] : {}
    return { ...envelope, data: { ...data, items: items.toSpliced(place, 0, other) } }
  })
}

/** What a service may add to what it says. */
export const additions: readonly LegalChange[] = [
  {
    id: 'unknown-fields',
    section: '9',
    why: 'New fields may appear, at any depth.',
    apply: unknownField('x_added', (chance) => chance.one(extras)),
  },
  {
    id: 'unknown-fields-like-known',
    section: '9',
    why: 'A new field may hold an object whose members are named as known ones.',
    apply: unknownField('x_related', () => lookalike),
  },
  {
    id: 'known-names-elsewhere-in-events',
    section: '9',
    why: 'A new field of an event may have a name that the interface uses elsewhere.',
    apply: (entries, chance) => mapEvents(entries, (event) => (chance.here() ? { ...borrowed, ...event } : event)),
  },
  {
    id: 'known-names-elsewhere-in-data',
    section: '9',
    why: 'A new field of an answer may have a name that the interface uses elsewhere.',
    apply: (entries, chance) =>
      mapEnvelopes(entries, (envelope) =>
        isObject(envelope['data']) && chance.here()
          ? { ...envelope, data: { ...borrowedInData, ...envelope['data'] } }
          : envelope,
      ),
  },
  {
    id: 'more-in-envelopes',
    section: '9',
    why: 'New fields may appear beside `code`, `message` and `data`.',
    apply: (entries, chance) =>
      mapEnvelopes(entries, (envelope) =>
        chance.here()
          ? { request_id: 'r-1', error: null, status: 'ok', errors: [], type: 'error', details: lookalike, ...envelope }
          : envelope,
      ),
  },
  {
    id: 'unknown-events',
    section: '9',
    why: 'New event types may appear at any time.',
    apply: unknownEvents,
  },
  {
    id: 'others-sessions',
    section: '4.1',
    why: 'Sessions that others of the workspace have open are in the list too.',
    apply: othersSessions,
  },
  {
    id: 'others-voices',
    section: '4.3',
    why: 'Voices that others of the workspace cloned are in the list too, and public ones.',
    apply: othersVoices,
  },
  {
    id: 'others-characters',
    section: '4.2',
    why: 'Characters that others of the workspace saved are in the list too.',
    apply: othersCharacters,
  },
]

/** Type of a server event. */
export function typeOf({ data }: FrameReceivedEntry): string {
  return textAt(data, '/type') ?? ''
}
