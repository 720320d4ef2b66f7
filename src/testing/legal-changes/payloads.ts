import type { Entry, RequestEntry } from '#trace/entry'
import { isObject, type Json, type JsonObject, textAt } from '#trace/json'
import { failureOf, mapEnvelopes, mapEvents, mapObjects, mapSaid, withObjects, without } from './content.ts'
import type { Chance, LegalChange } from './legal-change.ts'

type OfData = (data: JsonObject, request: RequestEntry, chance: Chance) => Json

/** Changes `data` of successes of some operations. */
function inData(operations: RegExp, change: OfData): LegalChange['apply'] {
  return (entries, chance) =>
    mapEnvelopes(entries, (envelope, request) => {
      const { data } = envelope
      if (!operations.test(request.operation ?? '') || failureOf(envelope) !== undefined) return envelope
      if (!isObject(data) || !chance.here()) return envelope
      return { ...envelope, data: change(data, request, chance) }
    })
}

/** Each list of objects among the members, in another order. */
function shuffled(data: JsonObject, chance: Chance, names: readonly string[]): JsonObject {
  const mixed = names.flatMap((name) => {
    const list = data[name]
    if (!Array.isArray(list)) return []
    const keyed = (list as readonly Json[]).map((one) => [chance.below(1_000_000), one] as const)
    return [[name, keyed.toSorted(([one], [other]) => one - other).map(([, one]) => one)] as const]
  })
  return { ...data, ...Object.fromEntries(mixed) }
}

/** A list of sessions as an object with a member for each. */
function byId(data: JsonObject): JsonObject {
  const lists = Object.values(data).filter((one) => Array.isArray(one)) as readonly (readonly Json[])[]
  const sessions = lists.flat().filter(isObject)
  if (lists.length === 0) return data
  return {
    holding: Object.fromEntries(sessions.map((one) => [textAt(one, '/session_id') ?? '', without(one, 'session_id')])),
  }
}

const notShown = '4.1: the payload is not shown.'

/** Image and audio URLs, wherever they come back. */
function rehosted(entries: readonly Entry[], chance: Chance): readonly Entry[] {
  const move = (object: JsonObject): JsonObject => {
    const { url } = object
    const isOurs = 'source_image_id' in object || 'asset_id' in object
    if (!isOurs || typeof url !== 'string' || !chance.here()) return object
    return { ...object, url: `https://cdn.example/kept/${chance.below(1_000_000_000)}?sig=a%20b` }
  }
  return mapSaid(entries, (said) => withObjects(said, move))
}

/** Defaults where nothing was sent. */
function filledIn(data: JsonObject, { body }: RequestEntry): JsonObject {
  const asked = isObject(body) && isObject(body['conversation']) ? body['conversation'] : {}
  const shown = isObject(data['conversation']) ? data['conversation'] : {}
  const defaults: JsonObject = {
    instructions: '',
    tools: [],
    response_defaults: { temperature: 1, max_output_tokens: 4_096 },
    turn_detection: { type: 'manual', silence_duration_ms: 500 },
    input_audio_transcription: { enabled: false, language: 'auto' },
  }
  const absent = Object.entries(defaults).filter(([name]) => !(name in asked) && !(name in shown))
  return { ...data, conversation: { ...shown, ...Object.fromEntries(absent) } }
}

/** 2.9: `detail` and `transcript` of parts of messages are optional. */
function withPartDefaults(entries: readonly Entry[], chance: Chance): readonly Entry[] {
  const fill = (object: JsonObject): JsonObject => {
    if (object['type'] === 'input_image' && chance.here()) return { detail: 'auto', ...object }
    return object['type'] === 'input_audio' && chance.here() ? { transcript: 'hm', ...object } : object
  }
  return mapEvents(entries, (event) => {
    const changed = mapObjects(event, fill)
    return isObject(changed) ? changed : event
  })
}

function otherWorldIds(data: JsonObject): JsonObject {
  const { runtime } = data
  if (!isObject(runtime)) return data
  const other = (name: string): JsonObject => {
    const id = runtime[name]
    return id === null ? without(runtime, name) : { ...runtime, [name]: id ?? null }
  }
  return { ...data, runtime: { ...other('applied_world_event_id') } }
}

/** Whose payload is not shown, or may come in another form. */
export const payloads: readonly LegalChange[] = [
  {
    id: 'get-wrapped',
    section: '4.1',
    why: notShown,
    apply: inData(/^get-avatar-session$/, (data) => ({ session: data })),
  },
  {
    id: 'get-in-other-words',
    section: '4.1',
    why: notShown,
    apply: inData(/^get-avatar-session$/, ({ status = null, ...rest }) => ({ ...rest, lifecycle: status })),
  },
  {
    id: 'get-bare',
    section: '4.1',
    why: notShown,
    apply: inData(/^get-avatar-session$/, (data) => ('status' in data ? { status: data['status'] ?? null } : data)),
  },
  {
    id: 'close-answers',
    section: '4.1',
    why: notShown,
    apply: inData(/^close-avatar-session$/, (_, __, chance) =>
      chance.one([null, {}, [], true, 'closed', { ok: true, status: 'closing' }]),
    ),
  },
  { id: 'list-by-id', section: '4.1', why: notShown, apply: inData(/^list-avatar-sessions$/, byId) },
  {
    id: 'list-bare',
    section: '4.1',
    why: notShown,
    apply: inData(/^list-avatar-sessions$/, (data) => Object.values(data).find((one) => Array.isArray(one)) ?? data),
  },
  {
    id: 'list-of-ids',
    section: '4.1',
    why: notShown,
    apply: inData(/^list-avatar-sessions$/, (data) => {
      const ids = Object.values(data)
        .flat()
        .filter(isObject)
        .flatMap((one) => one['session_id'] ?? [])
      return ids.length === 0 ? data : { ids }
    }),
  },
  {
    id: 'lists-in-any-order',
    section: '4',
    why: 'Only characters have an order.',
    apply: inData(/^(?:list-avatar-sessions|list-voices)$/, (data, _, chance) =>
      shuffled(data, chance, Object.keys(data)),
    ),
  },
  {
    id: 'sets-in-any-order',
    section: '2.12',
    why: 'Lists of what is accepted, and names of references, have no order.',
    apply: (entries, chance) =>
      mapEnvelopes(entries, (envelope) =>
        withObjects(envelope, (object) =>
          chance.here()
            ? shuffled(object, chance, [
                'event_content_types',
                'reference_content_types',
                'event_handling',
                'references',
              ])
            : object,
        ),
      ),
  },
  { id: 'urls-rehosted', section: '2.7', why: 'URLs of images may be rewritten.', apply: rehosted },
  {
    id: 'conversation-filled-in',
    section: '2.1',
    why: 'Effective defaults are returned, those of the service too.',
    apply: inData(/^create-avatar-session$/, filledIn),
  },
  {
    id: 'parts-filled-in',
    section: '2.9',
    why: 'Optional members of parts may have their defaults.',
    apply: withPartDefaults,
  },
  {
    id: 'world-event-ids',
    section: '2.11',
    why: 'The ids of world Events are optional, and may be null.',
    apply: inData(/world-session$/, otherWorldIds),
  },
  {
    id: 'world-later-expiry',
    section: '2.11',
    why: 'Descriptors are opaque: Get may describe a newer one.',
    apply: inData(/^get-world-session$/, (data, _, chance) => {
      const later = (one: Json | undefined): JsonObject => {
        const descriptor = isObject(one) ? one : {}
        const time = Date.parse(textAt(descriptor, '/expires_at') ?? '')
        return Number.isNaN(time)
          ? descriptor
          : { ...descriptor, expires_at: new Date(time + 1_000 * (1 + chance.below(600))).toISOString() }
      }
      return { ...data, control: later(data['control']), media: later(data['media']) }
    }),
  },
]
