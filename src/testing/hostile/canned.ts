import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { WebSocketServer } from 'ws'
import { packageRoot } from '#spec/package-root'
import { type OperationId, operations } from '#spec/tables'
import { eventFrame } from './frames.ts'
import type { HostileTarget } from './hostile-target.ts'
import { drip } from './pour.ts'
import { serveRest } from './serve.ts'

interface Exhibit {
  readonly tests: readonly { readonly valid: boolean; readonly data: object }[]
}

/** What the exhibits show as the answer of each operation; the payloads that are not shown are a session's name and state. */
const answers = Object.entries(operations).map(([id, { method, path }]) => ({
  method,
  path: new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`),
  data: exhibitOf(id as OperationId),
}))

function exhibitOf(id: OperationId): object {
  const { response } = operations[id]
  if (response === null) return { session_id: 's-1', status: 'active' }
  const file = join(packageRoot(), 'fixtures', 'payloads', `${response}.json`)
  const exhibit = JSON.parse(readFileSync(file, 'utf8')) as Exhibit
  return exhibit.tests.find(({ valid }) => valid)?.data ?? {}
}

/** One canned answer for each operation; the sessions' channel leads to this server. */
function serveCanned(speak: (send: (event: object) => void, sink: import('node:stream').Duplex) => void) {
  const channels = new WebSocketServer({ noServer: true, perMessageDeflate: false })
  return serveRest(
    (request, response) => {
      const path = request.url?.split('?')[0] ?? ''
      const canned = answers.find((one) => one.method === request.method && one.path.test(path))
      const body =
        canned === undefined ? { code: 20005, message: 'not found' } : { code: 0, message: '', data: canned.data }
      response.writeHead(canned === undefined ? 404 : 200, { 'content-type': 'application/json' })
      response.end(JSON.stringify(body).replaceAll('//svc.example/', `//${request.headers.host ?? ''}/`))
    },
    (request, raw, head) =>
      channels.handleUpgrade(request, raw, head, (ws) => {
        ws.on('error', () => ws.terminate())
        speak((event) => ws.send(JSON.stringify(event)), raw)
      }),
  )
}

const opening = {
  type: 'session.updated',
  event_id: 'canned',
  session: { mode: 'text_chat', active_avatar_id: 'host' },
}

function row(id: string, description: string, speak: Parameters<typeof serveCanned>[0]): HostileTarget {
  return { id, description, start: () => serveCanned(speak), expect: { envelope: true, sessions: true } }
}

const flood = Buffer.concat(Array.from({ length: 100 }, () => eventFrame(opening)))

/** A mock: whatever is asked, the answer is the one of the documentation. */
export const cannedAnswers: HostileTarget[] = [
  row('canned-answers', 'one canned answer for each operation, and a channel that says one thing', (send) =>
    send(opening),
  ),
  row(
    'canned-flood',
    'one canned answer for each operation, and a channel that says the same 10,000 times a second',
    (_, raw) => drip(raw, 10, () => flood),
  ),
]
