import type { IncomingMessage, ServerResponse } from 'node:http'
import { type BeforeJudged, emptyPage } from './watch-page.ts'

/** Only by these names: a page of somebody else's name that leads here must not read what passes. */
const ownNames = /^(?:127\.0\.0\.1|localhost|\[::1\])(?::\d+)?$/

/** Serves the page of the current state. @param page undefined before anything was judged */
export function servePage(
  request: IncomingMessage,
  response: ServerResponse,
  page: Uint8Array | undefined,
  before: BeforeJudged,
): void {
  if (!ownNames.test(request.headers.host ?? '')) {
    response.writeHead(403, { 'content-type': 'text/plain' }).end('ask for 127.0.0.1\n')
    return
  }
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    response.writeHead(405, { allow: 'GET, HEAD' }).end()
    return
  }
  const body = page ?? emptyPage(before)
  response.writeHead(200, {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'content-security-policy': "frame-ancestors 'none'",
  })
  response.end(request.method === 'HEAD' ? undefined : body)
}
