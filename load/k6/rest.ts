import http, { type RefinedResponse } from 'k6/http'
import { readEnvelope, type RestAnswer } from '../core/envelope.ts'
import type { RestRequest } from '../scenarios/machine.ts'
import type { RawAnswer } from './sample.ts'
import type { Settings } from './settings.ts'

export interface Sent {
  readonly answer: RestAnswer
  /** What it was before it was read; undefined where none came. */
  readonly raw: RawAnswer | undefined
  /** Whether there was no connection over which it could have been sent. */
  readonly unsent: boolean
}

/** Sends one request and reads its answer; blocks nothing. Never rejects. */
export async function sendRequest(
  settings: Settings,
  request: RestRequest,
  key: string,
  now: () => number,
): Promise<Sent> {
  const sentAt = now()
  const response = await ask(settings, request, key)
  const answeredAt = now()
  if (response === undefined) return { answer: lost(sentAt, answeredAt), raw: undefined, unsent: false }
  const { status, headers, timings } = response
  const body = typeof response.body === 'string' ? response.body : ''
  const answer = {
    ...readEnvelope(status, body),
    // k6 writes names of headers as Go does.
    retryAfter: headers['Retry-After'],
    date: headers['Date'],
    sentAt,
    answeredAt,
    ms: status === 0 ? answeredAt - sentAt : timings.duration,
  }
  return { answer, raw: { headers, body }, unsent: isUnsent(response.error_code) }
}

/** Of k6's error codes, those of a name that was not found (11xx) and of a connection that did not come to be (121x). */
const isUnsent = (code: number): boolean => Math.floor(code / 100) === 11 || Math.floor(code / 10) === 121

async function ask(
  { target, secrets, headers: gate, workload }: Settings,
  { operation, method, path, body, file, timeout_ms }: RestRequest,
  key: string,
): Promise<RefinedResponse<'text'> | undefined> {
  const json = body === undefined ? undefined : JSON.stringify(body)
  const form = file === undefined ? undefined : { [file.field]: http.file(file.bytes, file.name, file.type) }
  const headers = { ...gate, Authorization: `Bearer ${secrets[key] ?? ''}` }
  try {
    return await http.asyncRequest(method, `${target.base}${path}`, form ?? json ?? null, {
      headers: json === undefined ? headers : { ...headers, 'Content-Type': 'application/json' },
      // As a tag, the address would make a time series of every session.
      tags: { name: operation },
      redirects: 0,
      responseType: 'text',
      timeout: timeout_ms ?? workload.patience_ms,
    })
  } catch {
    return undefined
  }
}

const lost = (sentAt: number, answeredAt: number): RestAnswer => ({
  ...readEnvelope(0, ''),
  retryAfter: undefined,
  date: undefined,
  sentAt,
  answeredAt,
  ms: answeredAt - sentAt,
})
