import { theK6 } from '../fake-k6.ts'
import type { ServiceAnswer } from '../fake-service.ts'

interface Params {
  readonly headers?: { readonly [name: string]: string }
  readonly timeout?: number
}

interface FileData {
  readonly data: ArrayBuffer
  readonly filename: string
  readonly content_type: string
}

interface FakeResponse {
  readonly status: number
  readonly body: string | null
  readonly headers: { readonly [name: string]: string }
  readonly timings: { readonly duration: number }
}

/** k6 gives up on a request after a minute where nobody says otherwise. */
const USUAL_TIMEOUT = 60_000

function asyncRequest(
  method: string,
  url: string,
  body: string | { readonly [field: string]: FileData } | null = null,
  { headers = {}, timeout = USUAL_TIMEOUT }: Params = {},
): Promise<FakeResponse> {
  const k6 = theK6()
  const answer = k6.service.request({ method, url, headers: lowerCase(headers), body: textOf(body) })
  return new Promise((resolve) => {
    const after = answer === 'silence' ? Number.POSITIVE_INFINITY : (answer.after_ms ?? 0)
    const answered = answer !== 'silence' && after < timeout
    k6.later(Math.min(after, timeout), () => resolve(answered ? responseOf(answer, after) : noAnswer(timeout)))
  })
}

function responseOf({ status, headers = {}, body = '' }: ServiceAnswer, duration: number): FakeResponse {
  const canonical = Object.entries(headers).map(([name, value]): [string, string] => [canonicalName(name), value])
  return { status, body, headers: Object.fromEntries(canonical), timings: { duration } }
}

const noAnswer = (duration: number): FakeResponse => ({ status: 0, body: null, headers: {}, timings: { duration } })

/** As Go writes it: `Retry-After`. */
const canonicalName = (name: string): string =>
  name.toLowerCase().replaceAll(/(?:^|-)[a-z]/g, (letter) => letter.toUpperCase())

function lowerCase(headers: { readonly [name: string]: string }): { [name: string]: string } {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
}

function textOf(body: string | { readonly [field: string]: FileData } | null): string {
  if (body === null || typeof body === 'string') return body ?? ''
  return Object.entries(body)
    .map(
      ([field, { filename, content_type, data }]) => `${field}: ${filename} ${content_type} ${data.byteLength} bytes`,
    )
    .join('\n')
}

const file = (data: ArrayBuffer, filename: string, content_type: string): FileData => ({ data, filename, content_type })

export default { asyncRequest, file }
