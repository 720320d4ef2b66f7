import type { Attempt } from '#target/behaviour/channel'
import type { Session } from '#target/sessions/session'
import type { Wire } from '#target/wire'
import type { Behaviour } from '#target/behaviour/behaviour'
import { defectsOf } from '../table.ts'

/** Refuses attempts that the spec admits. */
const refuseAlso = ({ channel }: Behaviour, refuses: (session: Session, attempt: Attempt) => boolean): void => {
  const { 'session-closed': old } = channel.admission
  channel.admission['session-closed'] = (attempt) =>
    old(attempt) || (attempt.session !== undefined && refuses(attempt.session, attempt))
}

/** Admits attempts with a wrong token. */
const admitAlso = (
  { channel }: Behaviour,
  admits: (session: Session, token: string, attempt: Attempt) => boolean,
): void => {
  const { 'token-wrong': old } = channel.admission
  channel.admission['token-wrong'] = (attempt) =>
    old(attempt) &&
    !(attempt.session !== undefined && attempt.token !== undefined && admits(attempt.session, attempt.token, attempt))
}

const sharePrefix = (one: string, other: string): boolean =>
  one.startsWith(other.slice(0, -4)) && Math.abs(one.length - other.length) < 3
/** Whether two strings differ in one character at most. */
const near = (one: string, other: string): boolean =>
  one.length === other.length && Array.from(one).filter((letter, index) => letter !== other[index]).length === 1

const openingDefects = defectsOf('control-channel', {
  'admission.query-token-admitted~always-503': [
    'Every upgrade is refused with 503.',
    ({ http }) => void (http.edge = (asked) => (asked === 'upgrade' ? 503 : undefined)),
  ],
  'admission.query-token-admitted': [
    'The token counts in the header only.',
    ({ channel }) => void (channel.credentials = ['header']),
  ],
  'admission.bearer-header-admitted': [
    'The token counts in the query only.',
    ({ channel }) => void (channel.credentials = ['query']),
  ],
  'admission.without-credential-refused': [
    'The URL alone opens the channel.',
    ({ channel }) => {
      // An empty token stays refused.
      channel.admission['token-missing'] = ({ emptyToken }) => emptyToken
    },
  ],
  'admission.wrong-token-refused': [
    'Any token opens the channel.',
    (b) => admitAlso(b, (session, token, { form }) => form === 'query' && isFree(session, token)),
  ],
  'admission.wrong-bearer-refused': [
    'Any bearer opens the channel.',
    (b) => admitAlso(b, (session, token, { form }) => form === 'header' && isFree(session, token)),
  ],
  'admission.empty-token-refused': [
    'An empty token opens the channel.',
    ({ channel }) => {
      channel.admission['token-missing'] = ({ token, emptyToken }) => token === undefined && !emptyToken
    },
  ],
  'admission.near-miss-token-refused': [
    'A token counts by most of its letters.',
    (b) => admitAlso(b, ({ secret }, token) => sharePrefix(token, secret) || near(token, secret)),
  ],
  'admission.client-secret-parameter-refused': [
    'The token may be called `client_secret`.',
    ({ channel }) => void (channel.tokenParameters = ['token', 'client_secret']),
  ],
  'admission.api-key-token-refused': [
    'The API key opens the channel as a token.',
    (b) => admitAlso(b, ({ account }, token, { form }) => form === 'query' && token === account.secret),
  ],
  'admission.api-key-bearer-refused': [
    'The API key opens the channel as a bearer.',
    (b) => admitAlso(b, ({ account }, token, { form }) => form === 'header' && token === account.secret),
  ],
  'admission.unknown-session-refused': [
    'An unknown session stands for the one of the token.',
    ({ channel }) => void (channel.findsByToken = true),
  ],
})

/** Neither a token that was issued, nor an empty or a nearly right one. */
const isFree = (session: Session, token: string): boolean =>
  token !== session.account.secret &&
  !token.startsWith('cs_') &&
  !token.startsWith('sk-') &&
  !sharePrefix(token, session.secret)

const fresh = (map: Map<string, Wire>, given: unknown): void => {
  map.clear()
  for (const asset of Array.isArray(given) ? given : []) map.set(String(asset.asset_id), asset)
}

const reconnects = ({ everConnected, connections }: Session): boolean => everConnected && connections.size === 0

const secretDefects = defectsOf('control-channel', {
  'secret.reconnect-admitted': [
    'A secret is used up when its connection is closed.',
    (b) => refuseAlso(b, (session) => reconnects(session) && session.lastClose !== 1006),
  ],
  'secret.reconnect-after-drop-admitted': [
    'A secret is used up when its connection is cut.',
    (b) => refuseAlso(b, (session) => reconnects(session) && session.lastClose === 1006),
  ],
  'secret.reconnect-other-form-admitted': [
    'A secret stays bound to the form of its first use.',
    (b) => refuseAlso(b, ({ lastForm }, { form }) => lastForm !== undefined && form !== lastForm),
  ],
  'secret.reconnect-keeps-conversation': [
    'A reconnect empties the conversation.',
    ({ channel }) => {
      channel.onConnect = (session) => {
        if (reconnects(session)) session.items.length = 0
      }
    },
  ],
  'secret.reconnect-keeps-state': [
    'A reconnect restores the state of the creation.',
    ({ channel }) => {
      channel.onConnect = (session) => {
        if (reconnects(session)) session.state = session.plan.state
      }
    },
  ],
  'secret.reconnect-keeps-assets': [
    'A reconnect forgets the assets that were added.',
    ({ channel }) => {
      channel.onConnect = (session) => {
        if (!reconnects(session)) return
        fresh(session.assets.speech_text, session.plan.assets?.['speech_text'])
        fresh(session.assets.audio, session.plan.assets?.['audio'])
        fresh(session.assets.visual_prompts, session.plan.assets?.['visual_prompts'])
        session.assets.images.clear()
      }
    },
  ],
  'secret.second-connection-admitted': [
    'A second connection is refused.',
    (b) => refuseAlso(b, ({ connections }) => connections.size > 0),
  ],
  'secret.valid-while-open': [
    'A secret expires with the first response.',
    (b) => refuseAlso(b, ({ responses, connections }) => responses > 0 && connections.size === 0),
  ],
  'secret.refused-after-closed': [
    'A closed session admits tokens.',
    ({ channel }) => {
      channel.admission['session-closed'] = ({ session, form }) =>
        session?.status !== 'active' &&
        !(session?.status === 'closed' && form === 'query' && session.closeReason !== 'session_expired')
      channel.admission['session-expired'] = () => false
    },
  ],
  'secret.bearer-refused-after-closed': [
    'A closed session admits bearers.',
    ({ channel }) => {
      channel.admission['session-closed'] = ({ session, form }) =>
        session?.status !== 'active' &&
        !(session?.status === 'closed' && form === 'header' && session.closeReason !== 'session_expired')
      channel.admission['session-expired'] = () => false
    },
  ],
  'secret.refused-after-expiry': [
    'An expired session admits tokens.',
    ({ channel }) => {
      channel.admission['session-closed'] = ({ session }) =>
        session?.status !== 'active' && session?.closeReason !== 'session_expired'
      channel.admission['session-expired'] = () => false
    },
  ],
  'secret.bearer-refused-after-expiry': [
    'An expired session admits bearers.',
    ({ channel }) => {
      channel.admission['session-closed'] = ({ session, form }) =>
        session?.status !== 'active' && !(session?.closeReason === 'session_expired' && form === 'header')
      channel.admission['session-expired'] = () => false
    },
  ],
  'secret.other-session-token-refused': [
    'A token opens every session of its workspace.',
    (b) => {
      admitAlso(
        b,
        ({ account }, _token, { form, owner }) => form === 'query' && owner()?.account.workspace === account.workspace,
      )
    },
  ],
  'secret.other-session-bearer-refused': [
    'A bearer opens every session of its workspace.',
    (b) => {
      admitAlso(
        b,
        ({ account }, _token, { form, owner }) => form === 'header' && owner()?.account.workspace === account.workspace,
      )
    },
  ],
})

export const admissionDefects = [...openingDefects, ...secretDefects]
