import { change, omit, put } from '#target/overrides/changes'
import { around, remembering, set } from '#target/overrides/operators'
import type { WorldChannel } from '#target/worlds/session'
import { defectsOf, type Rows } from '../tools/table.ts'
import { later, onGot, onSecrets, reachedBy, seconds } from '../tools/world-sessions.ts'

const SECRETS = 'create-client-secret'

const HOUR_MS = 3_600_000

/** The same mistakes in either descriptor. */
const ofChannel = (channel: WorldChannel): Rows => ({
  [`${channel}-url: A fresh ${channel} secret comes without address.`]: onSecrets(omit(`${channel}.url`)),
  [`${channel}-secret: There is no fresh ${channel} secret.`]: onSecrets(put(`${channel}.client_secret`, '')),
  [`${channel}-expires-at: The expiry of a fresh ${channel} secret is told in seconds.`]: onSecrets(
    seconds(`${channel}.expires_at`),
  ),
  [`${channel}-expires-at-in-future: A fresh ${channel} secret is stale when it comes.`]: onSecrets(
    later(`${channel}.expires_at`, -HOUR_MS),
  ),
  [`${channel}-secret-fresh: The fresh ${channel} secret is the first one.`]: set(
    'world.life.renews',
    (of) => of !== channel,
  ),
  [`${channel}-secret-fresh-again: The ${channel} secret is renewed only once.`]: set(
    'world.life.renews',
    (of, given) => of !== channel || given < 2,
  ),
})

export const clientSecretDefects = defectsOf('world-sessions.client-secret', {
  'media-secret-fresh-again~third: The third media secret of a session is the second one again.': around(
    'world.life.renews',
    (renews) => (channel, given) => (channel === 'media' && given === 3 ? false : renews(channel, given)),
  ),
  'media-secret-fresh-again~second-key: With a second idempotency key the media secret is the one before.': remembering(
    () => {
      let stale = false
      return [
        around('world.reach.secretRefusal', (secretRefusal) => (session, key) => {
          stale = key !== undefined && session.issuesByKey.size > 0
          return secretRefusal(session, key)
        }),
        set('world.life.renews', (channel, given) => !(channel === 'media' && given > 0 && stale)),
      ]
    },
  ),
  'accepted~ends: A session fails once it is asked for fresh secrets.': around(
    'world.reach.finds',
    (finds) => (session, operation) => {
      if (operation === SECRETS && session.status === 'active') {
        session.status = 'failed'
        session.runtime.mediaStatus = 'failed'
      }
      return finds(session, operation)
    },
  ),
  'names-session: Fresh secrets name no session.': onSecrets(omit('session_id')),
  'names-session~previous: Fresh secrets name the session that asked for some before.': (b) => {
    let previous: unknown
    onSecrets((data) => {
      const named = previous ?? data['session_id']
      previous = data['session_id']
      return { ...data, session_id: named }
    })(b)
  },
  'control-secret-fresh~every-second: Every second fresh control secret is the first one.': around(
    'world.views.secrets.control',
    (control) => (scene) => {
      const { issues } = scene.session
      const first = issues.indexOf(scene.issue) % 2 === 0 ? issues[0] : undefined
      return control?.({ ...scene, issue: { ...scene.issue, control: (first ?? scene.issue).control } })
    },
  ),
  'accepted: No fresh secrets before the old ones have expired.': set('world.reach.secretRefusal', () => '30004'),
  'idempotency-key-accepted: Fresh secrets are not to be had with a key.': around(
    'world.reach.secretRefusal',
    (secretRefusal) => (session, key) => (key === undefined ? secretRefusal(session, key) : '30004'),
  ),
  'control-url-path: The fresh control channel has a version in its path.': onSecrets(
    change('control.url', (url) => String(url).replace('/control?', '/control/v2?')),
  ),
  'expiry-not-sooner: Fresh descriptors live two minutes less.': [
    onSecrets(later('control.expires_at', -120_000)),
    onSecrets(later('media.expires_at', -120_000)),
  ],
  'leaves-session: Fresh secrets begin to close the session.': remembering(() => {
    const fresh = new Set<unknown>()
    return [
      onSecrets((data) => {
        fresh.add(data['session_id'])
        return data
      }),
      onGot((data) =>
        fresh.has(data['session_id']) && data['status'] === 'active' ? put('status', 'closing')(data) : data,
      ),
    ]
  }),
  'same-workspace-key: Only the key that created a session gets fresh secrets.': reachedBy(
    SECRETS,
    (account, owner) => account.secret === owner.secret,
  ),
  'other-workspace-rejected: Any key gets secrets of any session.': reachedBy(SECRETS, () => true),
  'unknown-session-rejected: Secrets of an unknown session are created.': set(
    'world.reach.trusts',
    (operation) => operation === SECRETS,
  ),
  'after-close-rejected: A session that closes gets fresh secrets.': set('world.reach.secretRefusal', () => undefined),
  'after-close-rejected~renewed: A session whose secrets were renewed gets fresh ones after its close, too.': around(
    'world.reach.secretRefusal',
    (secretRefusal) => (session, key) => (session.issues.length > 1 ? undefined : secretRefusal(session, key)),
  ),
  'after-close-rejected~closed: A closed session gets fresh secrets, a closing one does not.': [
    set('world.life.cleanupMs', 0),
    around(
      'world.reach.secretRefusal',
      (secretRefusal) => (session, key) => (session.status === 'closed' ? undefined : secretRefusal(session, key)),
    ),
  ],
  'after-close-rejected~key: A known key gets its secrets again after the close.': around(
    'world.reach.secretRefusal',
    (secretRefusal) => (session, key) => (key === undefined ? secretRefusal(session, key) : undefined),
  ),
  ...ofChannel('control'),
  ...ofChannel('media'),
})
