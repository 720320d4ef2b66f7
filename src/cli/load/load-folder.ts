import { closeSync, fsyncSync, openSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { takeLock } from '../check/out-folder.ts'
import { makeFolder } from '../make-folder.ts'
import { fileTrouble, Stop, usage } from '../stop.ts'
import { writeWhole } from '../write-whole.ts'

/** Where a load run writes. */
export interface LoadFolder {
  readonly path: string
  readonly report: string
  readonly samples: string
  readonly page: string
  /** The nights, as Apache Otava reads them: only a nightly run writes it. */
  readonly otava: string
  /** Gives back what was kept of the disk, for the results to fit on it. */
  makeRoom(): void
  /** Lets the next run write here. */
  release(): void
}

/** A disk that others fill while a run goes on has room for its results all the same; a page may be lost. */
const reservedBytes = 8 * 1024 * 1024

/**
 * Makes the folder, empties it of an earlier run's files, and holds it until `release`.
 *
 * @throws Stop (2) when it cannot be written or another run writes there
 */
export function openLoadFolder(path: string): LoadFolder {
  const lock = join(path, '.running')
  const reserve = join(path, '.reserved')
  const files = {
    report: join(path, 'load.json'),
    samples: join(path, 'samples.ndjson'),
    page: join(path, 'load.html'),
    otava: join(path, 'otava.json'),
  }
  const makeRoom = (): void => rmSync(reserve, { force: true })
  try {
    makeFolder(path)
    takeLock(lock, path)
    for (const file of Object.values(files)) rmSync(file, { force: true })
    keepRoom(reserve)
  } catch (error) {
    if (error instanceof Stop) throw error
    for (const file of [reserve, lock]) removeIfAny(file)
    throw usage(`--out ${path} cannot be written: ${fileTrouble(error)}${roomNeeded(error)}`)
  }
  const release = (): void => {
    makeRoom()
    rmSync(lock, { force: true })
  }
  return { path, ...files, makeRoom, release }
}

/** A full disk, a quota, and a limit on the size of files. */
const noRoom = new Set<unknown>(['ENOSPC', 'EDQUOT', 'EFBIG'])

function roomNeeded(error: unknown): string {
  const isFull = error instanceof Error && 'code' in error && noRoom.has(error.code)
  return isFull ? `; a run keeps ${reservedBytes / 1024 / 1024} MB of it for its results` : ''
}

/** Below a file there is nothing to remove, and the system says so even where nothing need be there. */
function removeIfAny(file: string): void {
  try {
    rmSync(file, { force: true })
  } catch {
    // What keeps it from being removed is told by whoever calls.
  }
}

function keepRoom(file: string): void {
  const handle = openSync(file, 'w')
  try {
    const block = Buffer.alloc(1024 * 1024, 1)
    for (let written = 0; written < reservedBytes; written += block.length) writeSync(handle, block)
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}

/** Writes a result whole, or says why it could not be. @returns whether it is there */
export function tryWrite(file: string, text: string, say: (sentence: string) => void): boolean {
  try {
    writeWhole(file, text)
    return true
  } catch (error) {
    say(`greenroom: ${file} cannot be written: ${fileTrouble(error)}\n`)
    return false
  }
}
