import { change, omit } from '#target/overrides/changes'
import { onCreated } from '#target/overrides/data'
import { around, set } from '#target/overrides/operators'
import { textOf, type JsonObject, objectAt } from '#target/wire'
import { defectsOf } from '../tools/table.ts'

const secretIn = (data: JsonObject): string =>
  encodeURIComponent(textOf(objectAt(data, 'control')['client_secret']) ?? '')

export const controlDefects = defectsOf('avatar-sessions.control', {
  'url-absolute-wss: The control URL is relative.': onCreated(
    change('control.url', (url) => String(url).replace(/^wss?:\/\/[^/]+/u, '')),
  ),
  'url-absolute-wss~https: The control URL is HTTPS.': onCreated(
    change('control.url', (url) => String(url).replace(/^ws/u, 'http')),
  ),
  'url-path: The channel has another path.': [
    onCreated(
      change('control.url', (url) => String(url).replace('/realtime-avatar/control', '/realtime-avatar/channel')),
    ),
    set('channel.admission.path-unknown', ({ path }) => !path.startsWith('/v1/realtime-avatar/c')),
  ],
  'url-session-id-parameter: The control URL names its session by `sid`.': [
    onCreated(change('control.url', (url) => String(url).replace('session_id=', 'sid='))),
    set('channel.sessionParameter', 'sid'),
  ],
  'url-session-id-value~repeated: The control URL of a repeated create names another session.': around(
    'views.replayed.control',
    (control) => (session, address) => {
      const shown = objectAt({ control: control?.(session, address) }, 'control')
      return { ...shown, url: String(shown['url']).replace(session.id, 'ses_other') }
    },
  ),
  'url-session-id-value: The control URL names another session id.': onCreated(
    change('control.url', (url) => `${String(url)}x`),
  ),
  'url-without-token: The control URL holds its token.': onCreated((data) =>
    change('control.url', (url) => `${String(url)}&token=${secretIn(data)}`)(data),
  ),
  'client-secret-nonempty: The secret is left out.': onCreated(omit('control.client_secret')),
})
