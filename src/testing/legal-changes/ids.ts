import { decoded } from '#trace/decoded'
import type { Entry } from '#trace/entry'
import { below, isObject, type Json } from '#trace/json'
import type { LegalChange } from './legal-change.ts'

/** What bears ids and cursors that the service gives out, beside `id`. */
const kinds = new Set([
  'event_id',
  'response_id',
  'item_id',
  'session_id',
  'character_id',
  'voice_id',
  'file_id',
  'call_id',
  'next_page_token',
])

/** 2.7, 2.8: how ids of these begin. */
const prefixes: { readonly [kind: string]: string } = {
  character_id: 'chr_',
  voice_id: 'voice_',
  file_id: 'file_aud_',
}

interface Given {
  readonly kind: string
  readonly id: string
  /** The session whose channel it came on first. */
  readonly session: string | undefined
}

/** What is shorter or a number may stand for something else elsewhere, and an id of nothing is what additions show. */
const isTelling = (id: string): boolean => id.length >= 6 && /\D/.test(id) && !id.endsWith('_unknown')

/** Ids that the service made up: those that it said before we did. */
function givenOut(entries: readonly Entry[]): readonly Given[] {
  const ours = new Set<Json>()
  const given = new Map<string, Given>()
  const sessions = new Map<number, string>()
  for (const entry of entries) {
    if (entry.kind === 'channel-open') sessions.set(entry.channel, entry.session)
    if (entry.kind === 'frame-sent') for (const one of below(entry.data)) ours.add(one)
    if (entry.kind === 'request') for (const one of below(entry.body)) ours.add(one)
    const said = entry.kind === 'response' ? entry.body : entry.kind === 'frame-received' ? entry.data : undefined
    const session = entry.kind === 'frame-received' ? sessions.get(entry.channel) : undefined
    for (const { kind, id } of idsIn(said ?? null)) {
      if (isTelling(id) && !ours.has(id) && !given.has(id)) given.set(id, { kind, id, session })
    }
  }
  return [...given.values()]
}

/** Ids at any depth. @param where the name under which it stands; of a list, that of the list */
function idsIn(value: Json, where = ''): readonly Pick<Given, 'kind' | 'id'>[] {
  if (Array.isArray(value)) return (value as readonly Json[]).flatMap((one) => idsIn(one, where))
  if (!isObject(value)) return []
  return Object.entries(value).flatMap(([name, one]) => {
    const kind = name === 'id' ? (where === 'response' ? 'response_id' : 'item_id') : kinds.has(name) ? name : undefined
    return kind !== undefined && typeof one === 'string' ? [{ kind, id: one }] : idsIn(one, name)
  })
}

/** Each text with the new names of ids in it, names of members too. */
function renamed(value: Json, names: ReadonlyMap<string, string>): Json {
  if (typeof value === 'string') return names.get(value) ?? renamedInside(value, names)
  if (Array.isArray(value)) return (value as readonly Json[]).map((one) => renamed(one, names))
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [names.get(name) ?? name, renamed(one, names)]))
}

function renamedInside(text: string, names: ReadonlyMap<string, string>): string {
  if (text.length > 4_000) return text
  const isAddress = /^(?:\/v1\/|wss?:)/.test(text)
  return text.replaceAll(isAddress ? /[^/?&=#]+/g : /[\w.-]+/g, (word) => {
    const name = names.get(isAddress ? decoded(word) : word)
    if (name === undefined) return word
    return isAddress ? encodeURIComponent(name) : name
  })
}

/** @param form the new id, of the number of those of its kind before it */
function renaming(form: (place: number, given: Given) => string, which?: readonly string[]): LegalChange['apply'] {
  return (entries, chance) => {
    const counts = new Map<string, number>()
    const names = new Map<string, string>()
    for (const given of givenOut(entries)) {
      const { kind, id } = given
      if ((which !== undefined && !which.includes(kind)) || !chance.here()) continue
      const place = (counts.get(kind) ?? 0) + 1
      counts.set(kind, place)
      names.set(id, `${prefixes[kind] ?? ''}${form(place, given)}`)
    }
    return entries.map((entry) =>
      entry.kind === 'header' ? entry : (renamed(entry as unknown as Json, names) as unknown as Entry),
    )
  }
}

/** Counts from 1 for each session and kind. */
function perSession(): (place: number, given: Given) => string {
  const counts = new Map<string, number>()
  return (_, { kind, session }) => {
    const scope = `${kind} ${session}`
    const place = (counts.get(scope) ?? 0) + 1
    counts.set(scope, place)
    return `${kind}_${place}`
  }
}

const why = 'Ids are strings whose form is not said, beyond three prefixes.'

/** Ids and cursors of other forms. */
export const ids: readonly LegalChange[] = [
  { id: 'ids-that-count', section: '2', why, apply: renaming((place) => String(1_000 + place)) },
  {
    id: 'ids-that-hold-one-another',
    section: '2',
    why,
    apply: renaming((place) => `${'1'.repeat(place % 300)}${place}`),
  },
  { id: 'ids-very-long', section: '2', why, apply: renaming((place) => `${'long-'.repeat(100)}${place}`) },
  { id: 'ids-with-marks', section: '2', why, apply: renaming((place) => `urn:svc.${place}:x-${place}~a_b=`) },
  { id: 'ids-in-other-scripts', section: '2', why, apply: renaming((place) => `ид ${place}/ä+%`) },
  { id: 'ids-in-capitals', section: '2', why, apply: renaming((place, { id }) => `${id.toUpperCase()}-${place}`) },
  {
    id: 'ids-of-several-letters-only',
    section: '2',
    why,
    apply: renaming((place) => place.toString(2).replaceAll('0', 'l').replaceAll('1', 'I')),
  },
  {
    id: 'ids-count-in-each-session',
    section: '2',
    why: 'Events and responses belong to a session; that their ids differ from those of others is not said.',
    apply: (entries, chance) => renaming(perSession(), ['response_id', 'event_id', 'call_id'])(entries, chance),
  },
  {
    id: 'cursors',
    section: '4.2',
    why: 'A page token is a string, no more.',
    apply: renaming((place) => `eyJ${'A/+='.repeat(place)} ${place}&page_size=1#`, ['next_page_token']),
  },
]
