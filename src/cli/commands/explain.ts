import { Command } from 'commander'
import type { Finish, Shell } from '../shell.ts'
import type { ExplainOptions } from '../explain.ts'

/** `greenroom explain`. */
export function explainCommand(shell: Shell, finish: Finish): Command {
  return new Command('explain')
    .description('say what a requirement means, what proves it, and what happened to it')
    .argument('<id>', 'id of a requirement or choice')
    .option('--results <file>', 'results.json of a run')
    .action(async (id: string, options: ExplainOptions) => {
      const { explain } = await import('../explain.ts')
      finish(await explain(id, options, shell))
    })
}
