/** A session that talks. */
export interface Session {
  readonly id: string
  readonly url: string
  readonly secret: string
}

/** What came of a request. */
export interface RestAnswer {
  /** Of HTTP; 0 when no answer came at all. */
  readonly status: number
  /** Of the envelope: `0` for success. `no-envelope` for another body, `network` where no answer came. */
  readonly code: string
  readonly data: { readonly [field: string]: unknown }
  /** As the header says it; undefined when it is missing. */
  readonly retryAfter: string | undefined
  /** The `Date` header, since a `Retry-After` may be a date on the service's clock. */
  readonly date: string | undefined
  /** Before the request was given to the machine, on its clock. */
  readonly sentAt: number
  /** When the answer was there; a little later than it came where the machine was busy. */
  readonly answeredAt: number
  /** From the first byte sent to the last one received, as the machine measured it. */
  readonly ms: number
}

/** The outcome of an answer, without its moments. */
export type Envelope = Pick<RestAnswer, 'status' | 'code' | 'data'>

/** Reads an answer (Conventions, section 7). @param status 0 when no answer came at all */
export function readEnvelope(status: number, body: string): Envelope {
  if (status === 0) return { status, code: 'network', data: {} }
  const envelope = objectOf(parsed(body))
  const { code } = envelope
  if (typeof code !== 'number') return { status, code: 'no-envelope', data: {} }
  return { status, code: `${code}`, data: objectOf(envelope['data']) }
}

export const succeeded = ({ status, code }: Envelope): boolean => code === '0' && status < 500

/** The session that a create returned (2.1); undefined when it returned none. */
export function sessionIn(answer: Envelope): Session | undefined {
  if (!succeeded(answer)) return undefined
  const control = objectOf(answer.data['control'])
  const [id, url, secret] = [answer.data['session_id'], control['url'], control['client_secret']]
  if (typeof id !== 'string' || typeof url !== 'string' || typeof secret !== 'string') return undefined
  return { id, url, secret }
}

/** The session that the answer to a create names: that to a repeat may name it alone, without its control channel. */
export function namedSession(answer: Envelope): Pick<Session, 'id'> | Session | undefined {
  const id = answer.data['session_id']
  return sessionIn(answer) ?? (succeeded(answer) && typeof id === 'string' ? { id } : undefined)
}

export function objectOf(value: unknown): { readonly [field: string]: unknown } {
  return typeof value === 'object' && value !== null ? (value as { [field: string]: unknown }) : {}
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
