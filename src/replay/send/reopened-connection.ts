import { decoded } from '#trace/decoded'
import type { OpenOptions, OpenSession } from '#scenario/author/context'
import { makeWrong } from '#scenario/runner/wrong-secret'
import type { KeyName } from '#spec/profile'
import type { ChannelOpenEntry } from '#trace/entry'
import { textAt } from '#trace/json'
import { isStandIn, keysIn, wrongWayOf } from '#trace/stand-ins'
import type { Bindings } from './bindings.ts'

/**
 * How a recorded connection is opened again: with the session's own URL and secret unless it was another one then.
 *
 * @param recordedUrl `control.url` of the session in the recording
 */
export function openingOf(
  entry: ChannelOpenEntry,
  recordedUrl: string | undefined,
  session: OpenSession,
  bindings: Bindings,
): OpenOptions {
  const { credential } = entry
  const { url, token } = apart(entry)
  return {
    credential,
    ...(url === recordedUrl || recordedUrl === undefined
      ? {}
      : { url: moved(bindings.text(url), [url, recordedUrl], session) }),
    ...secretOf(credential === 'header' ? entry.secret : token, session, bindings),
  }
}

/**
 * Another address than the session's own, at the target that is asked now: only where it led elsewhere than its session
 * does it stay where it was.
 */
function moved(text: string, [url, recordedUrl]: readonly [string, string], { data }: OpenSession): string {
  const [to, from, before] = [URL.parse(text), URL.parse(url), URL.parse(recordedUrl)]
  const now = URL.parse(textAt(data, '/control/url') ?? '')
  if (to === null || now === null || from === null || from.host !== before?.host) return text
  to.protocol = now.protocol
  to.host = now.host
  if (from.pathname === before.pathname) to.pathname = now.pathname
  return to.href
}

/** The address, and the token that was put behind it. */
export function apart({ url, credential }: ChannelOpenEntry): {
  readonly url: string
  readonly token: string | undefined
} {
  const found = credential === 'query' ? /^(.*?)[?&]token=([^&#]*)$/s.exec(url) : null
  return found === null ? { url, token: undefined } : { url: found[1] ?? '', token: decoded(found[2] ?? '') }
}

function secretOf(
  recorded: string | undefined,
  { data }: OpenSession,
  bindings: Bindings,
): Pick<OpenOptions, 'secret' | 'api_key'> {
  if (recorded === undefined) return {}
  const [key] = keysIn(recorded)
  if (key?.text === recorded && key.way === undefined) return { api_key: key.key as KeyName }
  const own = textAt(data, '/control/client_secret') ?? ''
  const now = bindings.text(recorded)
  // A stand-in that no answer told stood for a secret that was made up.
  if (isStandIn(now)) return { secret: makeWrong(own, wrongWayOf(now)) }
  return now === own ? {} : { secret: now }
}
