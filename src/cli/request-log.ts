import { appendFileSync } from 'node:fs'
import type { Visit } from '#target/options'
import { printable } from '#text/printable'
import type { Shell } from './shell.ts'
import { fileTrouble, usage } from './stop.ts'

/**
 * Writes a line for each request and upgrade. Of an upgrade's query only the session is shown, of bodies and headers
 * nothing: no secret gets into a log.
 *
 * @param file where it goes; `true` for standard error
 * @throws Stop (2) where the file cannot be written
 */
export function requestLog(file: string | true, shell: Shell): (visit: Visit) => void {
  if (file === true) return (visit) => shell.err(lineOf(visit))
  append(file, '')
  return (visit) => append(file, lineOf(visit))
}

function lineOf({ method, path, status, ms, key }: Visit): string {
  const time = new Date().toISOString().slice(11, 23)
  const outcome = status === undefined ? '' : ` ${status} ${Math.round(ms ?? 0)} ms`
  return `${time} ${method} ${printable(path)}${outcome}${key === undefined ? '' : ` (key ${key})`}\n`
}

function append(file: string, line: string): void {
  try {
    appendFileSync(file, line)
  } catch (error) {
    throw usage(`--log ${file} cannot be written: ${fileTrouble(error)}`)
  }
}
