import { once } from 'node:events'
import { startWatch, type RunningWatch, type WatchSettings } from '#recording/watch'
import { shellWord } from '#report/shell-quote'
import { presentKeys, readSecrets } from '#scenario/run/run-secrets'
import { loadProfileAlone } from '../profile/load-profile.ts'
import type { Shell } from '../shell.ts'
import { fileTrouble, usage } from '../stop.ts'
import { openRecordingFolder } from './recording-folder.ts'
import { writeRecording } from './write-recording.ts'

export interface WatchOptions {
  readonly target?: string
  readonly port?: number
  readonly out?: string
}

/** Watches until a signal comes. */
export async function watch(options: WatchOptions, shell: Shell): Promise<number> {
  const { signal } = shell.interrupts()
  const settings = settingsOf(options, shell)
  const out = openRecordingFolder(options.out)
  try {
    const running = await start({ ...settings, trace: out.trace }, options)
    shell.out(announcement(running, settings.profile.base_url, options))
    await Promise.race([signal.aborted ? undefined : once(signal, 'abort'), running.broken])
    // Long traffic takes a while: whoever hears nothing asks again, and has no result then.
    shell.err(
      'greenroom: no client is served any more; what passed is judged. A second Ctrl-C ends that, without a result\n',
    )
    return writeRecording(await running.end(), out.results, shell)
  } finally {
    out.release()
  }
}

function settingsOf({ target = '', port }: WatchOptions, shell: Shell): Omit<WatchSettings, 'trace'> {
  const named = target === '' ? (shell.env['GREENROOM_TARGET'] ?? '') : target
  if (named === '')
    throw usage('--target is missing: give the profile or the address of the service to stand in front of')
  const profile = loadProfileAlone(named)
  const known = presentKeys(readSecrets(profile, shell.env))
  const unset = Object.entries(profile.keys).filter(([name]) => !known.some((one) => one === name))
  if (unset.length > 0) {
    const variables = unset.map(([name, variable]) => `${variable} (keys.${name})`).join(', ')
    const keys = unset.length === 1 ? 'that key' : 'these keys'
    shell.err(`greenroom: not set: ${variables}; the trace calls ${keys} "unlisted-1" or so\n`)
  }
  return { profile, environment: shell.env, port: port ?? 0 }
}

async function start(settings: WatchSettings, { port }: WatchOptions): Promise<RunningWatch> {
  try {
    return await startWatch(settings)
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (code === 'EADDRINUSE')
      throw usage(`--port ${port ?? 0} cannot be used: it is taken; give another, or leave it out for a free one`)
    if (code === 'EACCES') throw usage(`--port ${port ?? 0} cannot be used: ${fileTrouble(error)}`)
    throw error
  }
}

/** Shell commands; what they can't say stands in comments. */
function announcement({ base_url }: RunningWatch, target: string, { out }: WatchOptions): string {
  return [
    `# in front of ${target}: point clients here, keys as before`,
    `export GREENROOM_WATCHED=${shellWord(base_url)}`,
    `# what it has seen so far: ${base_url}/`,
    out === undefined ? '# Ctrl-C ends it; give --out DIR to keep the trace' : `# Ctrl-C ends it and writes ${out}`,
    '',
  ].join('\n')
}
