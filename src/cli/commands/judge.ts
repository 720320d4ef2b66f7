import { Command } from 'commander'
import type { Finish, Shell } from '../shell.ts'
import type { JudgeOptions } from '../judge.ts'

/** `greenroom judge`. */
export function judgeCommand(shell: Shell, finish: Finish): Command {
  return new Command('judge')
    .description('judge a trace again, offline: the same trace gives the same results, byte for byte')
    .argument('<trace>', 'trace.ndjson of a run')
    .option('--out <file>', 'where to write the results (default: standard output)')
    .action(async (trace: string, options: JudgeOptions) => {
      const { judgeFile } = await import('../judge.ts')
      finish(await judgeFile(trace, options, shell))
    })
}
