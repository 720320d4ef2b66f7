import { around, set, several } from '#target/overrides/operators'
import type { Session } from '#target/sessions/session'
import { admitAlso, anyOneAtATime } from '../tools/control-channel.ts'
import { defectsOf } from '../tools/table.ts'

const sharePrefix = (one: string, other: string): boolean =>
  one.startsWith(other.slice(0, -4)) && Math.abs(one.length - other.length) < 3

/** Whether two strings differ in one character at most. */
const near = (one: string, other: string): boolean =>
  one.length === other.length && Array.from(one).filter((letter, index) => letter !== other[index]).length === 1

/** Neither a token that was issued, nor an empty or a nearly right one. */
const isFree = (session: Session, token: string): boolean =>
  token !== session.account.secret &&
  !token.startsWith('cs_') &&
  !token.startsWith('sk-') &&
  !sharePrefix(token, session.secret)

export const admissionDefects = defectsOf('control-channel.admission', {
  'query-token-admitted: The token counts in the header only.': set('channel.credentials', ['header']),
  'query-token-admitted~always-503: Every upgrade is refused with 503.': set('http.edge', (asked) =>
    asked === 'upgrade' ? 503 : undefined,
  ),
  'query-token-admitted~always-404: Every upgrade is refused with 404.': set('http.edge', (asked) =>
    asked === 'upgrade' ? 404 : undefined,
  ),
  'bearer-header-admitted: The token counts in the query only.': set('channel.credentials', ['query']),
  'without-credential-refused: The URL alone opens the channel.': ({ channel }) => {
    // An empty token stays refused.
    channel.admission['token-missing'] = ({ emptyToken }) => emptyToken
  },
  'wrong-token-refused: Any token opens the channel.': admitAlso(
    (session, token, { form }) => form === 'query' && isFree(session, token),
  ),
  'wrong-token-refused~one-at-a-time: Any credential opens the channel while nobody else is there.': anyOneAtATime,
  'wrong-bearer-refused~one-at-a-time: Any credential opens the channel while nobody else is there.': anyOneAtATime,
  'api-key-token-refused~one-at-a-time: Any credential opens the channel while nobody else is there.': anyOneAtATime,
  'wrong-bearer-refused: Any bearer opens the channel.': admitAlso(
    (session, token, { form }) => form === 'header' && isFree(session, token),
  ),
  'wrong-bearer-refused~nearly-right: A bearer counts by most of its letters.': admitAlso(
    ({ secret }, token, { form }) => form === 'header' && (sharePrefix(token, secret) || near(token, secret)),
  ),
  'empty-token-refused: An empty token opens the channel.': set(
    'channel.admission.token-missing',
    ({ token, emptyToken }) => token === undefined && !emptyToken,
  ),
  'near-miss-token-refused: A token counts by most of its letters.': admitAlso(
    ({ secret }, token) => sharePrefix(token, secret) || near(token, secret),
  ),
  'near-miss-token-refused~capitals: A secret of capitals and small letters opens in either.': several(
    set('ids.secret', (random) => `CS_${random.hex(40)}`),
    admitAlso(({ secret }, token) => token.toLowerCase() === secret.toLowerCase()),
  ),
  'client-secret-parameter-refused: The token may be called `client_secret`.': set('channel.tokenParameters', [
    'token',
    'client_secret',
  ]),
  'api-key-token-refused: The API key opens the channel as a token.': admitAlso(
    ({ account }, token, { form }) => form === 'query' && token === account.secret,
  ),
  'api-key-token-refused~own-workspace: The API key of the workspace opens the control channel.': around(
    'channel.admission.token-wrong',
    (wrong) => (attempt) => wrong(attempt) && attempt.token !== attempt.session?.account.secret,
  ),
  'api-key-bearer-refused: The API key opens the channel as a bearer.': admitAlso(
    ({ account }, token, { form }) => form === 'header' && token === account.secret,
  ),
  'unknown-session-refused: An unknown session stands for the one of the token.': set('channel.findsByToken', true),
})
