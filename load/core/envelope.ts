/** A session that talks. */
export interface Session {
  readonly id: string
  readonly url: string
  readonly secret: string
}

/** What came of a create: a session, or the key of the refusal. */
export type Created = { readonly session: Session } | { readonly refusal: string }

/**
 * Reads the answer of a create (2.1, section 7).
 * @param status of HTTP; 0 when no answer came at all
 */
export function readCreated(status: number, body: string): Created {
  if (status === 0) return { refusal: 'network' }
  if (status >= 500) return { refusal: 'http-5xx' }
  const envelope = objectOf(parsed(body))
  const { code } = envelope
  if (typeof code === 'number' && code !== 0) return { refusal: String(code) }
  const data = objectOf(envelope['data'])
  const control = objectOf(data['control'])
  const [id, url, secret] = [data['session_id'], control['url'], control['client_secret']]
  if (typeof id === 'string' && typeof url === 'string' && typeof secret === 'string')
    return { session: { id, url, secret } }
  return { refusal: 'no-envelope' }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function objectOf(value: unknown): { [field: string]: unknown } {
  return typeof value === 'object' && value !== null ? (value as { [field: string]: unknown }) : {}
}
