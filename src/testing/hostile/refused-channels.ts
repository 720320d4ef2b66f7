import { besideForeignHost } from './foreign-host.ts'
import { channelRow, serveUpgrades } from './hostile-channel.ts'
import type { HostileTarget } from './hostile-target.ts'
import { CONTROL_PATH } from './session-desk.ts'

const REFUSAL = 'HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\nConnection: close\r\n\r\n'

const WRONG_ACCEPT =
  'HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: bm90IHRoZSByaWdodCBvbmU=\r\n\r\n'

function redirect(authority: string): string {
  const location = `https://${authority}${CONTROL_PATH}?session_id=hs-1`
  return `HTTP/1.1 302 Found\r\nLocation: ${location}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`
}

const expect = { envelope: true, sessions: true }

/** Channels that never really open. */
export const refusedChannels: HostileTarget[] = [
  channelRow('channel-closed-at-once', 'accepts every channel and closes it at once', ({ raw }) => raw.destroy()),
  {
    id: 'channel-refused',
    description: '403 to every upgrade',
    start: () => serveUpgrades((_, socket) => socket.end(REFUSAL)),
    expect,
  },
  {
    id: 'channel-unanswered',
    description: 'never answers an upgrade',
    start: () => serveUpgrades((_, socket) => socket.resume()),
    expect,
  },
  {
    id: 'channel-wrong-accept',
    description: 'accepts upgrades with a wrong Sec-WebSocket-Accept',
    start: () => serveUpgrades((_, socket) => socket.write(WRONG_ACCEPT)),
    expect,
  },
  {
    id: 'channel-redirected',
    description: 'redirects every upgrade to another host',
    start: () =>
      besideForeignHost(true, ({ authority }) => serveUpgrades((_, socket) => socket.end(redirect(authority)))),
    expect: { ...expect, foreign: 0 },
  },
]
