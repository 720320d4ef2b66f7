import type { Journal, JournalledCreate } from '#scenario/journal/journal'
import type { TraceWriter } from '#trace/writer'

/** Takes note of an error that must not stop the cleanup. */
export type Note = (error: unknown) => void

/** A trace that goes on when it cannot be written: closing sessions matters more than recording it. */
export function unstoppable(trace: TraceWriter, note: Note): TraceWriter {
  return {
    write: (draft) => attempt(() => trace.write(draft), note) ?? { line: trace.lines, t: trace.now() },
    now: () => trace.now(),
    get lines() {
      return trace.lines
    },
    close: () => attempt(() => trace.close(), note),
  }
}

/** A journal that goes on when it cannot be written. */
export function unstoppableJournal(journal: Journal, note: Note): Journal {
  const create = (inner: JournalledCreate): JournalledCreate => ({
    created: (id) => attempt(() => inner.created(id), note),
    vague: (how) => attempt(() => inner.vague(how), note),
    none: () => attempt(() => inner.none(), note),
  })
  return {
    file: journal.file,
    get pending() {
      return journal.pending
    },
    intend: (intent) => create(journal.intend(intent)),
    ended: (resource, id) => attempt(() => journal.ended(resource, id), note),
    doubt: (doubt) => attempt(() => journal.doubt(doubt), note),
    end: (leaked) => attempt(() => journal.end(leaked), note),
    resume: (id) => create(journal.resume(id)),
    close: () => attempt(() => journal.close(), note),
  }
}

function attempt<T>(action: () => T, note: Note): T | undefined {
  try {
    return action()
  } catch (error) {
    note(error)
    return undefined
  }
}
