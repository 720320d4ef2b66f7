import { once } from 'node:events'
import { join } from 'node:path'
import { shellWord } from '#report/shell-quote'
import type { ServeOptions } from './commands/serve.ts'
import { type Embedded, startEmbedded } from './embedded.ts'
import type { Shell } from './shell.ts'

/** Runs the reference target until a signal comes. */
export async function serve(options: ServeOptions, shell: Shell): Promise<number> {
  const { signal } = shell.interrupts()
  const embedded = await startEmbedded(options)
  shell.out(announcement(embedded))
  if (!signal.aborted) await once(signal, 'abort')
  const { target } = embedded
  const stats = `${target.requestsServed()} requests served, ${target.openSessions()} sessions were still open`
  await embedded.stop()
  shell.err(`greenroom serve: ${stats}\n`)
  return 0
}

/** Shell commands; what they can't say stands in comments. */
function announcement({ target, profile, environment, folder }: Embedded): string {
  const variables = {
    GREENROOM_TARGET: profile.base_url,
    GREENROOM_API_KEY: target.keys.primary,
    ...environment,
    // Node trusts the certificate through this one, beside its own; the profile names the file itself.
    ...(profile.ca_file === undefined ? {} : { NODE_EXTRA_CA_CERTS: profile.ca_file }),
  }
  return [
    ...Object.entries(variables).map(([name, value]) => `export ${name}=${shellWord(value)}`),
    `# with all keys and limits: greenroom check --target ${shellWord(join(folder, 'profile.json'))}`,
    '# Ctrl-C ends it',
    '',
  ].join('\n')
}
