import type { K6Line } from '#load/k6/lines'
import type { ResourceKind } from '#scenario/journal/creations'
import type { Intent } from '#scenario/journal/journal-line'
import type { Journal, JournalledCreate } from '#scenario/journal/journal'
import type { KeyName } from '#spec/profile'

/** Notes in the journal what k6 makes and ends, as it says it: what is left after any kill is closed by it. */
export class LoadJournal {
  readonly #journal: Journal
  readonly #asked = new Map<string, JournalledCreate>()

  constructor(journal: Journal) {
    this.#journal = journal
  }

  /** k6 is a process of its own that may go on for a moment when this one is killed: its sessions are looked for then. */
  begin(keys: readonly string[]): void {
    for (const key of keys) this.#journal.doubt({ resource: 'avatar-session', key: key as KeyName })
  }

  take(line: K6Line): void {
    if (line.kind === 'create') this.#asked.set(line.create, this.#journal.intend(line.intent as unknown as Intent))
    else if (line.kind === 'created') this.#asked.get(line.create)?.created(line.id)
    else if (line.kind === 'none') this.#asked.get(line.create)?.none()
    else if (line.kind === 'ended') this.#journal.ended(line.resource as ResourceKind, line.id)
    if (line.kind === 'created' || line.kind === 'none') this.#asked.delete(line.create)
  }
}
