import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { WebSocket, WebSocketServer } from 'ws'
import { classify } from '#client/failure'
import { joinHeaders } from '#client/http/response-headers'
import type { ChannelOpenEntry } from '#trace/entry'
import { bearerIn } from '../traffic/key-names.ts'
import type { HeardChannel } from '../traffic/recorder.ts'
import { collect } from './collect.ts'
import { linkChannels } from './link.ts'
import type { Way } from './way.ts'

/** A connection on its way through the proxy. */
export interface JoinedChannel {
  cut(): void
}

const longestMessage = 64 * 2 ** 20
const longestRefusal = 64 * 2 ** 10

/** What the target chose for a client's request, of the subprotocols that it offered; false where it chose none. */
const chosen = new WeakMap<IncomingMessage, string | false>()

const acceptor = new WebSocketServer({
  handleProtocols: (_offered, request) => chosen.get(request) ?? false,
  noServer: true,
  perMessageDeflate: false,
  autoPong: false,
  maxPayload: longestMessage,
  skipUTF8Validation: true,
})

/** Headers that each handshake makes of its own. */
const ofTheHandshake = /^(?:host|connection|upgrade|sec-websocket-(?:key|version|extensions|protocol))$/i

/**
 * Opens at the target what a client asks of the proxy, with the client's own headers and credential, and only then lets the
 * client in: it sees the target's refusal where there is one.
 */
export function joinChannel(
  way: Way,
  request: IncomingMessage,
  socket: Duplex,
  head: Buffer,
  done: () => void,
): JoinedChannel {
  const asked = request.url ?? '/'
  const { url, session, recorded } = way.controlUrls.destinationOf(asked)
  const headers = joinHeaders(request.rawHeaders)
  const credential = credentialOf(asked, headers)
  const bearer = credential === 'header' ? bearerIn(headers['authorization'] ?? '') : undefined
  const heard = recorded ? way.recorder.channel(session, withQuery(url, asked), credential, bearer) : unheard
  const target = connect(way, { url, asked, request })
  const cut = (): void => {
    target.terminate()
    socket.destroy()
  }
  let decided = false
  const refuse = (tell: () => void): void => {
    if (decided) return
    decided = true
    tell()
    done()
  }
  socket.on('error', cut)
  socket.once('close', () => {
    refuse(() => heard.refused({ reason: 'aborted', message: 'The client gave up' }))
    if (target.readyState === WebSocket.CONNECTING) target.terminate()
  })
  target.once('unexpected-response', (_asked, answer) => refuse(() => void handRefusal(answer, socket, heard)))
  target.on('error', (error) => {
    refuse(() => {
      heard.refused(classify(error))
      socket.destroy()
    })
  })
  target.once('open', () => {
    if (decided) return
    decided = true
    heard.opened()
    acceptor.handleUpgrade(request, socket, head, (client) => linkChannels(client, target, heard, done))
  })
  return { cut }
}

interface Asked {
  readonly url: string
  /** Path and query that the client asked for. */
  readonly asked: string
  readonly request: IncomingMessage
}

function connect(way: Way, { url, asked, request }: Asked): WebSocket {
  const raw = request.rawHeaders
  const headers: { [name: string]: string } = {}
  for (let place = 0; place + 1 < raw.length; place += 2) {
    const name = raw[place] ?? ''
    if (!ofTheHandshake.test(name)) headers[name] = raw[place + 1] ?? ''
  }
  const protocols = (request.headers['sec-websocket-protocol'] ?? '').split(',').flatMap((one) => one.trim() || [])
  const target = new WebSocket(url, protocols, {
    ...way.sockets.webSocket,
    headers,
    perMessageDeflate: false,
    followRedirects: false,
    autoPong: false,
    skipUTF8Validation: true,
    maxPayload: longestMessage,
    finishRequest: (upgrade) => {
      upgrade.path = asked
      upgrade.end()
    },
  })
  target.once('upgrade', ({ headers: answered }) => {
    chosen.set(request, answered['sec-websocket-protocol'] ?? false)
    // A target may choose none of them (RFC 6455 4.2.2). What the client makes of that is its business, and ws would fail.
    const [first] = protocols
    if (first !== undefined) answered['sec-websocket-protocol'] ??= first
  })
  return target
}

/** Of a connection that is handed on and not recorded. */
const unheard: HeardChannel = { opened() {}, refused() {}, sent() {}, received() {}, closed() {} }

/** What stands in the query beside what the target gave, the token included, as the client sent it. */
function withQuery(url: string, asked: string): string {
  const origin = /^\w+:\/\/[^/?]*/.exec(url)?.[0] ?? ''
  return origin + asked
}

function credentialOf(asked: string, headers: { readonly [name: string]: string }): ChannelOpenEntry['credential'] {
  if (new URLSearchParams(asked.split('?')[1] ?? '').has('token')) return 'query'
  return headers['authorization'] === undefined ? 'none' : 'header'
}

async function handRefusal(answer: IncomingMessage, socket: Duplex, heard: HeardChannel): Promise<void> {
  const status = answer.statusCode ?? 502
  const body = await collect(answer, longestRefusal).catch(() => undefined)
  const text = Buffer.from(body?.whole ?? '').toString('utf8')
  heard.refused({ reason: 'status', status, message: `HTTP ${status}${text === '' ? '' : `: ${text.slice(0, 500)}`}` })
  const raw = answer.rawHeaders
  const lines = raw.flatMap((name, place) =>
    place % 2 === 0 && !/^(?:connection|transfer-encoding|content-length)$/i.test(name)
      ? [`${name}: ${raw[place + 1]}`]
      : [],
  )
  const length = `content-length: ${Buffer.byteLength(text)}`
  socket.end(
    `HTTP/1.1 ${status} ${answer.statusMessage ?? ''}\r\n${[...lines, length, 'connection: close'].join('\r\n')}\r\n\r\n${text}`,
  )
}
