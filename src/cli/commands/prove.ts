import { Command } from 'commander'
import { integer, type Share, share } from '../numbers.ts'
import type { Finish, Shell } from '../shell.ts'

interface Options {
  readonly only: readonly string[]
  readonly seed: number
  readonly pairs: number
  readonly bundles: number
  readonly instant: boolean
  readonly finds: boolean
  readonly share?: Share
  readonly out?: string
  readonly threads?: number
}

/** `greenroom prove`. */
export function proveCommand(shell: Shell, finish: Finish): Command {
  return new Command('prove')
    .description('run every seeded defect and every legal variation of the reference target, and write the kill matrix')
    .option(
      '--only <text...>',
      'only defects, variations, validations (with a slash) and pairs and bundles (with a plus) whose id contains the text, and the pairs and bundles that are named in full (a+b)',
      [],
    )
    .option('--share <k/n>', 'only every n-th defect and variation, from the k-th on, such as 2/3', share)
    .option('--pairs <n>', 'random pairs of variations', integer(0), 30)
    .option('--bundles <n>', 'random bundles of five variations', integer(0), 5)
    .option('--no-instant', 'leave out the runs in which the target answers at once')
    .option('--no-finds', 'leave out what each scenario finds, which `check --within` chooses by (finds.json)')
    .option('--seed <n>', 'seed of the targets, the pairs and the bundles', integer(0), 1)
    .option('--threads <n>', 'worker threads', integer(1, 64))
    .option('--out <dir>', 'where proof.md and proof.json go (default: reports)')
    .action(async (options: Options) => {
      const { prove, proofFolder } = await import('../prove/prove.ts')
      finish(await prove({ ...options, out: options.out ?? proofFolder() }, shell))
    })
}
