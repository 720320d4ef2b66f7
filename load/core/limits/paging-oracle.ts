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
      times.some((count) => count > 1),
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

const rule = (law: Law, isBroken: boolean, got: string): Ruling => (isBroken ? broken(law, got) : held(law))
