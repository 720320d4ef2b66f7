import { closeSync, openSync, readSync, rmSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { makeFolder } from '../make-folder.ts'
import { fileTrouble, usage } from '../stop.ts'

const beginning = '{"kind":"header"'

/**
 * Makes room for the trace of a recording: its folder is made, and an earlier trace in its place is gone, lest two stand in
 * one file.
 *
 * @throws Stop (2) where it cannot be written, or something else stands there
 */
export function makeRoom(file: string): void {
  try {
    makeFolder(dirname(resolve(file)))
    if (!isTraceOrNew(file)) throw usage(`--record ${file} would overwrite a file that is no trace: name another one`)
    rmSync(file, { force: true })
  } catch (error) {
    if (error instanceof Error && 'code' in error)
      throw usage(`--record ${file} cannot be written: ${fileTrouble(error)}`)
    throw error
  }
}

function isTraceOrNew(file: string): boolean {
  const fd = openSync(file, 'a+')
  try {
    const bytes = Buffer.alloc(beginning.length)
    const read = readSync(fd, bytes, 0, bytes.length, 0)
    return read === 0 || bytes.toString() === beginning
  } finally {
    closeSync(fd)
  }
}
