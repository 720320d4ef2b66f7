import { Command } from 'commander'
import type { Finish, Shell } from '../shell.ts'
import { usage } from '../stop.ts'
import type { InitOptions } from '../probe/probe.ts'

/** `greenroom init`. */
export function initCommand(shell: Shell, finish: Finish): Command {
  return new Command('init')
    .description('write a starter profile for your target')
    .argument('[file]', 'where to write it; an existing file is left alone', 'greenroom.profile.json')
    .option(
      '--probe <URL>',
      'ask the target what it offers, with the key in $GREENROOM_API_KEY, and explain every field in comments; sends at most 12 requests, and more only to end what it opened',
    )
    .option('--ca-file <file>', 'with --probe: the authority that signed its certificate')
    .option('--image-url <URL>', 'with --probe: a portrait that it can fetch; shows whether it offers video')
    .action(async (file: string, options: InitOptions) => {
      if (options.probe !== undefined) {
        const { probe } = await import('../probe/probe.ts')
        finish(await probe(file, options.probe, options, shell))
        return
      }
      const [needless] = [options.caFile && '--ca-file', options.imageUrl && '--image-url'].filter(Boolean)
      if (needless !== undefined)
        throw usage(`${needless} is for --probe URL only; give it, or write it into the profile`)
      const { writeStarterProfile } = await import('../profile/starter-profile.ts')
      finish(writeStarterProfile(file, shell))
    })
}
