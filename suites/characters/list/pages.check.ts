import { keyOf } from '#scenario/author/key-of'
import type { Exchange } from '#client/types'
import type { KeyName } from '#spec/profile'
import type { AnyContext as Context } from '#scenario/author/context'
import type { Scenario } from '#scenario/author/scenario'
import { accepted, all, answer, different, equals } from '#trace/conditions'
import { at } from '#trace/json'
import { mustSave, needsCharacters } from '../acts.ts'
import { textCharacter } from '../bodies.ts'

/** One more than the longest page (section 8). */
const enough = 201

/**
 * "Character list page: default 50, maximum 200" (section 8), in a workspace that has more. It is none in which others
 * walk through small pages meanwhile.
 */
export const pages: Scenario = {
  id: 'characters.pages',
  tier: 'full',
  runs: 'long',
  needs: needsCharacters,
  proves: [
    'characters.list.page-size-default-50',
    'characters.list.page-size-default-not-above-50',
    'characters.list.page-size-200-accepted',
    'characters.list.page-size-never-above-200',
  ],
  price: { requests: { capped: 2 * enough + 9 }, typical: 2 * enough + 9 },
  async drive(c) {
    const key = keyOf(c, 'capped', 'other_workspace')
    const found = countOf(await page(c, key, { page_size: '200' }))
    for (let count = found; count < enough; count += 1) await mustSave(c, textCharacter(c, 'page'), { key })
    // The last ones may not be listed yet.
    await c.wait(c.timeouts.lag_ms, 'lag')
    const numbers = { fifty: c.exchange(), plain: c.exchange(), longest: c.exchange() }
    claimPages(c, numbers)
    await page(c, key, { page_size: '50' }, numbers.fifty)
    await page(c, key, {}, numbers.plain)
    await page(c, key, { page_size: '200' }, numbers.longest)
    for (const page_size of ['201', '1000', '0', 'many']) await page(c, key, { page_size })
    await page(c, key, { page_size: '2', page_token: '' })
  },
}

interface Numbers {
  readonly fifty: number
  readonly plain: number
  readonly longest: number
}

/** Pages may be shorter than asked for; where one of 50 is not, one without a size is as long. */
function claimPages(c: Context, { fifty, plain, longest }: Numbers): void {
  const has = (exchange: number, place: number) => different(answer(exchange, `/data/items/${place}`), { absent: true })
  const full = { given: [accepted(fifty), has(fifty, 49)], given_code: 'model_choice' } as const
  c.claim('characters.list.page-size-default-50', has(plain, 49), full)
  c.claim('characters.list.page-size-default-not-above-50', equals(answer(plain, '/data/items/50'), { absent: true }))
  c.claim('characters.list.page-size-200-accepted', accepted(longest))
  c.claim('characters.list.page-size-200-accepted', has(longest, 199), full)
  const both = all(accepted(longest), equals(answer(longest, '/data/items/200'), { absent: true }))
  c.claim('characters.list.page-size-never-above-200', both)
}

function page(
  c: Context,
  key: KeyName,
  query: Readonly<Record<string, string>>,
  exchange = c.exchange(),
): Promise<Exchange> {
  return c.call('list-characters', { exchange, key, query })
}

function countOf(came: Exchange): number {
  const items = at(came.data, '/items')
  return Array.isArray(items) ? items.length : 0
}
