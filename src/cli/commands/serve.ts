import { Command } from 'commander'
import { integer, repeated } from '../numbers.ts'
import type { Finish, Shell } from '../shell.ts'
import type { ServeOptions } from '../serve.ts'

/** `greenroom serve`. */
export function serveCommand(shell: Shell, finish: Finish): Command {
  return new Command('serve')
    .description('run the reference target on this machine until Ctrl-C, and print what to export to use it')
    .option('--port <n>', 'port to listen on (default: a free one)', integer(0, 65_535))
    .option('--seed <n>', 'same seed, same ids, keys and texts', integer(0, 0xffff_ffff), 1)
    .option('--defect <id>', 'seed a mistake, see "list --defects" (repeatable)', repeated, [])
    .option('--variation <id>', 'use a legal alternative, see "list --variations" (repeatable)', repeated, [])
    .option('--no-tls', 'speak plain HTTP and WS')
    .option('--requests-per-minute <n>', 'rate limit of the keys', integer(1))
    .option('--log [file]', 'write a line for each request (default: to standard error)')
    .option('--script <file>', 'refuse, stall, break or expire what the file says, to try how a client bears it')
    .option('--record <file>', 'write a trace of what a client does, for "judge" (with --no-tls)')
    .action(async (options: ServeOptions) => {
      const { serve } = await import('../serve.ts')
      finish(await serve(options, shell))
    })
}
