import { join } from 'node:path'
import { shellWord } from '#report/shell-quote'

/**
 * The command that sends a failure again.
 *
 * @param folder of the replay files, as a reader would type it
 * @param options that name the target of the run
 */
export function replayLine(folder: string, requirement: string, options: readonly string[] = []): string {
  const words = [join(folder, `${requirement}.json`), ...options]
  return `npx greenroom replay ${words.map(shellWord).join(' ')}`
}
