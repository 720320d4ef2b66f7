/** A session that talks. */
export interface Session {
  readonly id: string
  readonly url: string
  readonly secret: string
}

/** What came of a create: a session, or the key of the refusal. */
export type Created = { readonly session: Session } | { readonly refusal: string }

/**
 * Reads the answer of a create (2.1, section 7). What is no envelope says nothing about the operation.
 * @param body undefined when no answer came at all
 */
export function readCreated(body: string | undefined): Created {
  if (body === undefined) return { refusal: 'network' }
  const envelope = objectOf(parsed(body))
  const code = envelope['code']
  if (typeof code === 'number' && code !== 0) return { refusal: String(code) }
  const data = objectOf(envelope['data'])
  const control = objectOf(data['control'])
  const [id, url, secret] = [data['session_id'], control['url'], control['client_secret']]
  if (typeof id === 'string' && typeof url === 'string' && typeof secret === 'string')
    return { session: { id, url, secret } }
  return { refusal: 'no-envelope' }
}

/** @returns undefined when the frame holds no event */
export function readEvent(frame: unknown): { readonly type: string; readonly [field: string]: unknown } | undefined {
  const event = typeof frame === 'string' ? objectOf(parsed(frame)) : {}
  const { type } = event
  return typeof type === 'string' ? Object.assign(event, { type }) : undefined
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
