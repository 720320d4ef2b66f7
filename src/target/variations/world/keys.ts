import { set, around, several, remembering } from '#target/overrides/operators'
import { Refusal } from '#target/refusal'
import type { WorldSession } from '#target/worlds/session'
import { keysBeforeBodies, validatedLast } from '../gate-order.ts'
import { variationsOf } from '../table.ts'

/** Idempotency keys, and what a create meets on its way. */
export const worldKeyVariations = variationsOf({
  'world-beyond-balance-of-ungranted §5: A world costs more than a session, and more than the balance in the workspace of the key without access: 10005.':
    around('access.accountOf', (accountOf) => (...facts) => {
      const account = accountOf(...facts)
      const [, , , operation] = facts
      if (account?.state === 'access_denied' && operation === 'create-world-session') throw new Refusal('10005', '')
      return account
    }),
  'world-bodies-by-text §4.5: A body is identical only when it is the same to the letter.': set(
    'world.idempotency.sameBody',
    (first, again) => first === again,
  ),
  'world-keys-per-key §4.5: Idempotency keys of worlds belong to the API key that sent them.': set(
    'world.idempotency.scope',
    (account, key) => `${account.secret}\n${key}`,
  ),
  'world-repeats-without-secrets §4.5: The answer to a repeated create shows the session as Get does: without secrets, which Create Client Secret gives.':
    ({ world: { views } }) => void (views.replayed = views.got),
  'world-keys-of-one-session §4.5: A key of a close, or of fresh secrets, serves one session; for another one it is a conflict.':
    remembering(() => {
      const owners = new Map<string, string>()
      const taken = (session: WorldSession, key: string | undefined): boolean => {
        const name = JSON.stringify([session.account.workspace, key ?? session.id])
        owners.set(name, owners.get(name) ?? session.id)
        return owners.get(name) !== session.id
      }
      return [
        around(
          'world.reach.secretRefusal',
          (secretRefusal) => (session, key) => (taken(session, key) ? '30004' : secretRefusal(session, key)),
        ),
        around(
          'world.reach.closeRefusal',
          (closeRefusal) => (session, key) => (taken(session, key) ? '30004' : closeRefusal(session, key)),
        ),
      ]
    }),
  'world-refusals-remembered §4.5: A world create that was refused as invalid stays refused under its key.': several(
    set('world.create.order', keysBeforeBodies),
    set('world.idempotency.remembersFailure', (code) => code === '30004'),
  ),
  'world-gates-reversed §7: A world create is validated last.': set('world.create.order', validatedLast),
  'world-replay-renews §4.5: A world create that is repeated returns fresh descriptors.': set(
    'world.idempotency.renewsOnReplay',
    true,
  ),
  'world-secrets-never-replayed §4.5: Create Client Secret makes fresh descriptors for a known key, too.': set(
    'world.idempotency.secretsReplayed',
    false,
  ),
  'world-secrets-while-provisioning §4.5: Secrets are given to whoever is provisioned; a closing session refuses them with 30004.':
    several(
      set('world.life.initial', () => 'provisioning'),
      set('world.life.provisioningMs', 400),
      set('world.reach.secretRefusal', ({ status }) => {
        if (status === 'active' || status === 'provisioning') return undefined
        return status === 'closing' ? '30004' : '20005'
      }),
    ),
  'world-keys-end-with-session §4.5: The key of a closed world session is free again.': set(
    'world.idempotency.returns',
    (status) => status !== 'closed',
  ),
  'world-keys-of-failed-free §3.2: The first of every six world sessions is created as failed, and its key is free again ("create another session when retryable").':
    several(
      set('world.life.initial', (count) => (count % 6 === 1 ? 'failed' : 'active')),
      set('world.idempotency.returns', (status) => status !== 'closed' && status !== 'failed'),
    ),
  'world-creates-fail-at-times §7: Every fourth world create fails with a 5xx and leaves nothing behind.': set(
    'world.create.internalError',
    (count) => (count % 4 === 0 ? 'before' : undefined),
  ),
  'world-crowded-at-times §7: Capacity lacks for every fifth world create.': set(
    'world.create.crowded',
    (asked) => asked % 5 === 0,
  ),
  'world-allocation-slow §4.5: A world create takes a third of a second.': set('world.create.allocationMs', 330),
})
