import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Results } from '#judge/results'
import { type AllureOptions, allureReport, ownPrefix } from '#report/allure/allure'
import type { Recorded } from '#report/allure/model'
import type { Entry } from '#trace/entry'
import { makeFolder } from '../make-folder.ts'
import { filesIn } from './files-in.ts'

/** Where allure-vitest records while nothing is judged yet: a run that is killed must not leave green results behind. */
export interface AllureFolder {
  readonly results: string
  readonly recorded: string
}

/** Makes the place for allure-vitest. @returns its path */
export function prepareRecording({ recorded }: AllureFolder): string {
  makeFolder(recorded)
  return recorded
}

/** Takes an earlier run's files away; those of other tools in the same folder stay, as far as Allure keeps them apart. */
export function clearAllure({ results, recorded }: AllureFolder): void {
  rmSync(recorded, { recursive: true, force: true })
  const ours = filesIn(results).filter((name) => name.startsWith(ownPrefix))
  if (ours.length === 0) return
  for (const name of [...ours, 'environment.properties', 'categories.json'])
    rmSync(join(results, name), { force: true })
}

/** Writes all or nothing: half a report could be green. @throws the system's error */
export function writeAllure(
  folder: AllureFolder,
  results: Results,
  entries: readonly Entry[],
  options: Omit<AllureOptions, 'recorded'>,
): void {
  const recorded = readRecorded(folder.recorded)
  try {
    makeFolder(folder.results)
    allureReport(results, entries, { ...options, recorded }, ({ name, content }) => {
      writeFileSync(join(folder.results, name), content)
    })
  } catch (error) {
    clearAllure(folder)
    throw error
  } finally {
    rmSync(folder.recorded, { recursive: true, force: true })
  }
}

function readRecorded(folder: string): readonly Recorded[] {
  const names = filesIn(folder).filter((name) => name.endsWith('-result.json'))
  return names.map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')) as Recorded)
}
