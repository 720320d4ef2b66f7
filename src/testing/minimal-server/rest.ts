import type { IncomingMessage, RequestListener } from 'node:http'
import { finished } from 'node:stream/promises'
import type { Account, Accounts } from './accounts/accounts.ts'
import { Fault } from './reading.ts'
import { Refusal } from './refusal.ts'
import type { SessionBook } from './session-book.ts'
import { viewCreated, viewLine, viewRecord } from './session-view.ts'

const LARGEST_BODY = 1 << 20

interface Call {
  account: Account
  request: IncomingMessage
  id: string
}

interface Reply {
  status: number
  data: object
}

interface Route {
  method: string
  path: RegExp
  serve(call: Call): Reply | Promise<Reply>
}

async function readJson(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = []
  let size = 0
  request.on('data', (chunk: Buffer) => {
    size += chunk.length
    if (size <= LARGEST_BODY) chunks.push(chunk)
  })
  await finished(request, { writable: false })
  if (size > LARGEST_BODY) throw new Refusal(30004, 'the body is larger than 1 MiB', 422)
  try {
    return JSON.parse(Buffer.concat(chunks).toString())
  } catch {
    throw new Refusal(30004, 'the body is not JSON', 422)
  }
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}

function sessionRoutes(book: SessionBook): Route[] {
  const sessions = /^\/v1\/realtime-avatar\/sessions$/
  return [
    {
      method: 'POST',
      path: sessions,
      serve: async ({ account, request }) => {
        const session = book.create(account, await readJson(request))
        return { status: 200, data: viewCreated(session, request.headers.host ?? '') }
      },
    },
    {
      method: 'GET',
      path: sessions,
      serve: ({ account }) => {
        const open = book.open(account.workspace).map(viewLine)
        return { status: 200, data: { open, total: String(open.length) } }
      },
    },
    {
      method: 'GET',
      path: /^\/v1\/realtime-avatar\/sessions\/([^/]+)$/,
      serve: ({ account, id }) => ({ status: 200, data: viewRecord(book.find(account, id)) }),
    },
    {
      method: 'POST',
      path: /^\/v1\/realtime-avatar\/sessions\/([^/]+)\/close$/,
      serve: ({ account, id }) => {
        book.find(account, id).close('client_request')
        return { status: 202, data: { accepted: true } }
      },
    },
  ]
}

/** Codes outside section 7 are legal: "any non-zero `code` means failure". */
const NOT_OFFERED = 50100

async function route(routes: readonly Route[], accounts: Accounts, request: IncomingMessage): Promise<Reply> {
  const account = accounts.admit(request.headers.authorization)
  const path = (request.url ?? '').split('?')[0] ?? ''
  for (const each of routes) {
    const match = each.path.exec(path)
    if (match !== null && each.method === request.method) {
      return each.serve({ account, request, id: decode(match[1] ?? '') })
    }
  }
  throw new Refusal(NOT_OFFERED, 'this service offers nothing here')
}

function refusalOf(error: unknown): Refusal {
  if (error instanceof Refusal) return error
  if (error instanceof Fault) return new Refusal(30004, error.message, 422)
  return new Refusal(50000, 'something went wrong here', 500)
}

/** Answers every REST request in the envelope; failures carry no `data`. */
export function restListener(book: SessionBook, accounts: Accounts): RequestListener {
  const routes = sessionRoutes(book)
  return (request, response) => {
    const send = (status: number, body: object, headers: Record<string, string> = {}): void => {
      request.resume()
      response.writeHead(status, { ...headers, 'content-type': 'application/json', 'x-powered-by': 'minimal' })
      response.end(JSON.stringify(body))
    }
    route(routes, accounts, request).then(
      ({ status, data }) => send(status, { code: 0, message: 'done', data, took_ms: 1 }),
      (error: unknown) => {
        const { code, message, status, headers } = refusalOf(error)
        send(status, { code, message }, headers)
      },
    )
  }
}
