import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileTrouble, usage } from '../stop.ts'

/** Where a run writes. */
export interface OutFolder {
  readonly trace: string
  readonly results: string
  readonly junit: string
  /** Path of the trace as a reader would type it. */
  readonly shownTrace: string
  /** Lets the next run write here. */
  release(): void
}

/**
 * Makes the folder, empties it of an earlier run's files, and holds it until `release`.
 *
 * @param isHeld whether the process that a lock names still runs
 * @throws Stop (2) when it cannot be written or another run writes there
 */
export function openOutFolder(folder: string, mark: string, isHeld: (mark: string) => boolean): OutFolder {
  const lock = join(folder, '.running')
  const files = {
    trace: join(folder, 'trace.ndjson'),
    results: join(folder, 'results.json'),
    junit: join(folder, 'junit.xml'),
  }
  try {
    mkdirSync(folder, { recursive: true })
    if (!takeLock(lock, mark, isHeld)) {
      throw usage(`--out ${folder} belongs to a run that is still going on; give another folder`)
    }
    for (const file of Object.values(files)) rmSync(file, { force: true })
  } catch (error) {
    if (error instanceof Error && error.name === 'Stop') throw error
    throw usage(`--out ${folder} cannot be written: ${fileTrouble(error)}`)
  }
  return { ...files, shownTrace: shown(files.trace), release: () => rmSync(lock, { force: true }) }
}

function takeLock(lock: string, mark: string, isHeld: (mark: string) => boolean): boolean {
  try {
    writeFileSync(lock, mark, { flag: 'wx' })
    return true
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
  }
  if (isHeld(readFileSync(lock, 'utf8'))) return false
  writeFileSync(lock, mark)
  return true
}

function shown(file: string): string {
  const path = relative('', file)
  return path.startsWith('..') ? file : path
}
