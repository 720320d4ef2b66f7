import { Command } from 'commander'
import type { Finish, Shell } from '../shell.ts'
import type { DoctorOptions } from '../probe/doctor.ts'

/** `greenroom doctor`. */
export function doctorCommand(shell: Shell, finish: Finish): Command {
  return new Command('doctor')
    .description(
      'say whether a profile fits its target, and what it lacks; sends at most 12 requests, and more only to end what it opened',
    )
    .option('--target <profile or URL>', 'what to look at (default: $GREENROOM_TARGET)')
    .action(async (options: DoctorOptions) => {
      const { doctor } = await import('../probe/doctor.ts')
      finish(await doctor(options, shell))
    })
}
