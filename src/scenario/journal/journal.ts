import { randomUUID } from 'node:crypto'
import { closeSync, existsSync, mkdirSync, openSync, renameSync, rmSync, writeSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import type { JsonObject } from '#trace/json'
import type { ResourceKind } from './creations.ts'
import { endOf } from './creations.ts'
import type { Begin, Doubt, Intent, JournalLine, Leak } from './journal-line.ts'
import { readJournal } from './journal-state.ts'
import { isAlive, ownMark } from './process-mark.ts'

/** Append-only record of what a run asked for, written before it asks. One file a run; every line is on disk at once. */
export interface Journal {
  readonly file: string
  /** Things that were asked for through this journal, may be there and have yet to be ended. */
  readonly pending: number
  /** Says what is about to be asked for. @throws the system's error when it can't be written; nothing may be sent then */
  intend(intent: Intent): JournalledCreate
  /** Says that a thing is gone. */
  ended(resource: ResourceKind, id: string): void
  /** Says what is to be looked at once more. */
  doubt(doubt: Doubt): void
  /** The last line. */
  end(leaked: readonly Leak[]): void
  /** Takes up a create of an earlier process. */
  resume(create: string): JournalledCreate
  close(): void
}

export interface JournalledCreate {
  /** Once for each thing that it made. */
  created(id: string): void
  vague(how: 'unnamed' | 'unclear'): void
  none(): void
}

/** Another live process writes to the file. */
export class JournalBusy extends Error {
  constructor(file: string) {
    super(`the journal ${file} belongs to a run that is still going on`)
    this.name = 'JournalBusy'
  }
}

/** Where journals are kept: `$XDG_STATE_HOME/greenroom`, by default under `~/.local/state`. */
export function journalFolder(environment: { readonly [name: string]: string | undefined }): string {
  const state = environment['XDG_STATE_HOME']
  return join(state !== undefined && state !== '' ? state : join(homedir(), '.local', 'state'), 'greenroom')
}

/**
 * Begins the journal of a run. A dead run's journal in the same place is kept beside it.
 *
 * @throws JournalBusy when a live run writes there.
 */
export function beginJournal(file: string, begin: Begin): Journal {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  if (existsSync(file)) setAside(file)
  const handle = openSync(file, 'ax', 0o600)
  const journal = writer(file, handle)
  append(handle, { kind: 'begin', process: ownMark(), ...begin })
  return journal
}

/** Joins the journal of a run that another process began; it counts as alive as long as this process lives. */
export function joinJournal(file: string): Journal {
  const handle = openSync(file, 'a')
  append(handle, { kind: 'worker', process: ownMark() })
  return writer(file, handle)
}

/** Opens a dead run's journal, to sweep it. */
export function reopenJournal(file: string): Journal {
  return writer(file, openSync(file, 'a'))
}

/** Forgets a journal that has nothing left to clean. */
export function removeJournal(file: string): void {
  rmSync(file, { force: true })
}

function setAside(file: string): void {
  const state = readJournal(file)
  if (state === undefined) throw new Error(`${file} is there already and is no journal`)
  if (state.processes.some(isAlive)) throw new JournalBusy(file)
  renameSync(file, `${file}.${state.begin.run}`)
}

function writer(file: string, handle: number): Journal {
  const pending = new Set<string>()
  const creating = (create: string, resource?: ResourceKind): JournalledCreate => ({
    created: (id) => {
      pending.delete(create)
      if (resource !== undefined && endOf(resource) !== undefined) pending.add(`${resource} ${id}`)
      tryAppend(handle, { kind: 'created', create, id })
    },
    vague: (how) => {
      pending.delete(create)
      tryAppend(handle, { kind: how, create })
    },
    none: () => {
      pending.delete(create)
      tryAppend(handle, { kind: 'none', create })
    },
  })
  return {
    file,
    get pending() {
      return pending.size
    },
    intend: (intent) => {
      const create = randomUUID()
      append(handle, { kind: 'create', create, ...withoutSecrets(intent) })
      if (endOf(intent.resource) !== undefined) pending.add(create)
      return creating(create, intent.resource)
    },
    ended: (resource, id) => {
      pending.delete(`${resource} ${id}`)
      tryAppend(handle, { kind: 'ended', resource, id })
    },
    doubt: ({ resource, key, id }) =>
      tryAppend(handle, { kind: 'doubt', resource, key, ...(id === undefined ? {} : { id }) }),
    end: (leaked) => tryAppend(handle, { kind: 'end', leaked }),
    resume: creating,
    close: () => closeSync(handle),
  }
}

function append(handle: number, line: JournalLine): void {
  writeSync(handle, `${JSON.stringify(line)}\n`)
}

/** What follows an intent only saves a later sweep some work: without it, that sweep asks the target. */
function tryAppend(handle: number, line: JournalLine): void {
  try {
    append(handle, line)
  } catch {
    // A full disk must not keep sessions from being closed.
  }
}

/** Credentials that a create body can carry (2.6). */
const secretFields = new Set(['tts_api_key', 'llm_api_key'])

function withoutSecrets(intent: Intent): Intent {
  if (intent.body === undefined) return intent
  const text = JSON.stringify(intent.body, (name, value: unknown) => (secretFields.has(name) ? undefined : value))
  return { ...intent, body: JSON.parse(text) as JsonObject }
}
