import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isObject } from '#trace/json'
import type { ResourceKind } from './creations.ts'
import { endOf } from './creations.ts'
import type { Begin, Doubt, Intent, JournalLine, Leak } from './journal-line.ts'
import type { ProcessMark } from './process-mark.ts'
import { isAlive } from './process-mark.ts'

/** What a journal says is still there. */
export interface JournalState {
  readonly file: string
  readonly begin: Begin
  readonly processes: readonly ProcessMark[]
  /** Creates whose answer is not known. */
  readonly lost: readonly LostCreate[]
  /** Creates whose answer does not name what they made. */
  readonly unnamed: readonly LostCreate[]
  /** Creates whose answer does not say whether they made anything. */
  readonly unclear: readonly LostCreate[]
  /** What is to be looked at once more. */
  readonly doubts: readonly Doubt[]
  /** All that was made and has been ended since, oldest first. */
  readonly gone: readonly Made[]
  /** Creates with a key and without an answer, of a kind of which some key was seen to make a second session. */
  readonly doubled: readonly LostCreate[]
  /** Creates with a key that were refused. */
  readonly refused: readonly LostCreate[]
  /** Things that were made, can be ended and were not. */
  readonly open: readonly Made[]
  /** Ids of all that was made, whether it is open still or not. */
  readonly ids: ReadonlySet<string>
  /** Things that were made and that the interface has no way to end. */
  readonly undeletable: readonly { readonly resource: ResourceKind; readonly id: string }[]
  /** What a finished sweep could not do anything about. */
  readonly leaked: readonly Leak[]
  readonly ended: boolean
}

export interface LostCreate extends Intent {
  readonly create: string
}

export interface Made {
  readonly resource: ResourceKind
  readonly id: string
  readonly key: Intent['key']
}

/** Reads a journal; a line cut short by a kill is left out. Undefined when the file is no journal, or is gone. */
export function readJournal(file: string): JournalState | undefined {
  const lines = linesOf(file)
  const [begin] = lines
  if (begin?.kind !== 'begin') return undefined
  const made = madeThings(lines)
  const ended = new Set(lines.flatMap((line) => (line.kind === 'ended' ? [`${line.resource}\n${line.id}`] : [])))
  const isEnded = ({ resource, id }: Made): boolean => ended.has(`${resource}\n${id}`)
  const end = lines.findLast((line) => line.kind === 'end')
  return {
    file,
    begin,
    processes: lines.flatMap((line) => (line.kind === 'begin' || line.kind === 'worker' ? [line.process] : [])),
    lost: lostCreates(lines, 'lost'),
    unnamed: lostCreates(lines, 'unnamed'),
    unclear: lostCreates(lines, 'unclear'),
    doubled: doubledCreates(lines),
    refused: refusedCreates(lines),
    doubts: lines.flatMap((line) => (line.kind === 'doubt' ? [line] : [])),
    gone: made.filter(isEnded),
    open: made.filter((one) => endOf(one.resource) !== undefined && !isEnded(one)),
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
    .filter((name) => (place.name === undefined ? name.endsWith('.journal') : isOf(place.name, name)))
    .filter((name) => !name.endsWith('.lock'))
    .flatMap((name) => readJournal(join(place.folder, name)) ?? [])
    .filter((state) => base_url === undefined || state.begin.base_url === base_url)
    .filter((state) => !state.processes.some(isAlive))
}

/** A run that takes an older journal's place moves that one aside: its name is followed by that of its run. */
function isOf(journal: string, name: string): boolean {
  return name === journal || name.startsWith(`${journal}.`)
}

function names(folder: string): string[] {
  try {
    const files = readdirSync(folder, { withFileTypes: true }).filter((one) => !one.isDirectory())
    return files.map(({ name }) => name).toSorted()
  } catch {
    return []
  }
}

function linesOf(file: string): JournalLine[] {
  try {
    return readFileSync(file, 'utf8').split('\n').flatMap(parse)
  } catch (error) {
    // A run beside us has ended since its journal was listed, and left nothing open.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
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

/** Creates that brought nothing to hold on to. A keyed one counts as answered when another with its key brought the session. */
function lostCreates(lines: readonly JournalLine[], how: 'lost' | 'unnamed' | 'unclear'): LostCreate[] {
  const said = (...kinds: JournalLine['kind'][]) =>
    new Set(lines.flatMap((line) => ('create' in line && kinds.includes(line.kind) ? [line.create] : [])))
  const [answered, unnamed, unclear, made] = [
    said('created', 'none'),
    said('unnamed'),
    said('unclear'),
    said('created'),
  ]
  const all = creates(lines)
  const known = new Set(all.filter(({ create }) => made.has(create)).flatMap(sameSession))
  return all.filter((one) => {
    if (answered.has(one.create) || sameSession(one).some((mark) => known.has(mark))) return false
    return how === (unnamed.has(one.create) ? 'unnamed' : unclear.has(one.create) ? 'unclear' : 'lost')
  })
}

function doubledCreates(lines: readonly JournalLine[]): LostCreate[] {
  const ids = Map.groupBy(
    lines.filter((line) => line.kind === 'created'),
    ({ create }) => create,
  )
  const idsOf = ({ create }: LostCreate) => (ids.get(create) ?? []).map(({ id }) => id)
  const answered = new Set(lines.flatMap((line) => ('id' in line || line.kind === 'none' ? [lineOf(line)] : [])))
  const alike = Map.groupBy(creates(lines), (one) => sameSession(one)[0])
  alike.delete(undefined)
  const groups = [...alike.values()]
  const faulty = new Set(
    groups.filter((group) => new Set(group.flatMap(idsOf)).size > 1).flatMap((group) => group[0]?.resource ?? []),
  )
  return groups.flat().filter(({ create, resource }) => faulty.has(resource) && !answered.has(create))
}

function lineOf(line: JournalLine): string | undefined {
  return 'create' in line ? line.create : undefined
}

function refusedCreates(lines: readonly JournalLine[]): LostCreate[] {
  const none = new Set(lines.flatMap((line) => (line.kind === 'none' ? [line.create] : [])))
  return creates(lines).filter((one) => none.has(one.create) && sameSession(one).length > 0)
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
