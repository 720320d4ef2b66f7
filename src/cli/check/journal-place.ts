import { basename, dirname, join } from 'node:path'
import { journalFolder } from '#scenario/journal/journal'
import { deadJournals, type JournalState } from '#scenario/journal/journal-state'
import type { Shell } from '../shell.ts'

/** Journals of dead runs: in the state folder, and where `--journal` names a file, of that name. */
export function journalsOfTheDead(
  env: Shell['env'],
  journal: string | undefined,
  baseUrl?: string,
): readonly JournalState[] {
  const given =
    journal === undefined ? [] : deadJournals({ folder: dirname(journal), name: basename(journal) }, baseUrl)
  const known = deadJournals({ folder: journalFolder(env) }, baseUrl)
  return [...given, ...known.filter(({ file }) => !given.some((one) => one.file === file))]
}

/** File of a new run's journal. */
export function newJournal(env: Shell['env'], journal: string | undefined, run: string): string {
  return journal ?? join(journalFolder(env), `${run}.journal`)
}
