import type { Scenario } from '#scenario/author/scenario'
import { either, lookTwice, twoLooks } from '#scenario/author/look-twice'
import { accepted, answer, different, rejected, value } from '#trace/conditions'
import { textChat } from '#scenario/author/bodies'
import { listWith } from './listed.ts'

/** Sessions belong to the workspace of the key: another key of it may do everything, a key of another one nothing. */
export const otherWorkspace: Scenario = {
  id: 'avatar-sessions.other-workspace',
  needs: { keys: ['other_workspace'] },
  price: { requests: { primary: 6, other_workspace: 6 }, typical: 10, sessions: { primary: 1, other_workspace: 1 } },
  proves: [
    'avatar-sessions.get.other-workspace-rejected',
    'avatar-sessions.close.other-workspace-rejected',
    'avatar-sessions.close.other-workspace-changes-nothing',
    'avatar-sessions.list.hides-other-workspaces',
    'avatar-sessions.idempotency.scoped-to-workspace',
    'errors.code-20005.get-avatar-session-of-other-workspace',
    'errors.code-20005.close-avatar-session-of-other-workspace',
  ],
  async drive(c) {
    const body = { ...textChat(), idempotency_key: c.id('shared') }
    const mine = await c.create(body)
    const theirs = await c.create(body, { key: 'other_workspace' })
    const [own, close, after] = [c.exchange(), c.exchange(), c.exchange()]
    await c.call('get-avatar-session', { exchange: own, params: { session_id: mine.id } })
    for (const [what, twin] of [
      ['get', own],
      ['close', close],
    ] as const) {
      const exchange = c.exchange()
      c.claim(`avatar-sessions.${what}.other-workspace-rejected`, rejected(exchange, twin))
      c.claim(`errors.code-20005.${what}-avatar-session-of-other-workspace`, rejected(exchange, twin, [20005]))
      await c.call(`${what}-avatar-session`, { exchange, key: 'other_workspace', params: { session_id: mine.id } })
    }
    c.claim('avatar-sessions.close.other-workspace-changes-nothing', accepted(after))
    for (const status of ['closing', 'closed']) {
      c.claim(
        'avatar-sessions.close.other-workspace-changes-nothing',
        different(answer(after, '/data/status'), value(status)),
      )
    }
    await c.call('get-avatar-session', { exchange: after, params: { session_id: mine.id } })
    await c.call('list-avatar-sessions')
    await c.call('list-avatar-sessions', { key: 'other_workspace' })
    await c.close(mine, { exchange: close })
    await c.close(theirs, { key: 'other_workspace' })
  },
}

export const sameWorkspace: Scenario = {
  id: 'avatar-sessions.same-workspace',
  needs: { keys: ['same_workspace'] },
  price: { requests: { primary: 3, same_workspace: 5 }, typical: 5, sessions: { primary: 1 } },
  proves: [
    'avatar-sessions.get.same-workspace-key',
    'avatar-sessions.close.same-workspace-key',
    'avatar-sessions.list.shows-sessions-of-other-keys',
  ],
  async drive(c) {
    const session = await c.create(textChat())
    const [gets, close] = [twoLooks(c), c.exchange()]
    const [key, params] = ['same_workspace', { session_id: session.id }] as const
    c.claim('avatar-sessions.get.same-workspace-key', either(gets, accepted))
    const get = (exchange: number) => c.call('get-avatar-session', { exchange, key, params })
    await lookTwice(c, gets, get, ({ ok }) => ok)
    await listWith(c, session, { key })
    c.claim('avatar-sessions.close.same-workspace-key', accepted(close))
    await c.close(session, { exchange: close, key })
    await c.call('get-avatar-session', { params })
  },
}

export const access: readonly Scenario[] = [otherWorkspace, sameWorkspace]
