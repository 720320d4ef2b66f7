import { around, set } from '#target/overrides/operators'
import { defectsOf } from '../tools/table.ts'

export const expiryDefects = defectsOf('world-sessions.expiry', {
  'not-active-after: A session outlives its expiry.': set('world.life.closesBy', (cause) => cause === 'request'),
  'no-secrets-after: A session that expired gets fresh secrets.': around(
    'world.reach.secretRefusal',
    (secretRefusal) => (session, key) => (Date.now() >= session.expiresAt ? undefined : secretRefusal(session, key)),
  ),
})
