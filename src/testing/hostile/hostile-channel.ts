import type { Duplex } from 'node:stream'
import { type WebSocket, WebSocketServer } from 'ws'
import type { HostileServer, HostileTarget, Stats } from './hostile-target.ts'
import { serveRest, type Upgrade } from './serve.ts'
import { CONTROL_PATH, SessionDesk } from './session-desk.ts'

/** A control channel that has been accepted: `raw` lies below `ws` and writes bytes that `ws` refuses to. */
export interface HostileChannel {
  ws: WebSocket
  raw: Duplex
  session_id: string
}

export type Misbehave = (channel: HostileChannel) => void

const LARGEST_MESSAGE = 16 << 20

/** Serves sessions that work up to the upgrade, which `upgrade` answers. */
export function serveUpgrades(upgrade: Upgrade): Promise<HostileServer> {
  const desk = new SessionDesk((id, authority) => `wss://${authority}${CONTROL_PATH}?session_id=${id}`)
  return serveRest(desk.answer, upgrade)
}

/** Serves sessions that work up to the open channel, which then misbehaves. Wrong credentials are refused as they must be. */
export async function serveChannels(misbehave: Misbehave): Promise<HostileServer> {
  const desk = new SessionDesk((id, authority) => `wss://${authority}${CONTROL_PATH}?session_id=${id}`)
  const channels = new WebSocketServer({ noServer: true, perMessageDeflate: false, maxPayload: LARGEST_MESSAGE })
  const server: HostileServer = await serveRest(desk.answer, (request, raw, head) => {
    if (!desk.admits(request)) {
      raw.end('HTTP/1.1 401 Unauthorized\r\nConnection: close\r\n\r\n')
      return
    }
    channels.handleUpgrade(request, raw, head, (ws) => {
      listen(ws, server.stats)
      const session_id = new URL(request.url ?? '/', 'wss://here.invalid').searchParams.get('session_id') ?? ''
      misbehave({ ws, raw, session_id })
    })
  })
  return server
}

function listen(ws: WebSocket, stats: Stats): void {
  ws.on('error', () => ws.terminate())
  ws.on('message', () => {
    stats.messages += 1
  })
}

export function channelRow(id: string, description: string, misbehave: Misbehave): HostileTarget {
  return {
    id,
    description,
    start: () => serveChannels(misbehave),
    expect: { envelope: true, sessions: true },
  }
}
