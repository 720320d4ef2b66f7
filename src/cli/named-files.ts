import { readFileSync } from 'node:fs'
import { fileTrouble, Stop, usage } from './stop.ts'
import { writeWhole } from './write-whole.ts'

/** Reads a file that a user gave. @param named how the complaint calls it @throws Stop (2) */
export function readNamed(file: string, named = file): Buffer {
  try {
    return readFileSync(file)
  } catch (error) {
    throw usage(`${named} cannot be read: ${fileTrouble(error)}`)
  }
}

/** The same as text. @throws Stop (2) */
export const readNamedText = (file: string, named = file): string => readNamed(file, named).toString('utf8')

/** What the JSON of such a file holds. @param remedy what to give in its place @throws Stop (2) */
export function readNamedJson(file: string, named: string, remedy: string): unknown {
  const text = readNamedText(file, named)
  try {
    return JSON.parse(text)
  } catch {
    throw usage(`${named} is not JSON; ${remedy}`)
  }
}

/**
 * Writes a file that a user asked for.
 *
 * @param named how the complaint calls it
 * @param exit 4 where the work of a run is lost with it
 */
export function writeNamed(file: string, text: string, named = file, exit: 2 | 4 = 2): void {
  try {
    writeWhole(file, text)
  } catch (error) {
    throw new Stop(exit, `${named} cannot be written: ${fileTrouble(error)}`)
  }
}
