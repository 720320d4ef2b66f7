import type { IncomingMessage, ServerResponse } from 'node:http'
import { gzipSync } from 'node:zlib'
import type { Account } from './accounts/accounts.ts'
import type { Service } from './call.ts'
import { Refusal, statusOf } from './refusal.ts'
import { routeTo } from './routes.ts'

/** Bytes of a body that are kept; what comes after them is read and forgotten. */
const MOST_BYTES = 24_000_000

/** Every answer takes a moment. */
const REPLY_MS = 6

/** Answers one REST call. */
export async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  accounts: readonly Account[],
  service: Service,
): Promise<void> {
  const body = await bytesOf(request)
  await service.timers.pause(REPLY_MS)
  try {
    const account = admit(request, accounts)
    const { pathname, searchParams: query } = new URL(request.url ?? '/', 'https://any')
    const { run, id, status } = routeTo(request.method ?? '', pathname)
    const contentType = request.headers['content-type'] ?? ''
    const data = await run({ account, id, query, body, contentType }, service)
    reply(request, response, status, { data, message: 'fine', code: 0 })
  } catch (error) {
    const refusal = error instanceof Refusal ? error : new Refusal(50000, String(error))
    if (refusal.retryAt !== undefined) {
      response.setHeader('Retry-After', new Date(Math.ceil(refusal.retryAt / 1000) * 1000).toUTCString())
    }
    reply(request, response, statusOf(refusal.code, service.choices.contrary), {
      message: refusal.message,
      code: refusal.code,
      help: 'ask us',
    })
  }
}

/** Section 5: whose call this is. Standing of the account comes before what is asked. */
function admit(request: IncomingMessage, accounts: readonly Account[]): Account {
  const [, secret] = /^bearer +(\S+)$/i.exec(request.headers.authorization ?? '') ?? []
  if (secret === undefined) throw new Refusal(10001, 'missing api key')
  const account = accounts.find((one) => one.secret === secret)
  if (account === undefined) throw new Refusal(10003, 'invalid api key')
  const retryAt = account.bucket.take()
  if (retryAt !== undefined) throw new Refusal(10008, 'API rate limit exceeded', retryAt)
  if (account.keyName === 'billing_inactive') throw new Refusal(10004, 'workspace billing is not active')
  if (account.keyName === 'insufficient_balance') throw new Refusal(10005, 'insufficient workspace balance')
  return account
}

async function bytesOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size <= MOST_BYTES) chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

function reply(request: IncomingMessage, response: ServerResponse, status: number, envelope: object): void {
  const text = Buffer.from(JSON.stringify(envelope))
  const zipped = /\bgzip\b/.test(request.headers['accept-encoding']?.toString() ?? '')
  response.statusCode = status
  response.setHeader('Content-Type', 'application/json;charset=UTF-8')
  response.setHeader('X-Second', '1')
  if (zipped) response.setHeader('Content-Encoding', 'gzip')
  response.end(zipped ? gzipSync(text) : text)
}
