import { set, around, several, remembering } from '#target/overrides/operators'
import type { Variation } from '#target/deviation'
import type { WorldSession } from '#target/worlds/session'

/** Idempotency keys, and what a create meets on its way. */
export const worldKeyVariations: readonly Variation[] = [
  {
    id: 'world-bodies-by-text',
    section: '4.5',
    text: 'A body is identical only when it is the same to the letter.',
    override: set('world.idempotency.sameBody', (first, again) => first === again),
  },
  {
    id: 'world-keys-per-key',
    section: '4.5',
    text: 'Idempotency keys of worlds belong to the API key that sent them.',
    override: set('world.idempotency.scope', (account, key) => `${account.secret}\n${key}`),
  },
  {
    id: 'world-repeats-without-secrets',
    section: '4.5',
    text: 'The answer to a repeated create shows the session as Get does: without secrets, which Create Client Secret gives.',
    override: ({ world: { views } }) => void (views.replayed = views.got),
  },
  {
    id: 'world-keys-of-one-session',
    section: '4.5',
    text: 'A key of a close, or of fresh secrets, serves one session; for another one it is a conflict.',
    override: remembering(() => {
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
  },
  {
    id: 'world-refusals-remembered',
    section: '4.5',
    text: 'A world create that was refused as invalid stays refused under its key.',
    override: several(
      set('world.create.order', ['billing', 'permission', 'idempotency', 'validation', 'capacity', 'concurrency']),
      set('world.idempotency.remembersFailure', (code) => code === '30004'),
    ),
  },
  {
    id: 'world-gates-reversed',
    section: '7',
    text: 'A world create is validated last.',
    override: set('world.create.order', [
      'idempotency',
      'concurrency',
      'capacity',
      'validation',
      'permission',
      'billing',
    ]),
  },
  {
    id: 'world-replay-renews',
    section: '4.5',
    text: 'A world create that is repeated returns fresh descriptors.',
    override: set('world.idempotency.renewsOnReplay', true),
  },
  {
    id: 'world-secrets-never-replayed',
    section: '4.5',
    text: 'Create Client Secret makes fresh descriptors for a known key, too.',
    override: set('world.idempotency.secretsReplayed', false),
  },
  {
    id: 'world-secrets-while-provisioning',
    section: '4.5',
    text: 'Secrets are given to whoever is provisioned; a closing session refuses them with 30004.',
    override: several(
      set('world.life.initial', () => 'provisioning'),
      set('world.life.provisioningMs', 400),
      set('world.reach.secretRefusal', ({ status }) => {
        if (status === 'active' || status === 'provisioning') return undefined
        return status === 'closing' ? '30004' : '20005'
      }),
    ),
  },
  {
    id: 'world-keys-end-with-session',
    section: '4.5',
    text: 'The key of a closed world session is free again.',
    override: set('world.idempotency.returns', (status) => status !== 'closed'),
  },
  {
    id: 'world-creates-fail-at-times',
    section: '7',
    text: 'Every fourth world create fails with a 5xx and leaves nothing behind.',
    override: set('world.create.internalError', (count) => (count % 4 === 0 ? 'before' : undefined)),
  },
  {
    id: 'world-crowded-at-times',
    section: '7',
    text: 'Capacity lacks for every fifth world create.',
    override: set('world.create.crowded', (asked) => asked % 5 === 0),
  },
  {
    id: 'world-allocation-slow',
    section: '4.5',
    text: 'A world create takes a third of a second.',
    override: set('world.create.allocationMs', 330),
  },
]
