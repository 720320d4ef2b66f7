import http, { type RefinedResponse } from 'k6/http'
import { readEnvelope, type RestAnswer } from '../core/envelope.ts'
import type { RestRequest } from '../scenarios/machine.ts'
import type { Settings } from './settings.ts'

/** Sends one request and reads its answer; blocks nothing. Never rejects. */
export async function sendRequest(
  settings: Settings,
  request: RestRequest,
  key: string,
  now: () => number,
): Promise<RestAnswer> {
  const sentAt = now()
  const answer = await ask(settings, request, key)
  const answeredAt = now()
  if (answer === undefined) return lost(sentAt, answeredAt)
  return {
    ...readEnvelope(answer.status, typeof answer.body === 'string' ? answer.body : ''),
    retryAfter: headerOf(answer, 'Retry-After'),
    date: headerOf(answer, 'Date'),
    sentAt,
    answeredAt,
    ms: answer.status === 0 ? answeredAt - sentAt : answer.timings.duration,
  }
}

async function ask(
  { target, secrets, workload }: Settings,
  { operation, method, path, body, file }: RestRequest,
  key: string,
): Promise<RefinedResponse<'text'> | undefined> {
  const json = body === undefined ? undefined : JSON.stringify(body)
  const form = file === undefined ? undefined : { [file.field]: http.file(file.bytes, file.name, file.type) }
  const headers = { Authorization: `Bearer ${secrets.get(key) ?? ''}` }
  try {
    return await http.asyncRequest(method, `${target.base}${path}`, form ?? json ?? null, {
      headers: json === undefined ? headers : { ...headers, 'Content-Type': 'application/json' },
      // As a tag, the address would make a time series of every session.
      tags: { name: operation },
      redirects: 0,
      responseType: 'text',
      timeout: workload.patience_ms,
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

/** k6 writes names of headers as Go does: `Retry-After`. */
function headerOf(answer: RefinedResponse<'text'>, name: string): string | undefined {
  return answer.headers[name]
}
