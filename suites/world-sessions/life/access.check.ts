import type { AnyContext as Context } from '#scenario/author/context'
import type { Scenario } from '#scenario/author/scenario'
import { accepted, all, answer, any, different, equals, oneOf, rejected, value } from '#trace/conditions'
import type { JsonObject } from '#trace/json'
import { minimal } from '../bodies.ts'
import { anew, ask, keyed, makeWorld, sendCreate, settled, type World, worldOf } from '../send.ts'

const operations = [
  ['get-world-session', 'get'],
  ['create-client-secret', 'client-secret'],
  ['close-world-session', 'close'],
] as const

/** Sessions belong to the workspace of the key: a key of another one can do nothing with them. */
export const otherWorkspace: Scenario = {
  id: 'world-sessions.other-workspace',
  needs: { abilities: ['world_sessions'], keys: ['other_workspace'] },
  price: { requests: { primary: 6, other_workspace: 8 }, typical: 11 },
  proves: [
    ...operations.map(([, name]) => `world-sessions.${name}.other-workspace-rejected` as const),
    ...operations.map(([, name]) => `world-sessions.code-20005.${name}-of-other-workspace` as const),
    'world-sessions.close.other-workspace-changes-nothing',
    'world-sessions.idempotency.scoped-to-workspace',
    'world-sessions.close.leaves-others-open',
  ],
  async drive(c: Context) {
    const { mine, body } = await anew(() => makeMine(c), isFailed)
    const theirs = await makeTheirs(c, body)
    const twins = [c.exchange(), c.exchange(), c.exchange()] as const
    for (const [place, [operation, name]] of operations.entries()) {
      const exchange = c.exchange()
      const twin = twins[place] ?? 0
      c.claim(`world-sessions.${name}.other-workspace-rejected`, rejected(exchange, twin))
      c.claim(`world-sessions.code-20005.${name}-of-other-workspace`, rejected(exchange, twin, [20005]))
      await ask(c, operation, { ...mine, key: 'other_workspace' }, { exchange })
    }
    await useOwn(c, mine, twins)
    await lookLate(c, mine, twins[0])
    const after = c.exchange()
    const status = answer(after, '/data/status')
    const open = all(accepted(after), different(status, oneOf('closing', 'closed')))
    c.claim('world-sessions.close.leaves-others-open', open)
    await ask(c, 'get-world-session', theirs, { exchange: after })
    await ask(c, 'close-world-session', theirs)
  },
}

/** A session, what it was created with, and the status that it came to. */
interface Mine {
  readonly mine: World
  readonly body: JsonObject
  readonly status: unknown
}

async function makeMine(c: Context): Promise<Mine> {
  const body = keyed(c, minimal())
  const mine = await makeWorld(c, body)
  const { status } = await settled(c, mine)
  return { mine, body, status }
}

/** Then nothing can be opened. */
const isFailed = ({ status }: Mine): boolean => status === 'failed'

/** A key of this workspace means nothing in another one: what is refused there must be refused with a key of its own, too. */
async function makeTheirs(c: Context, body: JsonObject): Promise<World> {
  const key = 'other_workspace'
  const [shared, fresh] = [c.exchange(), c.exchange()]
  const either = any(accepted(shared), accepted(fresh))
  c.claim('world-sessions.idempotency.scoped-to-workspace', accepted(shared), { given: [either] })
  const world = worldOf(await sendCreate(c, body, { exchange: shared, key }), key)
  return world ?? makeWorld(c, keyed(c, body), { exchange: fresh, key })
}

/** What is over belongs to its workspace still. */
async function lookLate(c: Context, mine: World, twin: number): Promise<void> {
  const exchange = c.exchange()
  c.claim('world-sessions.get.other-workspace-rejected', rejected(exchange, twin))
  await ask(c, 'get-world-session', { ...mine, key: 'other_workspace' }, { exchange })
}

async function useOwn(c: Context, mine: World, [get, secret, close]: readonly [number, number, number]): Promise<void> {
  const status = answer(get, '/data/status')
  const open = all(accepted(get), different(status, oneOf('closing', 'closed')))
  c.claim('world-sessions.close.other-workspace-changes-nothing', open)
  await ask(c, 'get-world-session', mine, { exchange: get })
  await ask(c, 'create-client-secret', mine, { exchange: secret })
  await ask(c, 'close-world-session', mine, { exchange: close })
}

/** Another key of the workspace may do everything. */
export const sameWorkspace: Scenario = {
  id: 'world-sessions.same-workspace',
  needs: { abilities: ['world_sessions'], keys: ['same_workspace'] },
  price: { requests: { primary: 4, same_workspace: 3 }, typical: 4 },
  proves: operations.map(([, name]) => `world-sessions.${name}.same-workspace-key` as const),
  async drive(c: Context) {
    const mine = await makeWorld(c, minimal())
    const { exchange: shown } = await settled(c, mine)
    // A session may fail (3.2), and then there is nothing to close or to open.
    const given = [equals(answer(shown, '/data/status'), value('active'))]
    for (const [operation, name] of operations) {
      const exchange = c.exchange()
      const options = operation === 'get-world-session' ? {} : { given }
      c.claim(`world-sessions.${name}.same-workspace-key`, accepted(exchange), options)
      await ask(c, operation, { ...mine, key: 'same_workspace' }, { exchange })
    }
  },
}
