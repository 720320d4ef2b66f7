import { anew } from '#scenario/author/sessions/anew'
import type { Context } from '#scenario/author/context'
import { acceptance, outcome, rejection } from '#scenario/author/expectation'
import type { Optional } from '#scenario/author/optional'
import { scenario } from '#scenario/author/scenario'
import { step } from '#scenario/author/step'
import { accepted, all, answer, any, different, equals, oneOf, value } from '#trace/conditions'
import type { JsonObject } from '#trace/json'
import { world as minimal } from '#scenario/author/bodies'
import { ask, askOpen, keyed, makeWorld, sendCreate, settled, type World, worldOf } from '../send.ts'

const operations = [
  ['get-world-session', 'get'],
  ['create-client-secret', 'client-secret'],
  ['close-world-session', 'close'],
] as const

type Controls = { readonly [name in (typeof operations)[number][1]]: number }

/** A key of another workspace gets nothing, opens nothing and closes nothing. */
const refuseOther = step(
  operations.flatMap(
    ([, name]) =>
      [
        `world-sessions.${name}.other-workspace-rejected`,
        `world-sessions.code-20005.${name}-of-other-workspace`,
      ] as const,
  ),
  async (c, mine: World, controls: Controls) => {
    for (const [operation, name] of operations) {
      const expect = rejection({
        rows: `world-sessions.${name}.other-workspace-rejected`,
        coded: `world-sessions.code-20005.${name}-of-other-workspace`,
        codes: [20005],
        control: controls[name],
      })
      await ask(c, operation, { ...mine, key: 'other_workspace' }, { expect })
    }
  },
)

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

const scoped = 'world-sessions.idempotency.scoped-to-workspace'

/** A key of this workspace means nothing in another one: what is refused there must be refused with a key of its own, too. */
const makeTheirs = step([scoped], async (c, body: JsonObject): Promise<World> => {
  const key = 'other_workspace'
  const fresh = c.exchange()
  const expect = acceptance(scoped, (shared) => ({ given: [any(accepted(shared), accepted(fresh))] }))
  const world = worldOf(await sendCreate(c, body, { key, expect }), key)
  return world ?? makeWorld(c, keyed(c, body), { exchange: fresh, key })
})

const isOpen = (exchange: number) =>
  all(accepted(exchange), different(answer(exchange, '/data/status'), oneOf('closing', 'closed')))

const unchanged = 'world-sessions.close.other-workspace-changes-nothing'

const useOwn = step([unchanged], async (c, mine: World, controls: Controls) => {
  await ask(c, 'get-world-session', mine, { exchange: controls.get, expect: outcome(unchanged, isOpen) })
  await askOpen(c, 'create-client-secret', mine, { exchange: controls['client-secret'] })
  await ask(c, 'close-world-session', mine, { exchange: controls.close })
})

const getRefused = 'world-sessions.get.other-workspace-rejected'
const leavesOthers = 'world-sessions.close.leaves-others-open'

/** What is left of it without these: a session that is read, opened and closed by its own key, and one of the other workspace. */
const optional: readonly Optional[] = [
  { id: 'refused', rows: [...refuseOther.claims, unchanged], requests: 4 },
  { id: 'left-open', rows: [leavesOthers], requests: 1 },
]

/** Sessions belong to the workspace of the key: a key of another one can do nothing with them. */
export const otherWorkspace = scenario({
  id: 'world-sessions.other-workspace',
  needs: { abilities: ['world_sessions'], keys: ['other_workspace'] },
  price: { requests: { primary: 6, other_workspace: 8 }, typical: 11 },
  steps: [makeTheirs, refuseOther, useOwn],
  claims: [getRefused],
  // A session may end by itself: what a look at one says of the close of another is told over the whole run.
  observes: [leavesOthers],
  optional,
  async drive(c) {
    const { mine, body } = await anew(() => makeMine(c), isFailed)
    // It shows besides that the other key is a good one.
    const theirs = await makeTheirs(c, body)
    const controls = { get: c.exchange(), 'client-secret': c.exchange(), close: c.exchange() }
    if (c.takes('refused')) await refuseOther(c, mine, controls)
    await useOwn(c, mine, controls)
    if (c.takes('refused')) {
      // What is over belongs to its workspace still.
      const late = rejection({ rows: getRefused, control: controls.get })
      await ask(c, 'get-world-session', { ...mine, key: 'other_workspace' }, { expect: late })
    }
    if (c.takes('left-open')) await ask(c, 'get-world-session', theirs)
    await ask(c, 'close-world-session', theirs)
  },
})

/** Another key of the workspace may do everything. */
export const sameWorkspace = scenario({
  id: 'world-sessions.same-workspace',
  needs: { abilities: ['world_sessions'], keys: ['same_workspace'] },
  price: { requests: { primary: 4, same_workspace: 7 }, typical: 4 },
  claims: operations.map(([, name]) => `world-sessions.${name}.same-workspace-key` as const),
  async drive(c) {
    const mine = await makeWorld(c, minimal())
    const { exchange: shown } = await settled(c, mine)
    // A session may fail (3.2), and then there is nothing to close or to open.
    const given = [equals(answer(shown, '/data/status'), value('active'))]
    for (const [operation, name] of operations) {
      const as = { ...mine, key: 'same_workspace' } as const
      const isRead = operation === 'get-world-session'
      const expect = acceptance(`world-sessions.${name}.same-workspace-key`, isRead ? {} : { given })
      await (isRead ? ask(c, operation, as, { expect }) : askOpen(c, operation, as, { expect }))
    }
  },
})
