import { textChat } from '#scenario/author/bodies'
import type { Context } from '#scenario/author/context'
import { acceptance } from '#scenario/author/expectation'
import { scenario } from '#scenario/author/scenario'
import { type KeyedRequest, missingRows, rowsOfKeys, withBadKey, withoutKey } from './invalid-keys.ts'
import { leavesOpen } from './leaves-open.ts'
import { optionalCredentials, withOddCredentials } from './odd-credentials.ts'

const admitted = 'authentication.api-key.bearer-admitted'
const group = 'avatar-sessions'

/** Create and Get without a key: so cheap that every run affords it. */
export const missingKey = scenario({
  id: 'authentication.missing-key',
  tier: 'smoke',
  claims: [admitted, ...missingRows(group)],
  price: { requests: { primary: 3 }, typical: 5, sessions: { primary: 1 } },
  async drive(c) {
    const expect = acceptance(admitted)
    const { id, exchange: control } = await c.create(minimal(c), { expect })
    const call = { params: { session_id: id } }
    const get = await c.call('get-avatar-session', { ...call, expect })
    await withoutKey(c, createDoor(c, control))
    await withoutKey(c, { group, operation: 'get-avatar-session', call, control: get.exchange })
  },
})

/** All four operations with a bad key or none, credentials of odd forms, and what becomes of the session meanwhile. */
export const avatarSessions = scenario({
  id: 'authentication.avatar-sessions',
  steps: [withOddCredentials, leavesOpen],
  claims: rowsOfKeys(group),
  observes: [
    'authentication.api-key.never-echoed',
    'authentication.control-secret.other-than-api-key',
    'errors.channel.failures-are-events',
  ],
  price: { requests: { primary: 10 }, typical: 22, sessions: { primary: 1 } },
  optional: [
    ...optionalCredentials,
    { id: 'doors', rows: rowsOfKeys(group), requests: 4 },
    {
      id: 'left-open',
      rows: [
        'authentication.missing-key.changes-nothing',
        'authentication.invalid-key.changes-nothing',
        'errors.channel.failures-are-events',
      ],
      also: rowsOfKeys(group),
      requests: 4,
    },
  ],
  async drive(c) {
    const close = c.exchange()
    const session = await c.create(minimal(c))
    const call = { params: { session_id: session.id } }
    const { exchange: get } = await c.call('get-avatar-session', call)
    const { exchange: list } = await c.call('list-avatar-sessions')
    const listing: KeyedRequest<typeof group> = { group, operation: 'list-avatar-sessions', control: list }
    if (c.takes('doors')) {
      await withoutKey(c, listing)
      await withBadKey(c, listing)
      await withBadKey(c, { group, operation: 'get-avatar-session', call, control: get })
      await withBadKey(c, createDoor(c, session.exchange))
    }
    await withOddCredentials(c, session, { list, get })
    const means = { create: () => c.create(minimal(c)), control: close }
    const open = c.takes('left-open') ? await leavesOpen(c, session, means) : session
    await c.close(open, { exchange: close })
  },
})

function createDoor(c: Context, control: number): KeyedRequest<typeof group> {
  return { group, operation: 'create-avatar-session', call: { body: minimal(c) }, control }
}

const minimal = (c: Context) => textChat({ idempotency_key: c.id('create') })
