import { Command } from 'commander'
import type { Finish, Shell } from '../shell.ts'
import type { CleanupOptions } from '../cleanup.ts'

/** `greenroom cleanup`. */
export function cleanupCommand(shell: Shell, finish: Finish): Command {
  return new Command('cleanup')
    .description('close what runs that were killed left open')
    .option('--target <profile or URL>', 'only what was left at this target')
    .option('--journal <file>', 'journal of the run, where one was given to check')
    .action(async (options: CleanupOptions) => {
      const { cleanup } = await import('../cleanup.ts')
      finish(await cleanup(options, shell))
    })
}
