import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isObject } from '../trace/json.ts'
import type { Resource } from './creations.ts'
import { endOf } from './creations.ts'
import type { Begin, Intent, JournalLine, Leak } from './journal-line.ts'
import type { ProcessMark } from './process-mark.ts'
import { isAlive } from './process-mark.ts'

/** What a journal says is still there. */
export interface JournalState {
  readonly file: string
  readonly begin: Begin
  readonly processes: readonly ProcessMark[]
  /** Creates whose answer is not known. */
  readonly lost: readonly LostCreate[]
  /** Things that were made, can be ended and were not. */
  readonly open: readonly Made[]
  /** Ids of all that was made, whether it is open still or not. */
  readonly ids: ReadonlySet<string>
  /** Things that were made and that the interface has no way to end. */
  readonly undeletable: readonly { readonly resource: Resource; readonly id: string }[]
  /** What a finished sweep could not do anything about. */
  readonly leaked: readonly Leak[]
  readonly ended: boolean
}

export interface LostCreate extends Intent {
  readonly create: string
}

export interface Made {
  readonly resource: Resource
  readonly id: string
  readonly key: Intent['key']
}

/** Reads a journal; a line cut short by a kill is left out. Undefined when the file is no journal. */
export function readJournal(file: string): JournalState | undefined {
  const lines = linesOf(file)
  const [begin] = lines
  if (begin?.kind !== 'begin') return undefined
  const made = madeThings(lines)
  const end = lines.findLast((line) => line.kind === 'end')
  return {
    file,
    begin,
    processes: lines.flatMap((line) => (line.kind === 'begin' || line.kind === 'worker' ? [line.process] : [])),
    lost: lostCreates(lines),
    open: made.filter(({ resource, id }) => endOf(resource) !== undefined && !isEnded(lines, resource, id)),
    ids: new Set(made.map(({ id }) => id)),
    undeletable: made
      .filter(({ resource }) => endOf(resource) === undefined)
      .map(({ resource, id }) => ({ resource, id })),
    leaked: end?.leaked ?? [],
    ended: end !== undefined,
  }
}

/** Journals of dead runs against a target; `place` is a folder, or the path given as `--journal`. */
export function deadJournals(
  place: { readonly folder: string; readonly name?: string },
  base_url?: string,
): JournalState[] {
  return names(place.folder)
    .filter((name) => (place.name === undefined ? name.endsWith('.journal') : name.startsWith(place.name)))
    .filter((name) => !name.endsWith('.lock'))
    .flatMap((name) => readJournal(join(place.folder, name)) ?? [])
    .filter((state) => base_url === undefined || state.begin.base_url === base_url)
    .filter((state) => !state.processes.some(isAlive))
}

function names(folder: string): string[] {
  try {
    return readdirSync(folder).toSorted()
  } catch {
    return []
  }
}

function linesOf(file: string): JournalLine[] {
  return readFileSync(file, 'utf8').split('\n').flatMap(parse)
}

function parse(text: string): JournalLine[] {
  try {
    const line: unknown = JSON.parse(text)
    return isObject(line) && typeof line['kind'] === 'string' ? [line as unknown as JournalLine] : []
  } catch {
    return []
  }
}

function creates(lines: readonly JournalLine[]): LostCreate[] {
  return lines.flatMap((line) => (line.kind === 'create' ? [line] : []))
}

/** A keyed create counts as answered when another with the same key brought the session. */
function lostCreates(lines: readonly JournalLine[]): LostCreate[] {
  const answered = new Set(
    lines.flatMap((line) => (line.kind === 'created' || line.kind === 'none' ? [line.create] : [])),
  )
  const made = new Set(lines.flatMap((line) => (line.kind === 'created' ? [line.create] : [])))
  const all = creates(lines)
  const known = new Set(all.filter(({ create }) => made.has(create)).flatMap(sameSession))
  return all.filter((one) => !answered.has(one.create) && !sameSession(one).some((mark) => known.has(mark)))
}

/** Section 4.2 promises nothing of a key of a character. */
function sameSession(intent: Intent): string[] {
  return intent.idempotency_key === undefined || intent.resource === 'character'
    ? []
    : [`${intent.operation}\n${intent.key}\n${intent.idempotency_key}`]
}

function madeThings(lines: readonly JournalLine[]): Made[] {
  const intents = new Map(creates(lines).map((intent) => [intent.create, intent]))
  const made = new Map<string, Made>()
  for (const line of lines) {
    const intent = line.kind === 'created' ? intents.get(line.create) : undefined
    if (line.kind !== 'created' || intent === undefined) continue
    made.set(`${intent.resource}\n${line.id}`, { resource: intent.resource, id: line.id, key: intent.key })
  }
  return [...made.values()]
}

function isEnded(lines: readonly JournalLine[], resource: Resource, id: string): boolean {
  return lines.some((line) => line.kind === 'ended' && line.resource === resource && line.id === id)
}
