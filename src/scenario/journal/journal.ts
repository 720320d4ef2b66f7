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
  const lines = new Lines(openSync(file, 'ax', 0o600))
  lines.append({ kind: 'begin', process: ownMark(), ...begin })
  return writer(file, lines)
}

/** Joins the journal of a run that another process began; it counts as alive as long as this process lives. */
export function joinJournal(file: string): Journal {
  const lines = new Lines(openSync(file, 'a'))
  lines.append({ kind: 'worker', process: ownMark() })
  return writer(file, lines)
}

/** Opens a dead run's journal, to sweep it. */
export function reopenJournal(file: string): Journal {
  return writer(file, new Lines(openSync(file, 'a')))
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

function writer(file: string, lines: Lines): Journal {
  const pending = new Set<string>()
  const creating = (create: string, resource?: ResourceKind): JournalledCreate => ({
    created: (id) => {
      pending.delete(create)
      if (resource !== undefined && endOf(resource) !== undefined) pending.add(`${resource} ${id}`)
      lines.tryAppend({ kind: 'created', create, id })
    },
    vague: (how) => {
      pending.delete(create)
      lines.tryAppend({ kind: how, create })
    },
    none: () => {
      pending.delete(create)
      lines.tryAppend({ kind: 'none', create })
    },
  })
  return {
    file,
    get pending() {
      return pending.size
    },
    intend: (intent) => {
      const create = randomUUID()
      lines.append({ kind: 'create', create, ...withoutSecrets(intent) })
      if (endOf(intent.resource) !== undefined) pending.add(create)
      return creating(create, intent.resource)
    },
    ended: (resource, id) => {
      pending.delete(`${resource} ${id}`)
      lines.tryAppend({ kind: 'ended', resource, id })
    },
    doubt: ({ resource, key, id }) =>
      lines.tryAppend({ kind: 'doubt', resource, key, ...(id === undefined ? {} : { id }) }),
    end: (leaked) => lines.tryAppend({ kind: 'end', leaked }),
    resume: creating,
    close: () => lines.close(),
  }
}

/**
 * The file of a journal, until it is closed. What is said after that, such as by an answer that comes late, goes nowhere:
 * the number of a closed file is soon that of another file, or of a socket.
 */
class Lines {
  #handle: number | undefined

  constructor(handle: number) {
    this.#handle = handle
  }

  append(line: JournalLine): void {
    if (this.#handle === undefined) throw new Error('the journal is closed')
    writeSync(this.#handle, `${JSON.stringify(line)}\n`)
  }

  /** What follows an intent only saves a later sweep some work: without it, that sweep asks the target. */
  tryAppend(line: JournalLine): void {
    try {
      this.append(line)
    } catch {
      // A full disk must not keep sessions from being closed.
    }
  }

  close(): void {
    const handle = this.#handle
    this.#handle = undefined
    if (handle !== undefined) closeSync(handle)
  }
}

/** Credentials that a create body can carry (2.6). */
const secretFields = new Set(['tts_api_key', 'llm_api_key'])

function withoutSecrets(intent: Intent): Intent {
  if (intent.body === undefined) return intent
  const text = JSON.stringify(intent.body, (name, value: unknown) => (secretFields.has(name) ? undefined : value))
  return { ...intent, body: JSON.parse(text) as JsonObject }
}
