import { Command } from 'commander'
import { integer } from '../numbers.ts'
import type { Finish, Shell } from '../shell.ts'
import type { WatchOptions } from '../recording/watch.ts'

/** `greenroom watch`. */
export function watchCommand(shell: Shell, finish: Finish): Command {
  return new Command('watch')
    .description(
      'stand between clients and a service until Ctrl-C: record what passes, judge it, and send nothing of our own',
    )
    .option('--target <profile or URL>', 'the service (default: $GREENROOM_TARGET)')
    .option('--port <n>', 'port to listen on, at 127.0.0.1 (default: a free one)', integer(0, 65_535))
    .option('--out <dir>', 'where to leave trace.ndjson, results.json and client-mistakes.json')
    .addHelpText('after', exits)
    .action(async (options: WatchOptions) => {
      const { watch } = await import('../recording/watch.ts')
      finish(await watch(options, shell))
    })
}

const exits = `
Ctrl-C ends it as it is meant to end: exit code 0 if nothing broken was seen, 1 if the service broke a requirement,
3 if nothing passed that can be judged. A second Ctrl-C ends it at once, with 130. What clients did wrong changes no exit code.`
