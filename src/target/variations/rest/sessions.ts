import { around, set } from '#target/overrides/operators'
import { Refusal } from '#target/refusal'
import type { MediaFacts } from '#target/behaviour/media'
import { variationsOf } from '../table.ts'

/** Get, List and Close of avatar sessions: "Response payload: not shown". */
export const sessionReadVariations = variationsOf({
  'closes-of-closed-not-found §7: A session that closes, or is closed, is not found by Close ("avatar session id unknown").':
    set(
      'access.seesSession',
      ({ status }, operation) => operation !== 'close-avatar-session' || status === 'active' || status === 'failed',
    ),
  'closes-of-closed-invalid §4.1: Closing a session once more is an invalid argument.': around(
    'access.seesSession',
    (sees) => (session, operation) => {
      if (operation === 'close-avatar-session' && session.status !== 'active') throw new Refusal('30004', 'not open')
      return sees(session, operation)
    },
  ),
  'closed-sessions-forgotten §7: A session is unknown two and a half seconds after it was closed ("avatar session id unknown").':
    set('lifecycle.forgetMs', 2500),
  'list-null-when-empty §4.1: List shows null where no session is open.': set('views.list', (items) => ({
    sessions: items.length === 0 ? null : items,
    total: items.length,
  })),
  'list-by-id §4.1: List shows an object with a name for each session, its id.': set('views.list', (items) =>
    Object.fromEntries(items.map((item) => [String(item['session_id']), item])),
  ),
  'control-url-busy §2.1: The query of a control URL holds more than the session, which stands in its middle.': around(
    'views.created.control',
    (control) => (session, address) => {
      const shown = control(session, address) as { url: string; client_secret: string }
      return { ...shown, url: shown.url.replace('?', '?v=1&region=eu%2Dwest+1&') + '&flags=a&flags=b' }
    },
  ),
  'control-url-by-other-name §2.1: A control URL leads to `localhost` where the service was reached by its address, or the other way round.':
    around('views.created.control', (control) => (session, address) => {
      const shown = control(session, address) as { url: string; client_secret: string }
      const other = shown.url.includes('//localhost') ? ['//localhost', '//127.0.0.1'] : ['//127.0.0.1', '//localhost']
      return { ...shown, url: shown.url.replace(...(other as [string, string])) }
    }),
  'media-details-odd §2.2: Media details are digits, paths and tokens of several kilobytes; the same user has the same id everywhere.':
    ({ media }) => {
      media.variants['rtc_a'] = ({ random }: MediaFacts) => ({
        sdk_app_id: '0',
        room_id: String(Number.parseInt(random.hex(8), 16)),
        user_id: '1',
        user_sig: `eJ*-_/+=${random.hex(3000)}`,
        publisher_user_id: '2',
      })
    },
  'auto-close-late §4.1: Automatic closures come a second and a half late (no time is promised).': ({ lifecycle }) => {
    const { disconnectedMs, idleMs } = lifecycle
    const late = (ms: number): number => (ms === 0 ? 0 : ms + 1500)
    lifecycle.disconnectedMs = (policy, session) => late(disconnectedMs(policy, session))
    lifecycle.idleMs = (policy, session) => late(idleMs(policy, session))
  },
})
