import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { isAlive, ownMark, type ProcessMark } from '#scenario/journal/process-mark'
import { makeFolder } from '../make-folder.ts'
import { fileTrouble, Stop, usage } from '../stop.ts'
import { type AllureFolder, clearAllure } from './allure-folder.ts'
import { reportFiles } from '../report-files.ts'

/** Where a run writes. */
export interface OutFolder {
  readonly trace: string
  readonly results: string
  readonly page: string
  readonly junit: string
  readonly ctrf: string
  readonly summary: string
  readonly allure: AllureFolder
  /** Folder of the failures that can be sent again. */
  readonly replays: string
  /** Folder of uploaded files, by their sha256. */
  readonly uploads: string
  /** Path of the trace as a reader would type it. */
  readonly shownTrace: string
  /** Lets the next run write here. */
  release(): void
}

/**
 * Makes the folder, empties it of an earlier run's files, and holds it until `release`.
 *
 * @throws Stop (2) when it cannot be written or another run writes there
 */
export function openOutFolder(folder: string): OutFolder {
  const lock = join(folder, '.running')
  const files = {
    trace: join(folder, 'trace.ndjson'),
    results: join(folder, 'results.json'),
    page: join(folder, reportFiles.html),
    junit: join(folder, reportFiles.junit),
    ctrf: join(folder, reportFiles.ctrf),
    summary: join(folder, reportFiles.github),
    mistakes: join(folder, mistakesFile),
  }
  const replays = join(folder, 'replay')
  const allure = { results: join(folder, 'allure-results'), recorded: join(folder, '.allure') }
  try {
    makeFolder(folder)
    takeLock(lock, folder)
    for (const file of Object.values(files)) rmSync(file, { force: true })
    clearAllure(allure)
    clearReplays(replays)
  } catch (error) {
    if (error instanceof Stop) throw error
    throw usage(`--out ${folder} cannot be written: ${fileTrouble(error)}`)
  }
  const uploads = join(replays, uploadsFolder)
  return {
    ...files,
    allure,
    replays,
    uploads,
    shownTrace: shown(files.trace),
    release: () => rmSync(lock, { force: true }),
  }
}

/** What clients did wrong in a recording. */
export const mistakesFile = 'client-mistakes.json'

/** Name of the folder with uploaded files, beside the replay files. */
export const uploadsFolder = 'uploads'

/** Takes an earlier run's files away, and nothing else. */
function clearReplays(folder: string): void {
  if (!existsSync(folder)) return
  for (const name of readdirSync(folder)) if (/\.(?:json|mjs)$/.test(name)) rmSync(join(folder, name), { force: true })
  rmSync(join(folder, uploadsFolder), { recursive: true, force: true })
}

/** Two runs that write into one trace would judge each other's targets. */
export function takeLock(lock: string, folder: string): void {
  if (isHeld(lock)) throw usage(`--out ${folder} belongs to a run that is still going on; give another folder`)
  rmSync(lock, { force: true })
  writeFileSync(lock, JSON.stringify(ownMark()), { flag: 'wx' })
}

function isHeld(lock: string): boolean {
  try {
    const mark: ProcessMark = JSON.parse(readFileSync(lock, 'utf8'))
    return isAlive(mark)
  } catch {
    return false
  }
}

/** A path as a reader would type it. */
export function shown(file: string): string {
  const path = relative('', file)
  return path.startsWith('..') ? file : path
}
