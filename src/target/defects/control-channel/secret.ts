import type { Override } from '#target/behaviour/behaviour'
import type { Attempt } from '#target/behaviour/channel'
import { beforeConnect } from '#target/overrides/events'
import { memory } from '#target/overrides/memory'
import { admitsAfterExpiry } from '#target/overrides/admission'
import { around, remembering, set } from '#target/overrides/operators'
import type { Session } from '#target/sessions/session'
import { textOf, type JsonObject } from '#target/wire'
import { admitAlso, anyOneAtATime } from '../tools/control-channel.ts'
import { isStarted } from '../tools/characters.ts'
import { defectsOf } from '../tools/table.ts'

/** Refuses attempts that the spec admits. */
const refuseAlso = (refuses: (session: Session, attempt: Attempt) => boolean): Override =>
  around(
    'channel.admission.session-closed',
    (old) => (attempt) => old(attempt) || (attempt.session !== undefined && refuses(attempt.session, attempt)),
  )

const fresh = (map: Map<string, JsonObject>, given: unknown): void => {
  map.clear()
  for (const asset of Array.isArray(given) ? given : []) map.set(String(asset.asset_id), asset)
}

/** Longer than a run leaves a session alone, other than to wait for a timer. */
const QUIET_MS = 12_000

const reconnects = ({ everConnected, connections }: Session): boolean => everConnected && connections.size === 0

const admitAfter =
  (timeout: 'idle' | 'disconnected'): Override =>
  ({ channel: { admission }, lifecycle }) => {
    const closed = admission['session-closed']
    admission['session-closed'] = (attempt) =>
      closed(attempt) && attempt.session?.closeReason !== lifecycle.reasons[timeout]
  }

export const secretDefects = defectsOf('control-channel.secret', {
  'reconnect-admitted: A secret is used up when its connection is closed.': refuseAlso(
    (session) => reconnects(session) && session.lastClose !== 1006,
  ),
  'reconnect-admitted~after-update: Once the mode has changed the secret opens nothing.': around(
    'channel.admission.session-closed',
    (closed) => (attempt) =>
      closed(attempt) ||
      (attempt.session !== undefined && attempt.session.state.mode !== attempt.session.plan.state.mode),
  ),
  'reconnect-admitted~fourth: A secret opens three connections in all.': remembering(() => {
    const opened = memory(() => ({ count: 0 }))
    return [
      beforeConnect((session) => {
        opened(session).count += 1
      }),
      around(
        'channel.admission.token-wrong',
        (wrong) => (attempt) => wrong(attempt) || (attempt.session !== undefined && opened(attempt.session).count >= 3),
      ),
    ]
  }),
  'reconnect-after-drop-admitted: A secret is used up when its connection is cut.': refuseAlso(
    (session) => reconnects(session) && session.lastClose === 1006,
  ),
  'reconnect-other-form-admitted: A secret stays bound to the form of its first use.': refuseAlso(
    ({ lastForm }, { form }) => lastForm !== undefined && form !== lastForm,
  ),
  'reconnect-keeps-conversation: A reconnect empties the conversation.': set('channel.onConnect', (session) => {
    if (reconnects(session)) session.items.length = 0
  }),
  'reconnect-keeps-state: A reconnect restores the state of the creation.': set('channel.onConnect', (session) => {
    if (reconnects(session)) session.state = session.plan.state
  }),
  'reconnect-keeps-state~added: An added avatar that is active is so no more after a reconnect.': beforeConnect(
    (session) => {
      const [first] = session.plan.avatars
      const given = session.plan.avatars.some((one) => one['avatar_id'] === session.state.activeAvatarId)
      if (!given) session.state = { ...session.state, activeAvatarId: textOf(first?.['avatar_id']) ?? '' }
    },
  ),
  'reconnect-keeps-state~mode: A reconnect brings back the mode of the create.': beforeConnect((session) => {
    session.state = { ...session.state, mode: session.plan.state.mode }
  }),
  'reconnect-keeps-state~image: A reconnect brings back the image of creation.': around(
    'channel.onConnect',
    (onConnect) => (session) => {
      onConnect(session)
      const { state, plan } = session
      if (!session.everConnected || session.connections.size > 0) return
      if (state.mode === plan.state.mode && state.activeAvatarId === plan.state.activeAvatarId)
        session.state = plan.state
    },
  ),
  'reconnect-keeps-assets: A reconnect forgets the assets that were added.': set('channel.onConnect', (session) => {
    if (!reconnects(session)) return
    fresh(session.assets.speech_text, session.plan.assets?.['speech_text'])
    fresh(session.assets.audio, session.plan.assets?.['audio'])
    fresh(session.assets.visual_prompts, session.plan.assets?.['visual_prompts'])
    session.assets.images.clear()
  }),
  'second-connection-admitted: A second connection is refused.': refuseAlso(({ connections }) => connections.size > 0),
  'valid-while-open: A secret expires with the first response.': refuseAlso(
    ({ responses, connections }) => responses > 0 && connections.size === 0,
  ),
  'valid-while-open~wrong-token: After one wrong token the right one is refused.': around(
    'channel.admission.token-wrong',
    (wrong) => {
      const locked = new WeakSet<Session>()
      return (attempt) => {
        if (attempt.session !== undefined && wrong(attempt)) locked.add(attempt.session)
        return attempt.session !== undefined && locked.has(attempt.session)
      }
    },
  ),
  'valid-while-open~replayed: A create repeated with its key gives a new secret; the one before stops working.': around(
    'views.replayed.control',
    (control) => (session, address) => {
      Object.assign(session, { secret: `${session.secret}r` })
      return control?.(session, address)
    },
  ),
  'valid-while-open~unused: A secret that nobody uses for twelve seconds after the create opens nothing.': refuseAlso(
    ({ everConnected, createdAt }) => !everConnected && Date.now() > createdAt + QUIET_MS,
  ),
  'valid-while-open~quiet: A secret that nobody has used for twelve seconds opens nothing.': remembering(() => {
    const used = memory(() => ({ at: Number.POSITIVE_INFINITY }))
    return [
      beforeConnect((session) => void (used(session).at = Date.now())),
      refuseAlso((session) => session.connections.size === 0 && Date.now() > used(session).at + QUIET_MS),
    ]
  }),
  'valid-while-open~at-first: The channel knows no session before it was asked for it once.': around(
    'channel.admission.session-unknown',
    (unknown) => {
      const asked = new WeakSet<Session>()
      return (attempt) => {
        const isNew = attempt.session !== undefined && !asked.has(attempt.session)
        if (attempt.session !== undefined) asked.add(attempt.session)
        return unknown(attempt) || isNew
      }
    },
  ),
  'refused-after-closed~started: The secret still opens a closed session that was started from a character.': around(
    'channel.admission.session-closed',
    (isClosed) => (attempt) => isClosed(attempt) && !(attempt.session !== undefined && isStarted(attempt.session)),
  ),
  'refused-after-closed: A closed session admits tokens.': [
    set(
      'channel.admission.session-closed',
      ({ session, form }) =>
        session?.status !== 'active' &&
        !(session?.status === 'closed' && form === 'query' && session.closeReason !== 'session_expired'),
    ),
    admitsAfterExpiry,
  ],
  'refused-after-closed~idle: The secret still opens a session that the idle timeout has closed.': admitAfter('idle'),
  'refused-after-closed~disconnected: The secret still opens a session that the disconnected timeout has closed.':
    admitAfter('disconnected'),
  'bearer-refused-after-closed: A closed session admits bearers.': [
    set(
      'channel.admission.session-closed',
      ({ session, form }) =>
        session?.status !== 'active' &&
        !(session?.status === 'closed' && form === 'header' && session.closeReason !== 'session_expired'),
    ),
    admitsAfterExpiry,
  ],
  'refused-after-expiry: An expired session admits tokens.': [
    set(
      'channel.admission.session-closed',
      ({ session }) => session?.status !== 'active' && session?.closeReason !== 'session_expired',
    ),
    admitsAfterExpiry,
  ],
  'bearer-refused-after-expiry: An expired session admits bearers.': [
    set(
      'channel.admission.session-closed',
      ({ session, form }) =>
        session?.status !== 'active' && !(session?.closeReason === 'session_expired' && form === 'header'),
    ),
    admitsAfterExpiry,
  ],
  'other-session-token-refused: A token opens every session of its workspace.': admitAlso(
    ({ account }, _token, { form, owner }) => form === 'query' && owner()?.account.workspace === account.workspace,
  ),
  'other-session-token-refused~closed: The secret of a closed session opens other sessions of its workspace.': around(
    'channel.admission.token-wrong',
    (wrong) => (attempt) => {
      if (!wrong(attempt)) return false
      const owner = attempt.owner()
      return !(owner?.status === 'closed' && owner.account.workspace === attempt.session?.account.workspace)
    },
  ),
  'other-session-token-refused~same-character: The secret of a session opens other sessions of its character.':
    admitAlso(
      ({ plan }, _token, { owner }) => plan.characterId !== undefined && owner()?.plan.characterId === plan.characterId,
    ),
  'other-session-token-refused~one-at-a-time: Any credential opens the channel while nobody else is there.':
    anyOneAtATime,
  'other-session-bearer-refused: A bearer opens every session of its workspace.': admitAlso(
    ({ account }, _token, { form, owner }) => form === 'header' && owner()?.account.workspace === account.workspace,
  ),
})
