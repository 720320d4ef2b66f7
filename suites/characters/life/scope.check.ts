import type { RequirementId } from '#spec/register'
import { either, lookTwice, twoLooks } from '#scenario/author/look-twice'
import { acceptance, outcome, rejection } from '#scenario/author/expectation'
import type { Optional } from '#scenario/author/optional'
import { scenario } from '#scenario/author/scenario'
import { step } from '#scenario/author/step'
import { accepted, answer, different, distinct, equals, value } from '#trace/conditions'
import { textAt } from '#trace/json'
import { begin, beginInVain, get, listedIn, mustSave, needsCharacters, remove, removeOwn, replace } from '../acts.ts'
import { textChat } from '#scenario/author/bodies'
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

type Deed = keyof typeof others

/** That a deed of the other workspace is rejected, beside the same by a key of this one. */
function refusedTo<Of extends Deed>(deed: Of, control: number) {
  type Row = (typeof others)[Of][0] | (typeof others)[Of][1]
  return rejection<Row>({ rows: others[deed][0], coded: others[deed][1], codes: [20005], control })
}

type Own = Readonly<Record<Deed, number>>

const intrude = step(
  [...others.get, ...others.replace, ...others.start, changesNothing.replace],
  async (c, own: Own, { id, name }: { readonly id: string; readonly name: string }) => {
    const key = foreign
    if (c.takes('get')) await get(c, id, { key, expect: refusedTo('get', own.get) })
    if (c.takes('start')) await beginInVain(c, { character_id: id }, { key, expect: refusedTo('start', own.start) })
    if (!c.takes('replace')) {
      if (c.takes('read')) await get(c, id, { exchange: own.get })
      return
    }
    await replace(c, id, textCharacter(c, 'intruder'), { key, expect: refusedTo('replace', own.replace) })
    const isKept = (exchange: number) => equals(answer(exchange, '/data/name'), value(name))
    // A replace of our own that was refused, as by moderation, has left the name of before.
    const expect = outcome(changesNothing.replace, isKept, { onlyIf: [accepted(own.replace)] })
    await get(c, id, { exchange: own.get, expect })
  },
)

/** What a delete has done shows by whether the character is still found. */
const intrudeLast = step([...others.delete, changesNothing.delete], async (c, own: Own, id: string) => {
  await remove(c, id, { key: foreign, expect: refusedTo('delete', own.delete) })
  await get(c, id, { expect: acceptance(changesNothing.delete) })
})

const tokenRow = 'characters.scope.page-token-opens-no-other-workspace'

/** The list of the other workspace, and a page token of ours in its hands. Ids may be those of its own (1.6): names are ours alone. */
const turnPages = step([tokenRow], async (c, names: readonly string[]) => {
  await c.call('list-characters', { key: foreign })
  const first = await c.call('list-characters', { query: { page_size: '1' } })
  const page_token = textAt(first.data, '/next_page_token')
  const isToken = different(answer(first.exchange, '/data/next_page_token'), value(''))
  const hidden = (name: string) => (exchange: number) => different(answer(exchange, '/**'), value(name))
  const exchange = c.expect(names.map((name) => outcome(tokenRow, hidden(name), { onlyIf: [isToken] })))
  if (page_token === undefined) return
  await c.call('list-characters', { exchange, key: foreign, query: { page_size: '200', page_token } })
})

const scoped = 'characters.session.key-scoped-to-workspace'

/** A character of either workspace. */
interface Both {
  readonly mine: string
  readonly theirs: string
}

/** Starts a session, and with the same idempotency key one of another character in the other workspace. */
const startBoth = step([scoped], async (c, { mine: character_id, theirs }: Both, exchange: number) => {
  const idempotency_key = c.id('shared')
  const mine = await begin(c, { character_id, idempotency_key }, { exchange })
  if (c.takes('key')) {
    const idOf = (start: number) => answer(start, '/data/session_id')
    const expect = outcome(scoped, (start) => distinct(idOf(exchange), idOf(start)))
    await c.close(await begin(c, { character_id: theirs, idempotency_key }, { key: foreign, expect }))
  }
  await c.close(mine)
})

const moved = 'characters.character.updated-at-moved-by-replace'
const listHidden = 'characters.scope.other-workspace-list-hidden'

/** What is left of it without all of these: a character of either workspace. */
const optional: readonly Optional[] = [
  { id: 'aside', rows: [], requests: 2 },
  { id: 'started', rows: [], requests: 2 },
  { id: 'key', rows: [scoped], requests: 2, needs: ['started'] },
  { id: 'read', rows: [], requests: 1 },
  { id: 'get', rows: others.get, requests: 1, needs: ['started', 'read'] },
  { id: 'start', rows: others.start, requests: 1, needs: ['started'] },
  { id: 'replace', rows: [...others.replace, changesNothing.replace, moved], requests: 2, needs: ['read'] },
  { id: 'delete', rows: [...others.delete, changesNothing.delete], requests: 2, needs: ['aside'] },
  { id: 'pages', rows: [tokenRow, listHidden], requests: 3, needs: ['aside'] },
]

/** A key of another workspace may do nothing with a character, a page or an idempotency key. */
export const otherWorkspace = scenario({
  id: 'characters.other-workspace',
  needs: { ...needsCharacters, keys: [foreign] },
  steps: [startBoth, intrude, intrudeLast, turnPages],
  observes: [listHidden, moved],
  price: { requests: { primary: 12, [foreign]: 10 }, typical: 20, sessions: { primary: 1, [foreign]: 1 }, waits: 3 },
  optional,
  async drive(c) {
    const names = ['mine', 'aside', 'mine-again'].map((word) => c.id(word))
    const [mine = '', beside = '', name = ''] = names
    const id = await mustSave(c, textChat({ name: mine }))
    // It shows besides that the other key is a good one.
    const theirs = await mustSave(c, textCharacter(c, 'theirs'), { key: foreign })
    const aside = c.takes('aside') ? await mustSave(c, textChat({ name: beside })) : undefined
    const own = { get: c.exchange(), replace: c.exchange(), delete: c.exchange(), start: c.exchange() }
    if (c.takes('started')) await startBoth(c, { mine: id, theirs }, own.start)
    if (c.takes('replace')) {
      // A moved timestamp shows only after a second: one that moves for a name alone, and one that moves for another workspace.
      await c.wait(second_ms, 'timer')
      await replace(c, id, { ...textCharacter(c, 'mine'), name }, { exchange: own.replace })
      await c.wait(second_ms, 'timer')
    }
    await intrude(c, own, { id, name })
    if (c.takes('delete')) await intrudeLast(c, own, id)
    if (aside === undefined) return
    if (c.takes('pages')) await turnPages(c, names)
    await remove(c, aside, { exchange: own.delete })
  },
})

const siblings = {
  get: 'characters.scope.same-workspace-key-gets',
  list: 'characters.scope.same-workspace-key-lists',
  replace: 'characters.scope.same-workspace-key-replaces',
  start: 'characters.scope.same-workspace-key-starts',
  delete: 'characters.scope.same-workspace-key-deletes',
} as const

/** Another key of the workspace may do everything. */
export const sameWorkspace = scenario({
  id: 'characters.same-workspace',
  needs: { ...needsCharacters, keys: [sibling] },
  claims: Object.values(siblings),
  price: { requests: { primary: 1, [sibling]: 8 }, typical: 7, sessions: { primary: 1 } },
  async drive(c) {
    const id = await mustSave(c, textCharacter(c, 'shared'))
    const key = sibling
    const [looks, lists] = [twoLooks(c), twoLooks(c)]
    c.claim(siblings.get, either(looks, accepted))
    const getting = (exchange: number) => get(c, id, { exchange, key })
    await lookTwice(c, looks, getting, ({ ok }) => ok)
    const listed = (exchange: number) => equals(answer(exchange, '/data/items/**'), value(id))
    c.claim(siblings.list, either(lists, listed))
    const listing = (exchange: number) => c.call('list-characters', { exchange, key })
    await lookTwice(c, lists, listing, (page) => listedIn(page).has(id))
    await replace(c, id, textCharacter(c, 'shared'), { key, expect: acceptance(siblings.replace) })
    const session = await begin(c, { character_id: id }, { key, expect: acceptance(siblings.start) })
    await c.close(session, { key })
    await removeOwn(c, siblings.delete, { id, another: () => textCharacter(c, 'another'), key })
  },
})
