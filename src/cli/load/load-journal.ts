import type { K6Line } from '#load/k6/lines'
import type { ResourceKind } from '#scenario/journal/creations'
import type { Intent } from '#scenario/journal/journal-line'
import type { Journal, JournalledCreate } from '#scenario/journal/journal'
import type { KeyName } from '#spec/profile'

/** Notes in the journal what k6 makes and ends, as it says it: what is left after any kill is closed by it. */
export class LoadJournal {
  readonly #journal: Journal
  /** By the name of each request. */
  readonly #asked = new Map<string, Asked>()
  /** Those with an idempotency key of which no answer told yet, by all that was asked for: a retry makes nothing more. */
  readonly #keyed = new Map<string, Asked>()

  constructor(journal: Journal) {
    this.#journal = journal
  }

  /** k6 is a process of its own that may go on for a moment when this one is killed: its sessions are looked for then. */
  begin(keys: readonly string[]): void {
    for (const key of keys) this.#journal.doubt({ resource: 'avatar-session', key: key as KeyName })
  }

  take(line: K6Line): void {
    if (line.kind === 'create') this.#ask(line.create, line.intent as unknown as Intent)
    else if (line.kind === 'ended') this.#journal.ended(line.resource as ResourceKind, line.id)
    else if (line.kind === 'created' || line.kind === 'none') {
      const asked = this.#asked.get(line.create)
      this.#asked.delete(line.create)
      if (asked !== undefined) this.#answered(asked, line.kind === 'created' ? line.id : undefined)
    }
  }

  #ask(create: string, intent: Intent): void {
    const mark = intent.idempotency_key === undefined ? undefined : JSON.stringify(intent)
    const before = mark === undefined ? undefined : this.#keyed.get(mark)
    const asked = before ?? { line: this.#journal.intend(intent), mark, open: 0 }
    asked.open += 1
    this.#asked.set(create, asked)
    if (mark !== undefined) this.#keyed.set(mark, asked)
  }

  /** @param id undefined where it made nothing: of several requests with one key, another may have */
  #answered(asked: Asked, id: string | undefined): void {
    asked.open -= 1
    if (id === undefined && asked.open > 0) return
    if (id !== undefined) asked.line.created(id)
    else if (asked.mark === undefined || this.#keyed.get(asked.mark) === asked) asked.line.none()
    if (asked.mark !== undefined && this.#keyed.get(asked.mark) === asked) this.#keyed.delete(asked.mark)
  }
}

/** One thing that was asked for, by however many requests. */
interface Asked {
  readonly line: JournalledCreate
  readonly mark: string | undefined
  /** Requests whose answer has not come. */
  open: number
}
