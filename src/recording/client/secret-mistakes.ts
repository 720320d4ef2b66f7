import { decoded } from '#trace/decoded'
import type { ChannelOpenEntry, Entry, RequestEntry } from '#trace/entry'
import { at } from '#trace/json'
import type { Mistake } from './mistake.ts'
import { isPreflight, remember, shownPath } from './request-mistakes.ts'

type Found = Omit<Mistake, 'line'>

const mostSessions = 20_000

/** Credentials where section 5 allows none. Traces hold stand-ins: `[api_key primary]`, `[client_secret 81034216]`. */
export class SecretMistakes {
  /** By the stand-in of its control secret: the session. */
  readonly #owners = new Map<string, string>()

  of(entry: Entry): readonly Found[] {
    if (entry.kind === 'request') return [...misplaced(requestFaults(entry)), ...inBrowser(entry)]
    if (entry.kind === 'channel-open') return misplaced(this.#channelFaults(entry))
    if (entry.kind === 'frame-sent') {
      return /\[api_key [^\]]+\]/.test(JSON.stringify(entry.data ?? entry.text))
        ? misplaced(['an API key in an event on the control channel'])
        : []
    }
    if (entry.kind === 'response') {
      const secret = at(entry.body, '/data/control/client_secret')
      const session = at(entry.body, '/data/session_id')
      if (typeof secret === 'string' && typeof session === 'string')
        remember(this.#owners, secret, session, mostSessions)
    }
    return []
  }

  #channelFaults({ url, session, credential }: ChannelOpenEntry): readonly string[] {
    const query = new URLSearchParams(url.split('?')[1] ?? '')
    const token = query.get('token') ?? ''
    const owner = this.#owners.get(token)
    return [
      ...(query.has('client_secret')
        ? ['the control secret in a query parameter client_secret; its name is token (5.2)']
        : []),
      ...(credential === 'none' && !query.has('client_secret') ? ['a control URL opened without its token (5.2)'] : []),
      ...(token.startsWith('[api_key ') ? ['an API key as the token of a control channel (5.1, 5.2)'] : []),
      ...(owner !== undefined && owner !== session ? ['the control secret of another session (5.3)'] : []),
    ]
  }
}

function misplaced(faults: readonly string[]): readonly Found[] {
  return faults.map((what) => ({ kind: 'secret-in-the-wrong-place', what }))
}

/** 5.1: the key "must never be placed in a browser or mobile application". */
function inBrowser(entry: RequestEntry): readonly Found[] {
  const { method, path, headers } = entry
  const asks = isPreflight(entry) && announces(headers, 'authorization')
  if (!asks && !(isOfBrowser(headers) && /\[api_key /.test(headers['authorization'] ?? ''))) return []
  const does = asks ? ' asks whether a page may send the key' : ''
  return [{ kind: 'key-in-a-browser', what: `${method} ${shownPath(path)}${does}; the key stays on the server (5.1)` }]
}

/** Whether a page asks to send this header (Fetch, CORS-preflight). */
function announces(headers: RequestEntry['headers'], name: string): boolean {
  const announced = (headers['access-control-request-headers'] ?? '').split(',')
  return announced.some((one) => one.trim().toLowerCase() === name)
}

function requestFaults({ method, path, headers, body }: RequestEntry): readonly string[] {
  const asked = `${method} ${shownPath(path)}`
  const authorization = headers['authorization'] ?? ''
  const query = decoded(path.split('?').slice(1).join('?'))
  return [
    ...(/\[(?:api_key|client_secret|token) [^\]]+\]/.test(query) ? [`${asked} with a secret in its URL`] : []),
    ...(/^bearer \[client_secret /i.test(authorization)
      ? [`${asked} with the control secret of a session in the place of the API key`]
      : []),
    ...(/\[api_key [^\]]+\]/.test(JSON.stringify(body ?? null)) ? [`${asked} with the API key in its body`] : []),
  ]
}

/** A header that a browser sets and no script can; Node's `fetch` sends `sec-fetch-mode` too, but not this one. */
function isOfBrowser(headers: RequestEntry['headers']): boolean {
  return headers['sec-fetch-site'] !== undefined
}
