import { statSync } from 'node:fs'
import { join } from 'node:path'

/** The results that a path means: the file itself, or `results.json` in the folder of a run. */
export function resultsFile(path: string): string {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true ? join(path, 'results.json') : path
}
