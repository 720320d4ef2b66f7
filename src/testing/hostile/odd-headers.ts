import type { Socket } from 'node:net'
import type { Expectation, HostileTarget } from './hostile-target.ts'
import { type Handler, serveRest } from './serve.ts'

const BODY = '{"code":0,"message":"","data":{}}'
const LONG = 100 * 1024

/** Sends a head line by line as given, which `ServerResponse` would tidy up. */
function raw(...lines: string[]): Handler {
  return (_request, response) => {
    const socket: Socket | null = response.socket
    socket?.write(['HTTP/1.1 200 OK', ...lines, '', BODY].join('\r\n'))
  }
}

const length = `Content-Length: ${BODY.length}`

function row(id: string, description: string, answer: Handler, expect: Expectation): HostileTarget {
  return { id, description, start: () => serveRest(answer), expect }
}

/** Heads that few clients have seen. */
export const oddHeaders: HostileTarget[] = [
  row(
    'duplicate-headers',
    'every header twice, with different values',
    raw(length, 'Content-Type: text/html', 'content-type: application/json', 'Retry-After: 1', 'Retry-After: 3600'),
    { envelope: true, sessions: false },
  ),
  row(
    'duplicate-lengths',
    'two content lengths that contradict each other',
    raw(length, `Content-Length: ${BODY.length + 7}`, 'Content-Type: application/json'),
    { sessions: false },
  ),
  row(
    'long-headers',
    'a header of 100 KB',
    raw(length, 'Content-Type: application/json', `X-Long: ${'x'.repeat(LONG)}`),
    { sessions: false },
  ),
]
