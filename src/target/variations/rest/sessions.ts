import { around, set } from '#target/overrides/operators'
import { Refusal } from '#target/refusal'
import type { Variation } from '#target/deviation'
import type { MediaFacts } from '#target/behaviour/media'

/** Get, List and Close of avatar sessions: "Response payload: not shown". */
export const sessionReadVariations: readonly Variation[] = [
  {
    id: 'closes-of-closed-not-found',
    section: '7',
    text: 'A session that closes, or is closed, is not found by Close ("avatar session id unknown").',
    override: set(
      'access.seesSession',
      ({ status }, operation) => operation !== 'close-avatar-session' || status === 'active' || status === 'failed',
    ),
  },
  {
    id: 'closes-of-closed-invalid',
    section: '4.1',
    text: 'Closing a session once more is an invalid argument.',
    override: around('access.seesSession', (sees) => (session, operation) => {
      if (operation === 'close-avatar-session' && session.status !== 'active') throw new Refusal('30004', 'not open')
      return sees(session, operation)
    }),
  },
  {
    id: 'closed-sessions-forgotten',
    section: '7',
    text: 'A session is unknown two and a half seconds after it was closed ("avatar session id unknown").',
    override: set('lifecycle.forgetMs', 2500),
  },
  {
    id: 'list-null-when-empty',
    section: '4.1',
    text: 'List shows null where no session is open.',
    override: set('views.list', (items) => ({ sessions: items.length === 0 ? null : items, total: items.length })),
  },
  {
    id: 'list-by-id',
    section: '4.1',
    text: 'List shows an object with a name for each session, its id.',
    override: set('views.list', (items) => Object.fromEntries(items.map((item) => [String(item['session_id']), item]))),
  },
  {
    id: 'control-url-busy',
    section: '2.1',
    text: 'The query of a control URL holds more than the session, which stands in its middle.',
    override: around('views.created.control', (control) => (session, address) => {
      const shown = control(session, address) as { url: string; client_secret: string }
      return { ...shown, url: shown.url.replace('?', '?v=1&region=eu%2Dwest+1&') + '&flags=a&flags=b' }
    }),
  },
  {
    id: 'media-details-odd',
    section: '2.2',
    text: 'Media details are digits, paths and tokens of several kilobytes; the same user has the same id everywhere.',
    override: ({ media }) => {
      media.variants['rtc_a'] = ({ random }: MediaFacts) => ({
        sdk_app_id: '0',
        room_id: String(Number.parseInt(random.hex(8), 16)),
        user_id: '1',
        user_sig: `eJ*-_/+=${random.hex(3000)}`,
        publisher_user_id: '2',
      })
    },
  },
  {
    id: 'auto-close-late',
    section: '4.1',
    text: 'Automatic closures come a second and a half late (no time is promised).',
    override: ({ lifecycle }) => {
      const { disconnectedMs, idleMs } = lifecycle
      const late = (ms: number): number => (ms === 0 ? 0 : ms + 1500)
      lifecycle.disconnectedMs = (policy, session) => late(disconnectedMs(policy, session))
      lifecycle.idleMs = (policy) => late(idleMs(policy))
    },
  },
]
