import { listWith } from '#scenario/author/look-for-sessions'
import type { OpenSession } from '#scenario/author/context'
import { acceptance, rejection } from '#scenario/author/expectation'
import { scenario, type Scenario } from '#scenario/author/scenario'
import { look, onceMoreIfEnded, saysGoingOn } from '#scenario/author/session-ending'
import { step } from '#scenario/author/step'
import { either, lookTwice, twoLooks } from '#scenario/author/look-twice'
import { accepted } from '#trace/conditions'
import { isSilent } from '#scenario/author/sessions/sight'
import { textChat } from '#scenario/author/bodies'
import { expectWorking } from './working.ts'

const operations = ['get', 'close'] as const
const unchanged = 'avatar-sessions.close.other-workspace-changes-nothing'

/** A key of another workspace finds the session no more than one that nobody made. */
const refuseOther = step(
  operations.flatMap(
    (what) =>
      [
        `avatar-sessions.${what}.other-workspace-rejected`,
        `errors.code-20005.${what}-avatar-session-of-other-workspace`,
      ] as const,
  ),
  async (c, { id: session_id }: OpenSession, controls: { readonly get: number; readonly close: number }) => {
    for (const what of operations) {
      const expect = rejection({
        rows: `avatar-sessions.${what}.other-workspace-rejected`,
        coded: `errors.code-20005.${what}-avatar-session-of-other-workspace`,
        codes: [20005],
        control: controls[what],
      })
      await c.call(`${what}-avatar-session`, { key: 'other_workspace', params: { session_id }, expect })
    }
  },
)

/** Sessions belong to the workspace of the key: another key of it may do everything, a key of another one nothing. */
export const otherWorkspace = scenario({
  id: 'avatar-sessions.other-workspace',
  needs: { keys: ['other_workspace'] },
  price: { requests: { primary: 10, other_workspace: 10 }, typical: 10, sessions: { primary: 1, other_workspace: 1 } },
  steps: [refuseOther],
  claims: [unchanged],
  observes: ['avatar-sessions.list.hides-other-workspaces', 'avatar-sessions.idempotency.scoped-to-workspace'],
  drive: (c) =>
    onceMoreIfEnded(c, async (round) => {
      const body = textChat({ idempotency_key: c.id('shared') })
      const mine = await c.create(body)
      const theirs = await c.create(body, { key: 'other_workspace' })
      const close = c.exchange()
      const { exchange: get } = await look(c, mine)
      await refuseOther(c, mine, { get, close })
      const looked = await look(c, mine)
      await c.call('list-avatar-sessions')
      await c.close(theirs, { key: 'other_workspace' })
      // Now that it has none of its own, whoever shows all for none shows ours.
      await c.call('list-avatar-sessions', { key: 'other_workspace' })
      const claims = [{ condition: saysGoingOn(looked.exchange) }]
      round.goesOn(c, { session: mine, rows: unchanged, claims, looked })
      // Where Get tells nothing of it, its channel does.
      if (isSilent(looked, mine)) await expectWorking(c, mine, unchanged)
      await c.close(mine, { exchange: close })
    }),
})

export const sameWorkspace = scenario({
  id: 'avatar-sessions.same-workspace',
  needs: { keys: ['same_workspace'] },
  price: { requests: { primary: 3, same_workspace: 5 }, typical: 5, sessions: { primary: 1 } },
  claims: ['avatar-sessions.get.same-workspace-key', 'avatar-sessions.close.same-workspace-key'],
  observes: ['avatar-sessions.list.shows-sessions-of-other-keys'],
  async drive(c) {
    const session = await c.create(textChat())
    const gets = twoLooks(c)
    const [key, params] = ['same_workspace', { session_id: session.id }] as const
    c.claim('avatar-sessions.get.same-workspace-key', either(gets, accepted))
    const get = (exchange: number) => c.call('get-avatar-session', { exchange, key, params })
    await lookTwice(c, gets, get, ({ ok }) => ok)
    await listWith(c, [session], { key })
    await c.close(session, { key, expect: acceptance('avatar-sessions.close.same-workspace-key') })
    await c.call('get-avatar-session', { params })
  },
})

export const access: readonly Scenario[] = [otherWorkspace, sameWorkspace]
