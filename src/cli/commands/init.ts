import { Command } from 'commander'
import type { Finish } from '../program.ts'
import type { Shell } from '../shell.ts'

/** `greenroom init`. */
export function initCommand(shell: Shell, finish: Finish): Command {
  return new Command('init')
    .description('write a starter profile for your target')
    .argument('[file]', 'where to write it; an existing file is left alone', 'greenroom.profile.json')
    .action(async (file: string) => {
      const { writeStarterProfile } = await import('../profile/starter-profile.ts')
      finish(writeStarterProfile(file, shell))
    })
}
