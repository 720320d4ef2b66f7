import { pickKey } from '#scenario/author/pick-key'
import type { Exchange } from '#client/types'
import type { KeyName } from '#spec/profile'
import type { RequirementId } from '#spec/register'
import type { Context } from '#scenario/author/context'
import { either, lookTwice, twoLooks } from '#scenario/author/look-twice'
import { smallOutput } from '#scenario/author/bodies'
import { acceptance, rejection } from '#scenario/author/expectation'
import { eachRowOnce, type Optional } from '#scenario/author/optional'
import { scenario } from '#scenario/author/scenario'
import { step } from '#scenario/author/step'
import { accepted, answer, distinct } from '#trace/conditions'
import { at, type Json, type JsonObject, textAt } from '#trace/json'
import { get, listedIn, mustSave, needsCharacters, remove, save } from '../acts.ts'
import { brief, lasting, lookUp, oddSeconds, textCharacter } from '../bodies.ts'
import { isNew, replaced, replaceTwo, toNextSecond_ms } from './two-replaced.ts'

/** Pages of a walk at most: the workspace may hold many characters of others. */
const mostPages = 9

/** Rows that rules judge by what one page shows. */
const seenOnPage = [
  'characters.list.items-array',
  'characters.list.next-page-token-string',
  'characters.list.item-shape',
  'characters.list.item-name',
  'characters.list.item-model',
  'characters.list.item-resolution',
  'characters.list.item-resolution-only-when-stored',
  'characters.list.shows-all',
  'characters.list.newest-first',
  'characters.list.each-once',
] as const satisfies readonly RequirementId[]

/** Rows that several small pages show, whatever happens meanwhile. */
const seenOverPages = [
  'characters.list.newest-first-across-pages',
  'characters.list.ends',
  'characters.list.token-while-more',
  'characters.list.no-empty-last-page',
  'characters.list.page-size-bounds',
] as const satisfies readonly RequirementId[]

const underCreates = 'characters.list.stable-under-creates'
const underDeletes = 'characters.list.stable-under-deletes'
const timestamps = 'characters.list.item-timestamps-agree'
const seenOfDeleted = ['characters.list.hides-deleted', 'characters.delete.leaves-others'] as const
/** Rows that only a replace shows. */
const seenOfReplaced = [
  'characters.list.shows-replaced',
  'characters.configuration.character-id-not-saved',
  'characters.replace.leaves-others',
  'characters.replace.auto-close-gone',
  'characters.replace.nested-gone',
] as const satisfies readonly RequirementId[]

const omittedRow = 'characters.max-duration.omitted-accepted'

/** The last one that is created before the walks. */
interface Last {
  readonly key: KeyName
  readonly body: JsonObject
  readonly exchange: number
}

/** Three characters that are stored, and one that was deleted before any page is asked for. */
interface Filled {
  readonly own: readonly [string, string, string]
  readonly gone: string | undefined
}

/** The second one is sent with an id, which a service may refuse. */
const fill = step([omittedRow], async (c, { key, body, exchange }: Last): Promise<Filled> => {
  const first = textCharacter(c, 'oldest')
  const oldest = await mustSave(c, first, { key, expect: acceptance(omittedRow) })
  await c.wait(toNextSecond_ms, 'timer')
  const timed = {
    ...textCharacter(c, 'middle'),
    // What `text_chat` ignores of a session's output may be stored all the same, until a replace omits it.
    output: smallOutput(c.profile),
    conversation: { tools: [lookUp] },
    ...lasting(oddSeconds),
    character_id: 'chr_wish',
  }
  // What is done to one of two namesakes is done to that one alone; whether there may be two is not said.
  const middle =
    (await save(c, { ...timed, name: first['name'] ?? null }, { key })) ??
    (await save(c, timed, { key })) ??
    (await save(c, brief(timed), { key })) ??
    (await mustSave(c, textCharacter(c, 'middle'), { key }))
  // Gone before any page is asked for, and between others, so that it would stand on a later page.
  const gone = c.takes('gone') ? await save(c, textCharacter(c, 'gone'), { key }) : undefined
  if (gone !== undefined) await remove(c, gone, { key })
  // Most probably within the same second, so that pages part characters of one time.
  return { own: [oldest, middle, await mustSave(c, body, { exchange, key })], gone }
})

interface Way {
  readonly key: KeyName
  readonly size: '1' | '2'
  /** Of the second page, where it is another one. */
  readonly second?: '1'
  /** Number of the first page. */
  readonly exchange?: number
  /** Number of the second one. */
  readonly turned?: number
}

interface Walked {
  /** A page that a token led to. */
  readonly last: number | undefined
  readonly shown: ReadonlySet<string>
  /** The last page of which a token spoke was answered. */
  readonly ended: boolean
}

const listed = 'characters.list.accepted'

/** The page that a token leads to. Whether a token serves for another size is not said: where it does not, its own is asked. */
async function turn(c: Context, { key, size, second, turned }: Way, page_token: string): Promise<Exchange> {
  const number = turned === undefined ? {} : { exchange: turned }
  const ask = (page_size: string) => c.call('list-characters', { key, query: { page_size, page_token }, ...number })
  if (second === undefined) return ask(size)
  const page = await ask(second)
  return page.ok ? page : ask(size)
}

/** From the first page to the last, or as far as is reasonable; something happens after the first one. */
const walk = step([listed], async (c, way: Way, meanwhile: (first: Exchange) => Promise<void>): Promise<Walked> => {
  const { key, size, exchange } = way
  const first = { exchange: exchange ?? c.exchange(), expect: acceptance(listed) }
  let page = await c.call('list-characters', { ...first, key, query: { page_size: size } })
  await meanwhile(page)
  const seen = new Set<string>()
  const shown = new Set(listedIn(page).keys())
  let more = true
  for (let count = 1; count < mostPages; count += 1) {
    const page_token = textAt(page.data, '/next_page_token')
    // One token may stand for all of a walk: it is a circle once its page shows nothing new.
    if (page_token === undefined || (seen.has(page_token) && !more)) break
    seen.add(page_token)
    page = await turn(c, count === 1 ? way : { key, size }, page_token)
    const before = shown.size
    for (const id of listedIn(page).keys()) shown.add(id)
    more = shown.size > before
  }
  return { last: seen.size === 0 ? undefined : page.exchange, shown, ended: page.ok }
})

const largest = 'characters.list.page-size-200-accepted'
const sizeOne = 'characters.list.page-size-1-accepted'

/** Pages of one, so that there are pages in the middle. Once more where the pages have not caught up yet, or do not end. */
const walkUntilShown = step([walk, sizeOne, listed], async (c, key: KeyName, { own, gone }: Filled) => {
  // A token that a page gave is good, unless what others change meanwhile makes it void: twice would be no chance.
  const turns = twoLooks(c)
  c.claim(listed, either(turns, accepted))
  const walkSingly = (turned: number) => {
    const way = { key, size: '1', exchange: c.expect(acceptance(sizeOne)), turned } as const
    return walk(c, way, () => Promise.resolve())
  }
  const first = await walkSingly(turns[0])
  if (first.ended && own.every((id) => first.shown.has(id)) && !first.shown.has(gone ?? '')) return first.last
  await c.wait(c.timeouts.lag_ms, 'lag')
  return (await walkSingly(turns[1])).last
})

/** The last of these characters that a page shows. */
function lastOf(page: Exchange, own: readonly string[]): string | undefined {
  const items = at(page.data, '/items')
  const ids = Array.isArray(items) ? (items as readonly Json[]).map((item) => at(item, '/character_id')) : []
  return ids.findLast((id): id is string => typeof id === 'string' && own.includes(id))
}

/** Tokens that no page gave, whatever is read into them: of words, and of one letter. */
const invalidTokens = ['no-such-page', 'x'] as const

/** `second` is a page that a token led to. */
const refuseToken = step(
  ['characters.list.page-token-invalid-rejected', 'characters.code-20004.list-page-token-invalid'],
  async (c, key: KeyName, second: number | undefined) => {
    if (second === undefined) return
    const expect = rejection({
      rows: 'characters.list.page-token-invalid-rejected',
      coded: 'characters.code-20004.list-page-token-invalid',
      codes: [20004],
      control: second,
    })
    for (const page_token of invalidTokens) {
      await c.call('list-characters', { key, query: { page_size: '1', page_token }, expect })
    }
  },
)

const sameBody = 'characters.create.same-body-other-character'

/** One with the body of an earlier one, or with a name of its own where a service takes no name twice. */
async function saveLike<Row extends RequirementId>(
  c: Context<Row>,
  { key, body }: Last,
  exchange = c.exchange(),
): Promise<string> {
  return (await save(c, body, { exchange, key })) ?? (await mustSave(c, textCharacter(c, 'other'), { key }))
}

/** While pages are asked for, a character comes that is saved with the body of an earlier one. */
const walkUnderCreates = step([walk, sameBody], async (c, last: Last, spare: string[]): Promise<void> => {
  const { key, exchange } = last
  const again = c.exchange()
  c.claim(sameBody, distinct(answer(exchange, '/data/character_id'), answer(again, '/data/character_id')))
  await walk(c, { key, size: '2', second: '1' }, async () => {
    spare.push(await saveLike(c, last, again))
  })
})

/** While pages are asked for, one of these goes. @returns which */
const walkUnderDeletes = step([walk], async (c, last: Last, spare: string[]): Promise<string> => {
  const { key } = last
  let removed = ''
  // One that goes, and one that stays.
  if (spare.length < 2) spare.push(await saveLike(c, last))
  // Pages may be behind: what they lack is missing only once it was there for so long.
  await c.wait(c.timeouts.lag_ms, 'lag')
  await walk(c, { key, size: '2' }, async (page) => {
    // The last one of the page is what a token may stand on.
    removed = lastOf(page, spare) ?? spare.at(-1) ?? ''
    await remove(c, removed, { key })
  })
  return removed
})

/** What is left of it without all of these: three characters that are stored. */
const optional: readonly Optional[] = eachRowOnce([
  { id: 'gone', rows: seenOfDeleted, also: seenOverPages, requests: 2 },
  { id: 'singly', rows: [sizeOne, ...seenOverPages], also: seenOnPage, requests: 3 },
  { id: 'token', rows: refuseToken.claims, requests: invalidTokens.length, needs: ['singly'] },
  { id: 'creates', rows: [underCreates, sameBody], also: ['characters.list.each-once'], requests: 4 },
  { id: 'deletes', rows: [underDeletes], also: seenOfDeleted, requests: 5 },
  { id: 'replaced', rows: [replaced, ...seenOfReplaced], requests: 2 },
  { id: 'times', rows: [timestamps], requests: 2 },
  { id: 'later', rows: [], also: [timestamps], requests: 0, needs: ['times', 'replaced'] },
  {
    id: 'whole',
    rows: [largest],
    also: [...seenOnPage, ...seenOfDeleted, ...seenOfReplaced, replaced, timestamps, underDeletes],
    requests: 1,
  },
])

/** Three characters in small pages: undisturbed, while others come, and while one of them goes. */
export const list = scenario({
  id: 'characters.list',
  needs: needsCharacters,
  steps: [fill, walkUntilShown, walkUnderCreates, walkUnderDeletes, refuseToken, replaceTwo],
  claims: [largest],
  observes: [
    ...seenOnPage,
    ...seenOverPages,
    ...seenOfDeleted,
    ...seenOfReplaced,
    underCreates,
    underDeletes,
    timestamps,
    'characters.character.id-unique',
    'characters.configuration.own-only',
  ],
  price: { requests: { other_workspace: 58 }, typical: 27, waits: 3 },
  optional,
  async drive(c) {
    const key = pickKey(c, 'other_workspace')
    const last: Last = { key, body: textCharacter(c, 'twice'), exchange: c.exchange() }
    const { own, gone } = await fill(c, last)
    const [oldest, middle, third] = own
    // The middle one is replaced later. Of one second, each service lists in an order of its own, and any may end a page.
    const spare = [third]
    const second = c.takes('singly') ? await walkUntilShown(c, key, { own, gone }) : undefined
    if (c.takes('token')) await refuseToken(c, key, second)
    if (c.takes('creates')) await walkUnderCreates(c, last, spare)
    const removed = c.takes('deletes') ? await walkUnderDeletes(c, last, spare) : ''
    const left = [oldest, middle, ...spare].filter((id) => id !== removed)
    const latest = left.at(-1) ?? oldest
    const renamed = c.takes('replaced') ? await replaceTwo(c, key, [oldest, middle, latest]) : undefined
    const look = (exchange: number) =>
      c.call('list-characters', { exchange, key, query: { page_size: '200' }, expect: acceptance(largest) })
    const fits = (page: Exchange): boolean => {
      const shown = listedIn(page)
      if (!left.every((id) => shown.has(id)) || shown.has(removed) || shown.has(gone ?? '')) return false
      return renamed === undefined || isNew(shown.get(middle), renamed)
    }
    if (c.takes('whole')) await lookTwice(c, twoLooks(c), look, fits)
    // What lists show of timestamps is held against a Get after them.
    for (const id of c.takes('times') ? [oldest, latest] : []) await get(c, id, { key })
  },
})
