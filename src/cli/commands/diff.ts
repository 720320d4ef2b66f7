import { Command } from 'commander'
import type { Finish, Shell } from '../shell.ts'
import type { DiffOptions } from '../diff/diff.ts'

/** `greenroom diff`. */
export function diffCommand(shell: Shell, finish: Finish): Command {
  return new Command('diff')
    .description('what is different between two runs; exits with 1 where something fails that did not fail before')
    .argument('<before>', 'results.json of the earlier run, or its folder')
    .argument('<after>', 'results.json of the later run, or its folder')
    .option('--json', 'as JSON, with every row', false)
    .action(async (before: string, after: string, options: DiffOptions) => {
      const { diff } = await import('../diff/diff.ts')
      finish(diff(before, after, options, shell))
    })
}
