import { Command } from 'commander'
import type { Finish } from '../program.ts'
import type { Shell } from '../shell.ts'

export interface DoctorOptions {
  readonly target?: string
}

/** `greenroom doctor`. */
export function doctorCommand(shell: Shell, finish: Finish): Command {
  return new Command('doctor')
    .description(
      'look whether a profile fits its target, by at most 12 requests and a look that nothing stays open, and say what it lacks',
    )
    .option('--target <profile or URL>', 'what to look at (default: $GREENROOM_TARGET)')
    .action(async (options: DoctorOptions) => {
      const { doctor } = await import('../probe/doctor.ts')
      finish(await doctor(options, shell))
    })
}
