import { Command } from 'commander'
import { repeated } from '../numbers.ts'
import type { Finish, Shell } from '../shell.ts'
import type { ListOptions } from '../list.ts'

/** `greenroom list`. */
export function listCommand(shell: Shell, finish: Finish): Command {
  return new Command('list')
    .description('list the requirements, or what else has an id')
    .option('--part <part>', 'only of this part, such as control-channel')
    .option('--word <text>', 'only what holds this text, in its id or its words (repeatable)', repeated, [])
    .option('--json', 'as JSON', false)
    .option('--scenarios', 'the scenarios instead', false)
    .option('--defects', 'the mistakes that can be seeded into the reference target instead', false)
    .option('--variations', 'the legal alternatives of the reference target instead', false)
    .option(
      '--coverage',
      'the requirements by section, with what proves each, and the counts of each section and of its sentences',
      false,
    )
    .action(async (options: ListOptions) => {
      const { list } = await import('../list.ts')
      finish(await list(options, shell))
    })
}
