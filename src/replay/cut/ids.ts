import { decoded } from '#trace/decoded'
import type { Entry } from '#trace/entry'
import { isObject, type Json, textsIn } from '#trace/json'
import { shortestWithin } from '../recorded.ts'

/** Shorter texts are words rather than ids. */
const shortest = 5

/** Names under which an answer tells an id or something else that is said to the target again. */
const tellsId = /(?:^|_)(?:id|token|secret|url)$/

/** Whether an entry is what we sent. */
export function isSent(entry: Entry): boolean {
  return entry.kind === 'request' || entry.kind === 'frame-sent' || entry.kind === 'channel-open'
}

/** All texts of what an entry sends, with those of its path and URL apart. */
export function textsSent(entry: Entry): readonly string[] {
  if (entry.kind === 'request') {
    const { path, body, text } = entry
    return [...partsOf(path), ...textsIn(body), ...(text === undefined ? [] : [text]), ...Object.values(entry.headers)]
  }
  if (entry.kind === 'channel-open') return [entry.session, ...partsOf(entry.url), entry.secret ?? '']
  if (entry.kind === 'frame-sent') return [...textsIn(entry.data), entry.text ?? '']
  return []
}

/** What an entry brought: the body of an answer, or an event. */
export function contentOf(entry: Entry): Json | undefined {
  if (entry.kind === 'response') return entry.body
  return entry.kind === 'frame-received' ? entry.data : undefined
}

/** A text that an answer told, and where. */
export interface Told {
  readonly text: string
  /** JSON Pointer. */
  readonly pointer: string
}

/** Texts of an answer that may be said to the target again: ids, tokens, secrets, addresses. */
export function idsTold(value: Json | undefined): readonly Told[] {
  const found: Told[] = []
  walk(value, '', '', found)
  return found
}

function walk(value: Json | undefined, name: string, pointer: string, found: Told[]): void {
  if (typeof value === 'string') {
    if (value.length >= shortest && tellsId.test(name)) found.push({ text: value, pointer })
  } else if (Array.isArray(value)) {
    for (const [place, item] of (value as readonly Json[]).entries()) walk(item, name, `${pointer}/${place}`, found)
  } else if (isObject(value)) {
    for (const [key, inner] of Object.entries(value)) {
      walk(inner, key, `${pointer}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`, found)
    }
  }
}

/** Ids that the run gave itself, in a text: `word-<run>-<n>`. */
export function ownIds(text: string, run: string): readonly string[] {
  if (!text.includes(run)) return []
  return [...text.matchAll(new RegExp(String.raw`[\w-]*-${run}-\d+`, 'g'))].map(([id]) => id)
}

/**
 * Ids that the target gave: told by an answer before anything that we sent held them.
 *
 * @returns by id the place, among these entries, of what told it first
 */
export function givenIds(entries: Iterable<Entry>): ReadonlyMap<string, number> {
  const said = new Set<string>()
  const given = new Map<string, number>()
  let place = 0
  for (const entry of entries) {
    if (isSent(entry)) for (const text of textsSent(entry)) said.add(text)
    for (const { text } of idsTold(contentOf(entry))) if (!said.has(text) && !given.has(text)) given.set(text, place)
    place += 1
  }
  return given
}

/** Whether what we sent names what the target had given before, wherever it names it. @param place of what we sent */
export function namesGiven(sent: Entry, place: number, given: ReadonlyMap<string, number>): boolean {
  const texts = textsSent(sent)
  return [...given].some(
    ([id, told]) =>
      told < place && texts.some((text) => text === id || (id.length >= shortestWithin && text.includes(id))),
  )
}

/** The segments and values of a path or URL, decoded. */
export function partsOf(url: string): readonly string[] {
  return url.split(/[/?&=#]/).map(decoded)
}
