import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import type { ServiceRules } from '../../../load/testing/service/rules.ts'
import { SimulatedService } from '../../../load/testing/service/service.ts'

export interface RunningLimiter {
  readonly base_url: string
  readonly service: SimulatedService
  /** The value of a key, by its name. */
  keyOf(name: string): string
  stop(): Promise<void>
}

const PREFIX = 'limiter-key-'

/** The simulated service over HTTP and in real time, for a real k6. */
export async function serveLimiter(rules: ServiceRules, random: () => number): Promise<RunningLimiter> {
  const surroundings = { now: Date.now, wait: (ms: number) => wait(ms), random }
  const service = new SimulatedService(rules, surroundings)
  const server = createServer((request, response) => void answer(service, request, response))
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    base_url: `http://127.0.0.1:${port}`,
    service,
    keyOf: (name) => `${PREFIX}${name}`,
    stop: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => void server.close(resolve))
    },
  }
}

async function answer(service: SimulatedService, request: IncomingMessage, response: ServerResponse): Promise<void> {
  let body = ''
  for await (const chunk of request) body += String(chunk)
  const bearer = /^Bearer (.*)$/.exec(request.headers.authorization ?? '')?.[1] ?? ''
  const reply = await service.handle({
    key: bearer.startsWith(PREFIX) ? bearer.slice(PREFIX.length) : undefined,
    method: request.method ?? 'GET',
    path: request.url?.split('?')[0] ?? '/',
    body: body === '' ? undefined : (JSON.parse(body) as { [field: string]: unknown }),
    abandoned: () => response.destroyed,
  })
  if (reply.status === 0) {
    response.destroy()
    return
  }
  response.sendDate = false
  response.setHeader('Date', reply.date)
  if (reply.retryAfter !== undefined) response.setHeader('Retry-After', reply.retryAfter)
  response.setHeader('Content-Type', reply.body.startsWith('{') ? 'application/json' : 'text/html')
  response.writeHead(reply.status).end(reply.body)
}
