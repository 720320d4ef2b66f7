import { mkdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

/**
 * Makes a folder and those above it. Node's own `recursive` never returns where a file system such as /proc answers that a
 * folder which is there does not exist.
 *
 * @throws the system's error
 */
export function makeFolder(path: string): void {
  try {
    make(path)
  } catch (error) {
    if (!isCode(error, 'ENOENT') || dirname(path) === path) throw error
    makeFolder(dirname(path))
    make(path)
  }
}

function make(path: string): void {
  try {
    mkdirSync(path)
  } catch (error) {
    if (!isCode(error, 'EEXIST')) throw error
    if (!statSync(path).isDirectory()) throw Object.assign(new Error(`${path} is a file`), { code: 'ENOTDIR' })
  }
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}
