import { change, drop, put } from '../paths.ts'
import { defectsOf } from '../table.ts'
import { later, onGot, onSecrets, reachedBy, seconds } from './tools.ts'

const SECRETS = 'create-client-secret'
const HOUR_MS = 3_600_000

const servedDefects = defectsOf('world-sessions', {
  'client-secret.accepted': [
    'No fresh secrets before the old ones have expired.',
    ({ world: { reach } }) => void (reach.secretRefusal = () => '30004'),
  ],
  'client-secret.idempotency-key-accepted': [
    'Fresh secrets are not to be had with a key.',
    ({ world: { reach } }) => {
      const { secretRefusal } = reach
      reach.secretRefusal = (session, key) => (key === undefined ? secretRefusal(session, key) : '30004')
    },
  ],
  'client-secret.names-session': ['Fresh secrets name no session.', (b) => onSecrets(b, drop('session_id'))],
  'client-secret.control-url-path': [
    'The fresh control channel has a version in its path.',
    (b) =>
      onSecrets(
        b,
        change('control.url', (url) => String(url).replace('/control?', '/control/v2?')),
      ),
  ],
  'client-secret.expiry-not-sooner': [
    'Fresh descriptors live two minutes less.',
    (b) => {
      onSecrets(b, later('control.expires_at', -120_000))
      onSecrets(b, later('media.expires_at', -120_000))
    },
  ],
  'client-secret.leaves-session': [
    'Fresh secrets begin to close the session.',
    (b) => {
      const fresh = new Set<unknown>()
      onSecrets(b, (data) => {
        fresh.add(data['session_id'])
        return data
      })
      onGot(b, (data) =>
        fresh.has(data['session_id']) && data['status'] === 'active' ? put('status', 'closing')(data) : data,
      )
    },
  ],
  'client-secret.same-workspace-key': [
    'Only the key that created a session gets fresh secrets.',
    (b) => reachedBy(b, SECRETS, (account, owner) => account.secret === owner.secret),
  ],
  'client-secret.other-workspace-rejected': [
    'Any key gets secrets of any session.',
    (b) => reachedBy(b, SECRETS, () => true),
  ],
  'client-secret.unknown-session-rejected': [
    'Secrets of an unknown session are created.',
    ({ world: { reach } }) => void (reach.trusts = (operation) => operation === SECRETS),
  ],
  'client-secret.after-close-rejected': [
    'A session that closes gets fresh secrets.',
    ({ world: { reach } }) => void (reach.secretRefusal = () => undefined),
  ],
  'client-secret.after-close-rejected~closed': [
    'A closed session gets fresh secrets, a closing one does not.',
    ({ world: { reach, life } }) => {
      const { secretRefusal } = reach
      life.cleanupMs = 0
      reach.secretRefusal = (session, key) => (session.status === 'closed' ? undefined : secretRefusal(session, key))
    },
  ],
  'client-secret.after-close-rejected~key': [
    'A known key gets its secrets again after the close.',
    ({ world: { reach } }) => {
      const { secretRefusal } = reach
      reach.secretRefusal = (session, key) => (key === undefined ? secretRefusal(session, key) : undefined)
    },
  ],
})

/** The same mistakes in either descriptor. */
const descriptorDefects = (['control', 'media'] as const).flatMap((channel) =>
  defectsOf('world-sessions', {
    [`client-secret.${channel}-url`]: [
      `A fresh ${channel} secret comes without address.`,
      (b) => onSecrets(b, drop(`${channel}.url`)),
    ],
    [`client-secret.${channel}-secret`]: [
      `There is no fresh ${channel} secret.`,
      (b) => onSecrets(b, put(`${channel}.client_secret`, '')),
    ],
    [`client-secret.${channel}-expires-at`]: [
      `The expiry of a fresh ${channel} secret is told in seconds.`,
      (b) => onSecrets(b, seconds(`${channel}.expires_at`)),
    ],
    [`client-secret.${channel}-expires-at-in-future`]: [
      `A fresh ${channel} secret is stale when it comes.`,
      (b) => onSecrets(b, later(`${channel}.expires_at`, -HOUR_MS)),
    ],
    [`client-secret.${channel}-secret-fresh`]: [
      `The fresh ${channel} secret is the first one.`,
      ({ world: { life } }) => void (life.renews = (of) => of !== channel),
    ],
    [`client-secret.${channel}-secret-fresh-again`]: [
      `The ${channel} secret is renewed only once.`,
      ({ world: { life } }) => void (life.renews = (of, given) => of !== channel || given < 2),
    ],
  }),
)

export const worldSecretDefects = [...servedDefects, ...descriptorDefects]
