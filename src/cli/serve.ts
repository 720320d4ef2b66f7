import { once } from 'node:events'
import { shellWord } from '#report/shell-quote'
import { type Embedded, startEmbedded } from './embedded.ts'
import { judgeRecordingFile } from './recording/judge-recording-file.ts'
import { mistakeLines } from './recording/mistake-lines.ts'
import { makeRoom } from './recording/record-file.ts'
import { recordedStandIn } from './recording/recorded-stand-in.ts'
import { requestLog } from './request-log.ts'
import { readScript } from './serve-script.ts'
import { firstLines } from './serve-lines.ts'
import type { Shell } from './shell.ts'
import { usage } from './stop.ts'

export interface ServeOptions {
  readonly port?: number
  readonly seed: number
  readonly defect: readonly string[]
  readonly variation: readonly string[]
  readonly tls: boolean
  readonly requestsPerMinute?: number
  /** A file; `true` for standard error. */
  readonly log?: string | true
  /** File of a script. */
  readonly script?: string
  /** File of a trace. */
  readonly record?: string
}

/** Runs the reference target until a signal comes. */
export async function serve(options: ServeOptions, shell: Shell): Promise<number> {
  const { signal } = shell.interrupts()
  const { log, script, record, ...target } = options
  if (record !== undefined && target.tls)
    throw usage('--record needs --no-tls: what is recorded passes in the clear on this machine')
  if (record !== undefined) makeRoom(record)
  const { openapi } = await import('#export/openapi')
  const { port, ...unrecorded } = target
  const standIn = await startEmbedded({
    ...(record === undefined ? target : unrecorded),
    ...(script === undefined ? {} : { override: readScript(script) }),
    documents: { '/openapi.json': JSON.stringify(openapi()) },
    ...(log === undefined ? {} : { onVisit: requestLog(log, shell) }),
  })
  const embedded = record === undefined ? standIn : await recordedStandIn(standIn, record, port ?? 0)
  shell.out(announcement(embedded))
  if (!signal.aborted) await once(signal, 'abort')
  const { target: served } = embedded
  const [requests, open] = [served.requestsServed(), served.openSessions()]
  const stats = `${many(requests, 'request')} served, ${many(open, 'session')} ${open === 1 ? 'was' : 'were'} still open`
  await embedded.stop()
  shell.err(`greenroom serve: ${stats}\n`)
  if (record !== undefined) await tellMistakes(record, shell)
  return 0
}

/** What an app does wrong is what its author records it for; the verdict would only be that of the stand-in. */
async function tellMistakes(record: string, shell: Shell): Promise<void> {
  const { mistakes } = await judgeRecordingFile(record)
  const none = mistakes.total === 0 ? 'clients: nothing was wrong\n' : ''
  shell.err(`${mistakeLines(mistakes)}${none}`)
}

function many(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`
}

/** Shell commands; what they can't say stands in comments. */
function announcement(embedded: Embedded): string {
  const { target, profile, environment } = embedded
  const variables = {
    GREENROOM_TARGET: profile.base_url,
    GREENROOM_API_KEY: target.keys.primary,
    ...environment,
    // Node trusts the certificate through this one, beside its own; the profile names the file itself.
    ...(profile.ca_file === undefined ? {} : { NODE_EXTRA_CA_CERTS: profile.ca_file }),
  }
  return [
    ...Object.entries(variables).map(([name, value]) => `export ${name}=${shellWord(value)}`),
    ...firstLines(embedded),
    '',
  ].join('\n')
}
