import { join } from 'node:path'
import { shellWord } from '#report/shell-quote'

/** The command that sends a failure again. @param folder of the replay files, as a reader would type it */
export function replayLine(folder: string, requirement: string): string {
  return `npx greenroom replay ${shellWord(join(folder, `${requirement}.json`))}`
}
