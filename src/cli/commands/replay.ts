import { Command } from 'commander'
import { integer, repeated } from '../numbers.ts'
import type { Finish, Shell } from '../shell.ts'
import type { ReplayOptions } from '../replay/replay.ts'

/** `greenroom replay`. */
export function replayCommand(shell: Shell, finish: Finish): Command {
  return new Command('replay')
    .description('send a failure of a check again, with fresh ids, and judge what comes')
    .argument('<file>', 'replay/<requirement>.json of a check')
    .option('--target <profile or URL>', 'where to send it (default: $GREENROOM_TARGET, else the embedded target)')
    .option('--times <n>', 'send it this many times, and say how often the failure was seen', integer(1, 1000), 1)
    .option('--max-requests <n>', 'send no more REST requests than this each time', integer(1))
    .option('--trace <file>', 'where to write the trace of what was sent last')
    .option('--defect <id>', 'seed a mistake into the embedded target (repeatable)', repeated, [])
    .option('--variation <id>', 'use a legal alternative of the embedded target (repeatable)', repeated, [])
    .addHelpText('after', exitCodes)
    .action(async (file: string, options: ReplayOptions) => {
      const { replay } = await import('../replay/replay.ts')
      finish(await replay(file, options, shell))
    })
}

const exitCodes = `
Exit codes: 1 it was seen again, at least once; 0 it was not seen again; 3 it could not be judged; 2, 4 and 130 as for
all commands.`
