import { WebSocketServer } from 'ws'
import { besideForeignHost } from './foreign-host.ts'
import type { HostileServer, HostileTarget } from './hostile-target.ts'
import { serveRest } from './serve.ts'
import { CONTROL_PATH, SessionDesk } from './session-desk.ts'

/** Makes the value of `control.url`: from the session, the host of `base_url`, and the foreign host. */
type MakeUrl = (session_id: string, own: string, foreign: string) => string

/** Own addresses that are wrong still open a channel, a silent one: what is wrong is the address alone. */
function serveUrl(makeUrl: MakeUrl, foreign: string): Promise<HostileServer> {
  const desk = new SessionDesk((session_id, own) => makeUrl(session_id, own, foreign))
  const channels = new WebSocketServer({ noServer: true, perMessageDeflate: false })
  return serveRest(desk.answer, (request, socket, head) => {
    channels.handleUpgrade(request, socket, head, (accepted) => {
      accepted.on('error', () => accepted.terminate())
    })
  })
}

function row(id: string, description: string, secureForeign: boolean, makeUrl: MakeUrl): HostileTarget {
  return {
    id,
    description,
    start: () => besideForeignHost(secureForeign, ({ authority }) => serveUrl(makeUrl, authority)),
    expect: { envelope: true, sessions: true, foreign: 0 },
  }
}

const query = (session_id: string): string => `${CONTROL_PATH}?session_id=${session_id}`

/** Sessions that are created well, but whose `control.url` must not be followed as it is. */
export const controlUrls: HostileTarget[] = [
  row('control-foreign-host', 'control.url on another host', true, (id, _, foreign) => `wss://${foreign}${query(id)}`),
  row(
    'control-userinfo',
    'control.url on another host, with our own host as its user name',
    true,
    (id, own, foreign) => `wss://${own.replace(':', '%3A')}@${foreign}${query(id)}`,
  ),
  row('control-http', 'control.url with http:', false, (id, _, foreign) => `http://${foreign}${query(id)}`),
  row('control-ws-insecure', 'control.url with ws:', false, (id, _, foreign) => `ws://${foreign}${query(id)}`),
  row(
    'control-other-path',
    'control.url with another path',
    true,
    (id, own) => `wss://${own}/v1/elsewhere?session_id=${id}`,
  ),
  row('control-no-session-id', 'control.url without session_id', true, (_, own) => `wss://${own}${CONTROL_PATH}`),
  row('control-not-a-url', 'control.url is not a URL', true, () => 'not a url at all'),
  row('control-relative', 'control.url is not absolute', true, (id) => query(id)),
  row('control-javascript', 'control.url with javascript:', true, () => 'javascript:alert(1)'),
]
