import { closeSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs'
import type { ProcessMark } from './process-mark.ts'
import { isAlive, ownMark } from './process-mark.ts'

/**
 * Takes a file's lock, `<file>.lock`. A lock whose process has ended counts as free.
 *
 * @returns what gives it back, or undefined while another process has it
 */
export function lock(file: string): (() => void) | undefined {
  const path = `${file}.lock`
  for (let tries = 0; tries < 2; tries += 1) {
    if (take(path)) return () => rmSync(path, { force: true })
    if (isHeld(path)) return undefined
    rmSync(path, { force: true })
  }
  return undefined
}

function take(path: string): boolean {
  try {
    const handle = openSync(path, 'wx', 0o600)
    writeSync(handle, JSON.stringify(ownMark()))
    closeSync(handle)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}

function isHeld(path: string): boolean {
  try {
    return isAlive(JSON.parse(readFileSync(path, 'utf8')) as ProcessMark)
  } catch {
    return false
  }
}
