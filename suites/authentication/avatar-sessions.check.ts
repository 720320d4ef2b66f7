import { textChat } from '#scenario/author/bodies'
import type { Context } from '#scenario/author/context'
import { acceptance } from '#scenario/author/expectation'
import { scenario } from '#scenario/author/scenario'
import { accepted, answer, different, equals, oneOf, value } from '#trace/conditions'
import type { JsonObject } from '#trace/json'
import { type KeyedRequest, missingRows, rowsOfKeys, withBadKey, withoutKey } from './invalid-keys.ts'
import { leavesOpen } from './leaves-open.ts'
import { optionalCredentials, withOddCredentials } from './odd-credentials.ts'

const admitted = 'authentication.api-key.bearer-admitted'
const group = 'avatar-sessions'
const madeNothing = 'errors.envelope.nonzero-code-is-failure'

const minimal = (c: Context) => textChat({ idempotency_key: c.id('create') })

/** A create, the number that it is to be sent under, and the same with a fault of its key that goes before it. */
interface Door {
  readonly body: JsonObject
  readonly control: number
  readonly bad: KeyedRequest<typeof group>
}

const nobody = 'nobody'

/** Both have one idempotency key, and avatars of their own. */
function doorOf(c: Context): Door {
  const [body, control] = [minimal(c), c.exchange()]
  const call = { body: { ...body, avatars: [{ avatar_id: nobody }] } }
  return { body, control, bad: { group, operation: 'create-avatar-session', call, control } }
}

/** Had the refused create made a session, that of its idempotency key, the one that is accepted would be answered with it. */
function claimNothingMade(c: Context<typeof madeNothing>, refused: number, { control }: Door): void {
  const active = answer(control, '/data/session/active_avatar_id')
  const given = [equals(answer(refused, '/code'), oneOf(10001, 10003)), accepted(control)]
  c.claim(madeNothing, different(active, value(nobody)), { given })
}

/** Create and Get without a key: so cheap that every run affords it. */
export const missingKey = scenario({
  id: 'authentication.missing-key',
  tier: 'smoke',
  claims: [admitted, madeNothing, ...missingRows(group)],
  price: { requests: { primary: 3 }, typical: 5, sessions: { primary: 1 } },
  async drive(c) {
    const expect = acceptance(admitted)
    const door = doorOf(c)
    claimNothingMade(c, await withoutKey(c, door.bad), door)
    const { id } = await c.create(door.body, { expect, exchange: door.control })
    const call = { params: { session_id: id } }
    const get = await c.call('get-avatar-session', { ...call, expect })
    await withoutKey(c, { group, operation: 'get-avatar-session', call, control: get.exchange })
  },
})

/** All four operations with a bad key or none, credentials of odd forms, and what becomes of the session meanwhile. */
export const avatarSessions = scenario({
  id: 'authentication.avatar-sessions',
  steps: [withOddCredentials, leavesOpen],
  claims: [madeNothing, ...rowsOfKeys(group)],
  observes: [
    'authentication.api-key.never-echoed',
    'authentication.control-secret.other-than-api-key',
    'errors.channel.failures-are-events',
  ],
  price: { requests: { primary: 10 }, typical: 22, sessions: { primary: 1 } },
  optional: [
    ...optionalCredentials,
    { id: 'doors', rows: [madeNothing, ...rowsOfKeys(group)], requests: 4 },
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
    const door = doorOf(c)
    if (c.takes('doors')) claimNothingMade(c, await withBadKey(c, door.bad), door)
    const session = await c.create(door.body, { exchange: door.control })
    const call = { params: { session_id: session.id } }
    const { exchange: get } = await c.call('get-avatar-session', call)
    const { exchange: list } = await c.call('list-avatar-sessions')
    const listing: KeyedRequest<typeof group> = { group, operation: 'list-avatar-sessions', control: list }
    if (c.takes('doors')) {
      await withoutKey(c, listing)
      await withBadKey(c, listing)
      await withBadKey(c, { group, operation: 'get-avatar-session', call, control: get })
    }
    await withOddCredentials(c, session, { list, get })
    const means = { create: () => c.create(minimal(c)), control: close }
    const open = c.takes('left-open') ? await leavesOpen(c, session, means) : session
    await c.close(open, { exchange: close })
  },
})
