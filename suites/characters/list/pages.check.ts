import { pickKey } from '#scenario/author/pick-key'
import type { Exchange } from '#client/types'
import type { Context } from '#scenario/author/context'
import { acceptance, outcome } from '#scenario/author/expectation'
import { retryTransient } from '#scenario/author/retry-transient'
import { scenario } from '#scenario/author/scenario'
import type { KeyName } from '#spec/profile'
import { accepted, all, answer, any, different, equals, value } from '#trace/conditions'
import { at, type JsonObject, textAt } from '#trace/json'
import { needsCharacters } from '../acts.ts'
import { textCharacter } from '../bodies.ts'

/** One more than the longest page (section 8). */
const enough = 201
/** Creates that may come to nothing, or whose answer may be lost: where more are, nothing is said of long pages. */
const spare = 20

const isAt = (exchange: number, place: number) => different(answer(exchange, `/data/items/${place}`), { absent: true })
const isNotAt = (exchange: number, place: number) => equals(answer(exchange, `/data/items/${place}`), { absent: true })

/** A page out of which some were left that have been deleted, a quarter at most: more are to come. */
const isSparse = (exchange: number) =>
  all(isAt(exchange, 149), different(answer(exchange, '/data/next_page_token'), value('')))

/**
 * "Character list page: default 50, maximum 200" (section 8), in a workspace that has more. It is none in which others
 * walk through small pages meanwhile.
 */
export const pages = scenario({
  id: 'characters.pages',
  tier: 'full',
  runs: 'long',
  needs: needsCharacters,
  claims: [
    'characters.list.page-size-default-50',
    'characters.list.page-size-default-not-above-50',
    'characters.list.page-size-200-accepted',
    'characters.list.page-size-never-above-200',
  ],
  price: { requests: { capped: 2 * (enough + spare) + 9 }, typical: 2 * enough + 9 },
  async drive(c) {
    const key = pickKey(c, 'capped', 'other_workspace')
    const found = countOf(await c.call('list-characters', { key, query: { page_size: '200' } }))
    await fill(c, key, enough - found)
    // The last ones may not be listed yet.
    await c.wait(c.timeouts.lag_ms, 'lag')
    const fifty = await c.call('list-characters', { key, query: { page_size: '50' } })
    // Pages may be shorter than asked for; where one of 50 is not, one without a size is as long.
    const full = { onlyIf: [accepted(fifty.exchange), isAt(fifty.exchange, 49)] }
    const plain = [
      outcome('characters.list.page-size-default-50', (page) => isAt(page, 49), full),
      outcome('characters.list.page-size-default-not-above-50', (page) => isNotAt(page, 50)),
    ]
    await c.call('list-characters', { key, query: {}, expect: plain })
    const longest = [
      acceptance('characters.list.page-size-200-accepted'),
      outcome('characters.list.page-size-200-accepted', (page) => any(isAt(page, 199), isSparse(page)), full),
      outcome('characters.list.page-size-never-above-200', (page) => all(accepted(page), isNotAt(page, 200))),
    ]
    await c.call('list-characters', { key, query: { page_size: '200' }, expect: longest })
    for (const page_size of ['201', '1000', '0', 'many']) await c.call('list-characters', { key, query: { page_size } })
    await c.call('list-characters', { key, query: { page_size: '2', page_token: '' } })
  },
})

/** Every attempt counts, since what it made has to be deleted even if nobody told of it. */
async function fill(c: Context, key: KeyName, wanted: number): Promise<void> {
  let attempts = 0
  const save = async (body: JsonObject): Promise<Exchange> => {
    const tried = await c.call('create-character', { body, key })
    attempts += tried.repeated === true ? 2 : 1
    return tried
  }
  for (let made = 0; made < wanted; ) {
    if (attempts >= wanted + spare) c.block('network', `${attempts} creates brought ${made} characters`)
    const body = textCharacter(c, 'page')
    const saved = await retryTransient(c, () => save(body))
    if (textAt(saved.data, '/character_id') !== undefined) made += 1
    // How many characters a workspace may have is not said.
    else if (saved.trouble === undefined) c.block(saved.code === 10008 ? 'quota' : 'model_choice', refusalOf(saved))
  }
}

const refusalOf = ({ code, failure, status }: Exchange): string =>
  `no character was created (${code ?? failure ?? status})`

function countOf(received: Exchange): number {
  const items = at(received.data, '/items')
  return Array.isArray(items) ? items.length : 0
}
