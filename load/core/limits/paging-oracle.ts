import { broken, held, type Law, type Ruling } from './laws.ts'

/** One page of List Characters. */
export interface Page {
  readonly ids: readonly string[]
  readonly size: number
}

/** Characters of ours, as far as a walk over the pages is concerned. */
export interface Known {
  /** Created before the walk and deleted after it, oldest first. */
  readonly throughout: readonly string[]
  /** Deleted before the walk. */
  readonly deleted: readonly string[]
}

/**
 * Judges a walk over the pages while others create and delete. "Under concurrent writes" nothing is promised of what came or
 * went meanwhile, so only characters that were there all along have to appear, once each.
 * @param whole whether the walk went on until all were seen, or the pages ended
 */
export function judgePages(pages: readonly Page[], { throughout, deleted }: Known, whole: boolean): Ruling[] {
  const shown = pages.flatMap(({ ids }) => ids)
  const times = throughout.map((id) => shown.filter((one) => one === id).length)
  const ours = shown.filter((id) => throughout.includes(id))
  const newestFirst = throughout.toReversed().filter((id) => ours.includes(id))
  return [
    rule(
      'page-item-twice',
      times.some((count) => count > 1) || comesAgain(pages),
      'a character that was there all along came twice',
    ),
    ...(whole
      ? [rule('page-item-missing', times.includes(0), `${times.filter((count) => count === 0).length} never came`)]
      : []),
    rule(
      'page-too-long',
      pages.some(({ ids, size }) => ids.length > size),
      'more characters than asked for',
    ),
    rule('page-order', [...new Set(ours)].join() !== newestFirst.join(), 'an older character came before a newer one'),
    rule(
      'page-shows-deleted',
      shown.some((id) => deleted.includes(id)),
      'a deleted character came',
    ),
  ]
}

/** What the first page shows was there before the walk, whoever made it, and is there as long as it is shown. */
function comesAgain([first, ...others]: readonly Page[]): boolean {
  const ids = first?.ids ?? []
  return new Set(ids).size < ids.length || others.some((page) => page.ids.some((id) => ids.includes(id)))
}

/** A character of ours, as its create answered. */
export interface Made {
  readonly name: string
  readonly model: string
  /** Undefined where the answer did not tell. */
  readonly created: unknown
}

/** An item of a page (2.7: "List summary item"). */
export interface Item {
  readonly character_id?: unknown
  readonly name?: unknown
  readonly model?: unknown
  readonly created_at?: unknown
}

/**
 * What items show of characters whose creates were answered: none of it ever changes here, so that a list that is behind shows
 * the same.
 * @param made by their ids
 * @param once names of characters that were asked for once only
 */
export function judgeItems(
  items: readonly Item[],
  made: ReadonlyMap<string, Made>,
  once: ReadonlySet<string>,
): Ruling[] {
  const shown = items.flatMap((item) => {
    const own = made.get(String(item.character_id))
    return own === undefined ? [] : [{ item, own }]
  })
  const doubles = items.filter(({ character_id: id, name }) => once.has(String(name)) && !made.has(String(id)))
  const wrong = (is: (one: { readonly item: Item; readonly own: Made }) => boolean): boolean => shown.some(is)
  return [
    ...(shown.length === 0
      ? []
      : [
          rule(
            'page-item-name',
            wrong(({ item, own }) => item.name !== own.name),
            'an item of ours has another name',
          ),
          rule(
            'page-item-model',
            wrong(({ item, own }) => item.model !== own.model),
            'an item of ours has another model',
          ),
          rule(
            'page-item-time',
            wrong(({ item, own }) => typeof own.created === 'string' && item.created_at !== own.created),
            'an item of ours was created at another time than its create told',
          ),
        ]),
    ...(once.size === 0 ? [] : [rule('page-item-unknown', doubles.length > 0, 'a create made a second character')]),
  ]
}

const rule = (law: Law, isBroken: boolean, got: string): Ruling => (isBroken ? broken(law, got) : held(law))

/** A page of the whole list: whether another one is said to follow. */
export interface WholePage extends Page {
  readonly created: readonly unknown[]
  readonly more: boolean
  /** Whether the next one has the token of this one. */
  readonly again: boolean
}

/**
 * Pages may be empty, and others follow: what was deleted may still take its place there. Only what was shown before, or is
 * to be had by the same token, brings no list to its end; one such page may be due to what went meanwhile, so many are not.
 */
const NOTHING_NEW = 3

/** Nodes whose clocks differ by less than this put what came at the same time in any order. */
export const CLOCKS_MS = 3_000

/** Judges a walk by the longest pages to the end of the list, if it came that far. */
export function judgeWholeList(pages: readonly WholePage[]): Ruling[] {
  const shown = new Set<string>()
  let stale = 0
  for (const { ids, more, again } of pages) {
    const isStale = ids.every((id) => shown.has(id)) && (ids.length > 0 || again)
    stale = isStale && more ? stale + 1 : 0
    if (stale === NOTHING_NEW) return [broken('page-without-end', `${NOTHING_NEW} pages in a row brought nothing new`)]
    for (const id of ids) shown.add(id)
  }
  const order = rule('page-order', !pages.every(isNewestFirst), 'an older character came before a newer one')
  return pages.at(-1)?.more === false ? [held('page-without-end'), order] : [order]
}

/** Within a page, which is of one moment. */
function isNewestFirst({ created }: WholePage): boolean {
  const times = created.map((one) => (typeof one === 'string' ? Date.parse(one) : Number.NaN)).filter(Number.isFinite)
  let oldest = Number.POSITIVE_INFINITY
  return times.every((time) => {
    const fits = time <= oldest + CLOCKS_MS
    oldest = Math.min(oldest, time)
    return fits
  })
}
