import { createServer, type IncomingMessage, request as ask, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { listen, LOOPBACK_HOST } from '../listener.ts'
import { type ChannelWay, join } from './channel-way.ts'
import type { FaultPlan } from './fault-plan.ts'
import { type EdgeAnswer, sorry } from './pages.ts'

/** A proxy in front of a target without TLS, on loopback. */
export interface FaultyProxy {
  readonly base_url: string
  /** How often each thing went wrong. */
  readonly mishaps: ReadonlyMap<string, number>
  stop(): Promise<void>
}

/** How often it is looked whether nobody is there, in milliseconds. */
const glance_ms = 50

/** Hands on what the fault plan lets through. Addresses of the target in its answers become the proxy's. */
export async function startFaultyProxy(base_url: string, faultPlan: FaultPlan): Promise<FaultyProxy> {
  const { port: behind } = new URL(base_url)
  const mishaps = new Map<string, number>()
  const note = (what: string): void => void mishaps.set(what, (mishaps.get(what) ?? 0) + 1)
  const sockets = new Set<Socket>()
  const server = createServer((incoming, response) => {
    void serve(incoming, response, { behind, front: () => listener.port, faultPlan, note })
  })
  server.on('connection', (socket: Socket) => {
    if (faultPlan.away()) socket.resetAndDestroy()
    else sockets.add(socket.once('close', () => sockets.delete(socket)))
  })
  server.on('upgrade', (incoming, socket: Socket, head) => {
    socket.on('error', () => socket.destroy())
    const fate = faultPlan.upgrade()
    if (fate.is !== 'fine') note(fate.is === 'refused' ? `upgrade refused with ${fate.status}` : 'upgrade reset')
    if (fate.is === 'reset') socket.resetAndDestroy()
    else if (fate.is === 'refused') socket.end(`HTTP/1.1 ${fate.status} Sorry\r\nconnection: close\r\n\r\n${sorry}`)
    else keep(join(socket, incoming, { head, behind, faultPlan }), socket)
  })
  const ways = new Set<ChannelWay>()
  const keep = (way: ChannelWay, socket: Socket): void => {
    ways.add(way)
    socket.once('close', () => ways.delete(way))
  }
  const watch = setInterval(() => {
    const cut = faultPlan.cutsAll?.()
    if (cut !== undefined) note(`all ${ways.size} connections cut`)
    if (cut !== undefined) for (const way of ways) way.cut(cut)
    if (!faultPlan.away()) return
    if (sockets.size > 0) note('away')
    for (const socket of sockets) socket.resetAndDestroy()
  }, glance_ms)
  const listener = await listen(server)
  return {
    base_url: `http://${LOOPBACK_HOST}:${listener.port}`,
    mishaps,
    stop: async () => {
      clearInterval(watch)
      await listener.stop()
    },
  }
}

interface Way {
  readonly behind: string
  readonly front: () => number
  readonly faultPlan: FaultPlan
  readonly note: (what: string) => void
}

async function serve(incoming: IncomingMessage, response: ServerResponse, way: Way): Promise<void> {
  const fate = way.faultPlan.request()
  const again = fate.is === 'twice' && repeatable.has(incoming.method ?? '')
  if (fate.is === 'twice' ? again : fate.is !== 'fine')
    way.note('status' in fate ? `${fate.is} ${fate.status}` : fate.is)
  try {
    const body = await bytesOf(incoming)
    if (fate.is === 'continued') response.writeContinue()
    await passing(way)
    const acts = fate.is === 'page' ? fate.acted : fate.is !== 'lost' && fate.is !== 'mishap'
    const first = acts ? await handOn(incoming, response, body, way.behind) : undefined
    const answer = again ? await handOn(incoming, response, body, way.behind) : first
    await passing(way, fate.is === 'stalled' ? fate.ms : 0)
    if (fate.is === 'closed-behind' || fate.is === 'continued') response.shouldKeepAlive = false
    if (fate.is === 'page') answerPage(response, fate.answer ?? { status: fate.status, headers: html, text: sorry })
    else if (fate.is === 'mishap') answerMishap(response, fate.status)
    else if (fate.is === 'cut' && answer !== undefined) breakOff(response, answer)
    else if (fate.is !== 'answer-lost' && answer !== undefined) handBack(response, answer, way)
    else incoming.socket.resetAndDestroy()
  } catch {
    incoming.socket.destroy()
  }
}

/** What the way takes, in one direction. */
async function passing({ faultPlan }: Way, more = 0): Promise<void> {
  const ms = (faultPlan.delay_ms?.() ?? 0) + more
  if (ms > 0) await new Promise((resolve) => void setTimeout(resolve, ms))
}

const html = { 'content-type': 'text/html' }

/** The methods that a proxy may send again by itself. */
const repeatable: ReadonlySet<string> = new Set(['GET', 'PUT', 'DELETE'])

/** The first half of an answer that says how long it is. */
function breakOff(response: ServerResponse, { status, headers, bytes }: ForwardedReply): void {
  const { 'transfer-encoding': _, ...kept } = headers
  response.writeHead(status, { ...kept, 'content-length': bytes.length })
  response.write(bytes.subarray(0, bytes.length / 2), () => response.destroy())
}

function handBack(response: ServerResponse, { status, headers, bytes }: ForwardedReply, { behind, front }: Way): void {
  const text = bytes.toString('latin1').replaceAll(`:${behind}`, `:${front()}`)
  const { 'content-length': _, 'transfer-encoding': __, ...kept } = headers
  response.writeHead(status, kept).end(Buffer.from(text, 'latin1'))
}

function answerPage(response: ServerResponse, { status, headers, text }: EdgeAnswer): void {
  response.writeHead(status, { ...headers }).end(text)
}

function answerMishap(response: ServerResponse, status: number): void {
  const envelope = { code: 50_000, message: 'Something went wrong here.', data: null }
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(envelope))
}

interface ForwardedReply {
  readonly status: number
  readonly headers: IncomingMessage['headers']
  readonly bytes: Buffer
}

function handOn(
  incoming: IncomingMessage,
  response: ServerResponse,
  body: Buffer,
  port: string,
): Promise<ForwardedReply> {
  return new Promise((resolve, reject) => {
    const { method, url, headers } = incoming
    const { 'accept-encoding': _, ...kept } = headers
    const outgoing = ask({ host: LOOPBACK_HOST, port, method, path: url, headers: kept }, (answer) => {
      bytesOf(answer).then(
        (bytes) => resolve({ status: answer.statusCode ?? 502, headers: answer.headers, bytes }),
        reject,
      )
    })
    outgoing.on('error', reject)
    // Whoever gives up in front is given up behind.
    response.once('close', () => {
      if (!response.writableFinished) outgoing.destroy()
    })
    outgoing.end(body)
  })
}

async function bytesOf(stream: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of stream) chunks.push(chunk)
  return Buffer.concat(chunks)
}
