import type { HostileTarget } from './hostile-target.ts'
import { type Handler, serveRest } from './serve.ts'

type Headers = Record<string, string>

/** The same status, headers and body to everything. */
export function always(status: number, body: string | Buffer, headers: Headers = {}): Handler {
  return (_request, response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers })
    response.end(body)
  }
}

function envelope(code: number, message: string, data: unknown = {}): string {
  return JSON.stringify({ code, message, data })
}

interface Row {
  status: number
  body: string | Buffer
  says: string
  headers?: Headers
  envelope?: boolean
}

const html = '<!doctype html><title>Hello</title><script>alert(1)</script><p>It works!'

const throttled = envelope(10008, 'API rate limit exceeded')

const rows: Record<string, Row> = {
  'empty-object': { status: 200, body: '{}', says: '200 {} to everything', envelope: false },
  'empty-success': { status: 200, body: envelope(0, ''), says: 'an empty success to everything', envelope: true },
  'error-30004': {
    status: 400,
    body: envelope(30004, 'invalid argument'),
    says: '30004 to everything',
    envelope: true,
  },
  'error-99999': { status: 400, body: envelope(99999, 'no'), says: 'an unlisted code to everything', envelope: true },
  'error-10003': { status: 401, body: envelope(10003, 'invalid api key'), says: '10003 to everything', envelope: true },
  'throttle-zero': {
    status: 429,
    body: throttled,
    headers: { 'retry-after': '0' },
    says: '429 for ever, Retry-After: 0',
    envelope: true,
  },
  'throttle-hour': {
    status: 429,
    body: throttled,
    headers: { 'retry-after': '3600' },
    says: '429 for ever, Retry-After: 3600',
    envelope: true,
  },
  'full-for-ever': {
    status: 429,
    body: envelope(30006, 'workspace concurrency limit exceeded'),
    says: '30006 to everything',
    envelope: true,
  },
  'crowded-for-ever': {
    status: 429,
    body: envelope(30008, 'model resource capacity exceeded'),
    says: '30008 to everything',
    envelope: true,
  },
  'throttle-second': {
    status: 429,
    body: throttled,
    headers: { 'retry-after': '1' },
    says: '429 for ever, Retry-After: 1',
    envelope: true,
  },
  'throttle-bare': { status: 429, body: throttled, says: '429 for ever without Retry-After', envelope: true },
  'crash-enveloped': { status: 500, body: envelope(50000, 'oops'), says: 'an enveloped 500', envelope: true },
  'crash-bare': { status: 500, body: '', says: 'a 500 without body', envelope: false },
  'html-ok': { status: 200, body: html, headers: { 'content-type': 'text/html' }, says: 'HTML 200', envelope: false },
  'html-bad-gateway': {
    status: 502,
    body: html,
    headers: { 'content-type': 'text/html' },
    says: 'HTML 502 of a proxy',
    envelope: false,
  },
  'no-content': { status: 204, body: '', says: '204 to everything', envelope: false },
  'array-body': { status: 200, body: `[${envelope(0, '')}]`, says: 'an array of one envelope', envelope: false },
  'code-string': { status: 200, body: '{"code":"0","message":"","data":{}}', says: 'code as a string' },
  'code-huge': {
    status: 200,
    body: `{"code":${'9'.repeat(400)},"message":"","data":{}}`,
    says: 'a code of 400 digits',
  },
}

function startRow({ status, body, headers }: Row): HostileTarget['start'] {
  return () => serveRest(always(status, body, headers))
}

/** One and the same answer to every request. */
export const fixedAnswers: HostileTarget[] = Object.entries(rows).map(([id, row]) => ({
  id,
  description: row.says,
  start: startRow(row),
  expect: { sessions: false, ...(row.envelope === undefined ? {} : { envelope: row.envelope }) },
}))
