import type { RequirementId } from '#spec/register'
import type { AnyContext as Context } from '#scenario/author/context'
import type { Scenario } from '#scenario/author/scenario'
import { accepted } from '#trace/conditions'
import { textChat } from './bodies.ts'
import { knockOddly, oddRows } from './odd-credentials.ts'
import { leavesOpen } from './leaves-open.ts'
import { type Door, rowsOf, withBadKey, withoutKey } from './knock.ts'

const admitted: RequirementId = 'authentication.api-key.bearer-admitted'
const group = 'avatar-sessions'

/** Create and Get without a key: so cheap that every run affords it. */
export const missingKey: Scenario = {
  id: 'authentication.missing-key',
  tier: 'smoke',
  proves: [
    admitted,
    'authentication.header-required.avatar-sessions',
    'authentication.missing-key.avatar-sessions',
    'errors.code-10001.key-absent',
  ],
  price: { requests: { primary: 3 }, typical: 5, sessions: { primary: 1 } },
  async drive(context: Context) {
    const [create, get] = [context.exchange(), context.exchange()]
    context.claim(admitted, accepted(create))
    const { id } = await context.create(textChat(context.id('create')), { exchange: create })
    const call = { params: { session_id: id } }
    context.claim(admitted, accepted(get))
    await context.call('get-avatar-session', { ...call, exchange: get })
    await withoutKey(context, createDoor(context, create))
    await withoutKey(context, { group, operation: 'get-avatar-session', call, twin: get })
  },
}

/** All four operations with a bad key or none, credentials of odd forms, and what becomes of the session meanwhile. */
export const avatarSessions: Scenario = {
  id: 'authentication.avatar-sessions',
  proves: [
    ...rowsOf(group),
    ...oddRows,
    'authentication.missing-key.changes-nothing',
    'authentication.invalid-key.changes-nothing',
    'authentication.api-key.never-echoed',
    'authentication.control-secret.other-than-api-key',
    'errors.channel.failures-are-events',
  ],
  price: { requests: { primary: 6 }, typical: 22, sessions: { primary: 1 } },
  async drive(context: Context) {
    const [create, get, list, close] = [context.exchange(), context.exchange(), context.exchange(), context.exchange()]
    const session = await context.create(textChat(context.id('create')), { exchange: create })
    const call = { params: { session_id: session.id } }
    const getting: Door = { group, operation: 'get-avatar-session', call, twin: get }
    const listing: Door = { group, operation: 'list-avatar-sessions', twin: list }
    await context.call('get-avatar-session', { ...call, exchange: get })
    await context.call('list-avatar-sessions', { exchange: list })
    await withoutKey(context, listing)
    await withBadKey(context, listing)
    await withBadKey(context, getting)
    await withBadKey(context, createDoor(context, create))
    await knockOddly(context, { list, get, session })
    await leavesOpen(context, session, { group, operation: 'close-avatar-session', call, twin: close })
    await context.close(session, { exchange: close })
  },
}

function createDoor(context: Context, twin: number): Door {
  return { group, operation: 'create-avatar-session', call: { body: textChat(context.id('create')) }, twin }
}
