import type { WebSocket } from 'ws'
import type { WorldChannel, WorldSession } from '#target/worlds/session'

/** One attempt to open the control or the media channel of a world session. */
export interface WorldAttempt {
  channel: WorldChannel
  token: string | undefined
  /** The session that the address names. */
  session: WorldSession | undefined
  now: number
  keepsOldSecrets: boolean
}

export type WorldAdmissionId = 'token-missing' | 'session-unknown' | 'session-ended' | 'token-wrong' | 'token-expired'

/** Credentials of the channel that may still be used, the newest last. */
const credentials = ({ session, channel, keepsOldSecrets }: WorldAttempt) => {
  const issues = session?.issues ?? []
  return (keepsOldSecrets ? issues : issues.slice(-1)).map((issue) => issue[channel])
}
const held = (attempt: WorldAttempt) => credentials(attempt).find(({ secret }) => secret === attempt.token)

/** 5.4 and 9.1: opening the channels that the descriptors lead to. What travels there is not shown. */
export const worldChannel = () => ({
  paths: { control: '/v1/streaming-world/control', media: '/v1/streaming-world/media' } as Record<WorldChannel, string>,
  sessionParameter: 'session_id',
  tokenParameter: 'token',
  /** How a token is brought is not shown; this service takes it as the avatar channel does. */
  takesHeader: true,
  admissionOrder: [
    'token-missing',
    'session-unknown',
    'session-ended',
    'token-wrong',
    'token-expired',
  ] as WorldAdmissionId[],
  /** Each is true when the attempt must be refused. */
  admission: {
    'token-missing': ({ token }: WorldAttempt): boolean => token === undefined || token === '',
    'session-unknown': ({ session }: WorldAttempt): boolean => session === undefined,
    'session-ended': ({ session, now }: WorldAttempt): boolean =>
      session !== undefined && (session.status !== 'active' || now >= session.expiresAt),
    'token-wrong': (attempt: WorldAttempt): boolean =>
      attempt.session !== undefined && attempt.token !== undefined && held(attempt) === undefined,
    'token-expired': (attempt: WorldAttempt): boolean => attempt.now >= (held(attempt)?.expiresAt ?? Infinity),
  } as Record<WorldAdmissionId, (attempt: WorldAttempt) => boolean>,
  statuses: {
    'token-missing': 401,
    'session-unknown': 404,
    'session-ended': 410,
    'token-wrong': 401,
    'token-expired': 401,
  } as Record<WorldAdmissionId, number>,
  closeCode: 1000,
  /** What the service does on a fresh connection: formats are not shown. */
  welcome: (_socket: WebSocket): void => undefined,
})
