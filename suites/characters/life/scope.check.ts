import type { RequirementId } from '#spec/register'
import type { AnyContext as Context } from '#scenario/author/context'
import { either, lookTwice, twoLooks } from '#scenario/author/look-twice'
import type { Scenario } from '#scenario/author/scenario'
import { accepted, answer, different, distinct, equals, rejected, value } from '#trace/conditions'
import { at } from '#trace/json'
import { begin, beginInVain, get, listedIn, mustSave, needsCharacters, remove, replace } from '../acts.ts'
import { textCharacter } from '../bodies.ts'

const foreign = 'other_workspace'
const sibling = 'same_workspace'
/** Timestamps tell whole seconds. */
const second_ms = 1_100

const others = {
  get: ['characters.scope.other-workspace-get-rejected', 'characters.code-20005.get-of-other-workspace'],
  replace: ['characters.scope.other-workspace-replace-rejected', 'characters.code-20005.replace-of-other-workspace'],
  delete: ['characters.scope.other-workspace-delete-rejected', 'characters.code-20005.delete-of-other-workspace'],
  start: ['characters.scope.other-workspace-start-rejected', 'characters.code-20005.start-of-other-workspace'],
} as const satisfies Record<string, readonly [RequirementId, RequirementId]>

const changesNothing = {
  replace: 'characters.scope.other-workspace-replace-changes-nothing',
  delete: 'characters.scope.other-workspace-delete-changes-nothing',
} as const

/** A key of another workspace may do nothing with a character, a page or an idempotency key. */
export const otherWorkspace: Scenario = {
  id: 'characters.other-workspace',
  needs: { ...needsCharacters, keys: [foreign] },
  proves: [
    ...Object.values(others).flat(),
    ...Object.values(changesNothing),
    'characters.scope.other-workspace-list-hidden',
    'characters.scope.page-token-opens-no-other-workspace',
    'characters.session.key-scoped-to-workspace',
    'characters.character.updated-at-moved-by-replace',
  ],
  price: { requests: { primary: 12, [foreign]: 10 }, typical: 20, sessions: { primary: 1, [foreign]: 1 }, waits: 3 },
  async drive(c) {
    const [id, aside] = [await mustSave(c, textCharacter(c, 'mine')), await mustSave(c, textCharacter(c, 'aside'))]
    const own = { get: c.exchange(), replace: c.exchange(), delete: c.exchange(), start: c.exchange() }
    await startBoth(c, id, own.start)
    // A moved timestamp shows only after a second: one that moves for a name alone, and one that moves for a stranger.
    await c.wait(second_ms, 'timer')
    const name = c.id('mine-again')
    await replace(c, id, { ...textCharacter(c, 'mine'), name }, { exchange: own.replace })
    await c.wait(second_ms, 'timer')
    await intrude(c, id, own)
    c.claim(changesNothing.replace, equals(answer(own.get, '/data/name'), value(name)))
    await get(c, id, { exchange: own.get })
    await intrudeLast(c, id, own.delete)
    await turnPages(c, [id, aside])
    await remove(c, aside, { exchange: own.delete })
  },
}

type Deeds = Readonly<Record<keyof typeof others, number>>

async function intrude(c: Context, id: string, own: Deeds): Promise<void> {
  const key = foreign
  const numbers = { get: c.exchange(), replace: c.exchange(), start: c.exchange() }
  for (const deed of ['get', 'replace', 'start'] as const) {
    const [row, code] = others[deed]
    c.claim(row, rejected(numbers[deed], own[deed]))
    c.claim(code, rejected(numbers[deed], own[deed], [20005]))
  }
  await get(c, id, { exchange: numbers.get, key })
  await beginInVain(c, { character_id: id }, { exchange: numbers.start, key })
  await replace(c, id, textCharacter(c, 'intruder'), { exchange: numbers.replace, key })
}

/** What a delete has done shows by whether the character is still found. */
async function intrudeLast(c: Context, id: string, twin: number): Promise<void> {
  const [exchange, after] = [c.exchange(), c.exchange()]
  c.claim(others.delete[0], rejected(exchange, twin))
  c.claim(others.delete[1], rejected(exchange, twin, [20005]))
  c.claim(changesNothing.delete, accepted(after))
  await remove(c, id, { exchange, key: foreign })
  await get(c, id, { exchange: after })
}

/** The list of the other workspace, and a page token of ours in its hands. */
async function turnPages(c: Context, ids: readonly string[]): Promise<void> {
  await c.call('list-characters', { key: foreign })
  const first = await c.call('list-characters', { query: { page_size: '1' } })
  const page_token = at(first.data, '/next_page_token')
  const exchange = c.exchange()
  const row = 'characters.scope.page-token-opens-no-other-workspace'
  const turned = typeof page_token === 'string' && page_token !== ''
  for (const id of ids) {
    c.claim(row, different(answer(exchange, '/**'), value(id)), {
      given: [different(answer(first.exchange, '/data/next_page_token'), value(''))],
      given_code: 'model_choice',
    })
  }
  if (turned) await c.call('list-characters', { exchange, key: foreign, query: { page_size: '200', page_token } })
}

/** One idempotency key, used in two workspaces for a character each. */
async function startBoth(c: Context, character_id: string, exchange: number): Promise<void> {
  const idempotency_key = c.id('shared')
  const theirs = await mustSave(c, textCharacter(c, 'theirs'), { key: foreign })
  const mine = await begin(c, { character_id, idempotency_key }, { exchange })
  const their = c.exchange()
  const ids = [answer(exchange, '/data/session_id'), answer(their, '/data/session_id')] as const
  c.claim('characters.session.key-scoped-to-workspace', distinct(...ids))
  const other = await begin(c, { character_id: theirs, idempotency_key }, { exchange: their, key: foreign })
  await c.close(other)
  await c.close(mine)
}

const siblings = {
  get: 'characters.scope.same-workspace-key-gets',
  list: 'characters.scope.same-workspace-key-lists',
  replace: 'characters.scope.same-workspace-key-replaces',
  start: 'characters.scope.same-workspace-key-starts',
  delete: 'characters.scope.same-workspace-key-deletes',
} as const

/** Another key of the workspace may do everything. */
export const sameWorkspace: Scenario = {
  id: 'characters.same-workspace',
  needs: { ...needsCharacters, keys: [sibling] },
  proves: Object.values(siblings),
  price: { requests: { primary: 1, [sibling]: 8 }, typical: 7, sessions: { primary: 1 } },
  async drive(c) {
    const id = await mustSave(c, textCharacter(c, 'shared'))
    const key = sibling
    const [looks, lists] = [twoLooks(c), twoLooks(c)]
    const numbers = {
      replace: c.exchange(),
      start: c.exchange(),
      delete: c.exchange(),
    }
    for (const deed of ['replace', 'start', 'delete'] as const) c.claim(siblings[deed], accepted(numbers[deed]))
    c.claim(siblings.get, either(looks, accepted))
    await lookTwice(
      c,
      looks,
      (exchange) => get(c, id, { exchange, key }),
      ({ ok }) => ok,
    )
    const listed = (exchange: number) => equals(answer(exchange, '/data/items/**'), value(id))
    c.claim(siblings.list, either(lists, listed))
    await lookTwice(
      c,
      lists,
      (exchange) => c.call('list-characters', { exchange, key }),
      (page) => listedIn(page).has(id),
    )
    await replace(c, id, textCharacter(c, 'shared'), { exchange: numbers.replace, key })
    await c.close(await begin(c, { character_id: id }, { exchange: numbers.start, key }), { key })
    await remove(c, id, { exchange: numbers.delete, key })
  },
}
