import { type RestAnswer, succeeded } from '../../core/envelope.ts'
import { broken, held, type Law, type Ruling } from '../../core/limits/laws.ts'
import {
  CLOCKS_MS,
  type Item,
  judgeItems,
  judgePages,
  judgeWholeList,
  type WholePage,
} from '../../core/limits/paging-oracle.ts'
import { isCalledWrong, refusalOf } from '../../core/refusal.ts'
import type { RestMachine } from '../limits/rest-machine.ts'
import { LAG_MS } from '../limits/workspace.ts'
import { judgeTokens, type Walked } from './page-tokens.ts'
import { type CharacterStock, type ItemPage, letterOf, LONGEST_PAGE, pageOf } from './stock.ts'

/** Characters that are there throughout. */
const THROUGHOUT = 4

/** So that ours are spread over pages; one of them, since where a page ends with the list differs by it. */
const PAGE_SIZES = [2, 3] as const

/** Other characters of the workspace may come between ours; more pages than this are not asked for. */
const PAGES = 12

/** How many of the longest pages are asked for: for us a busy workspace's list may be endless. */
const LONGEST_PAGES = 8

/** Timestamps of characters are whole seconds, of clocks that differ: what came within so long is in no order. */
const APART_MS = CLOCKS_MS + 1_100

/** Laws that no list breaks by being behind: what comes twice, or is another's, was never so. */
const atOnce: readonly Law[] = [
  'page-item-twice',
  'page-item-name',
  'page-item-model',
  'page-item-time',
  'page-item-unknown',
  'page-of-another-workspace',
  'page-refused',
]

/** Walks over the pages that show the characters of one iteration. */
export class CharacterShelf {
  readonly #machine: RestMachine
  readonly #stock: CharacterStock
  readonly #paged: (ms: number) => void
  readonly #throughout: string[] = []
  /** Those that come and go. */
  readonly #passing: string[] = []
  readonly #size: number

  /** @param paged told how long each page took */
  constructor(stock: CharacterStock, paged: (ms: number) => void) {
    this.#stock = stock
    this.#machine = stock.machine
    this.#paged = paged
    this.#size = PAGE_SIZES[Math.floor(this.#machine.random() * PAGE_SIZES.length)] ?? PAGE_SIZES[0]
  }

  /**
   * Lists may be behind: what a walk shows otherwise than it was lately written is looked at once more, by a second walk, and
   * only that is judged. A list that is behind lacks something, or still has it; nothing comes twice by that.
   */
  async walkTwice(): Promise<readonly Ruling[]> {
    for (let count = 0; count < THROUGHOUT; count += 1) {
      const id = await this.#stock.create()
      if (id === undefined) return []
      this.#throughout.push(id)
      if (count + 1 !== THROUGHOUT / 2) continue
      // One that has gone before must not come.
      await this.#come()
      await this.#go()
      await this.#machine.wait(APART_MS)
    }
    const first = await this.#walks()
    if (first.rulings.every(({ got }) => got === undefined)) return first.rulings
    const since = this.#machine.now()
    await this.#machine.wait(LAG_MS)
    return [...first.sure, ...(await this.#walks(since)).rulings]
  }

  /** @param until what was deleted by then has to be gone: by the time that each begins, where nothing is said */
  async #walks(until?: number): Promise<Walked> {
    const { now } = this.#machine
    const pages = await this.#walk(until ?? now())
    const whole = await this.#walkToEnd(until ?? now())
    return { rulings: [...pages.rulings, ...whole.rulings], sure: [...pages.sure, ...whole.sure] }
  }

  /** The whole list, by the longest pages. */
  async #walkToEnd(until: number): Promise<Walked> {
    const pages: (WholePage & ItemPage)[] = []
    let token = ''
    while (pages.length < LONGEST_PAGES) {
      const answer = await this.#page(token, LONGEST_PAGE)
      if (!succeeded(answer)) return walked(token === '' ? judgeFirst(answer) : [])
      const next = answer.data['next_page_token']
      const page = pageOf(answer, LONGEST_PAGE)
      const created = page.items.map(({ created_at }) => created_at)
      const more = typeof next === 'string' && next !== ''
      pages.push({ ...page, created, more, again: next === token })
      if (!more) break
      token = next
    }
    const { rulings, sure } = this.#judge(pages, until, pages.at(-1)?.more === false)
    return { rulings: [...judgeWholeList(pages), ...rulings], sure }
  }

  /** Between two pages a character comes or goes. */
  async #walk(until: number): Promise<Walked> {
    const pages: ItemPage[] = []
    let token = ''
    let left = new Set(this.#throughout)
    while (left.size > 0 && pages.length < PAGES) {
      const answer = await this.#page(token)
      if (!succeeded(answer)) {
        if (token === '') return walked(judgeFirst(answer))
        if (refusalOf(answer) !== 'request') return walked([])
        return judgeTokens(this.#stock, this.#size, this.#throughout)
      }
      const page = pageOf(answer, this.#size)
      pages.push(page)
      left = new Set([...left].filter((id) => !page.ids.includes(id)))
      const next = answer.data['next_page_token']
      if (typeof next !== 'string' || next === '') return this.#judge(pages, until, true)
      token = next
      await (pages.length % 2 === 1 ? this.#come() : this.#go())
    }
    return this.#judge(pages, until, left.size === 0)
  }

  /** Only those that were made long enough after each other are in an order. */
  #judge(pages: readonly ItemPage[], until: number, whole: boolean): Walked {
    const half = THROUGHOUT / 2
    const turned = pages.length > 1 ? [held('page-token-refused')] : []
    const known = { throughout: this.#throughout, deleted: this.#stock.deletedBy(until) }
    const rulings = [...turned, ...judgePages(pages, known, whole), ...this.#judgeItems(pages)]
    const [older, newer] = [this.#throughout[0], this.#throughout[half]]
    const apart = [older, newer].filter((id) => id !== undefined)
    const order = judgePages(pages, { throughout: apart, deleted: [] }, false)
    const all = [
      ...rulings.filter(({ law }) => law !== 'page-order'),
      ...order.filter(({ law }) => law === 'page-order'),
    ]
    return { rulings: all, sure: all.filter(({ law, got }) => got !== undefined && atOnce.includes(law)) }
  }

  /** Names tell whose they are: of ours, nothing but that of another workspace may not be shown here. */
  #judgeItems(pages: readonly ItemPage[]): Ruling[] {
    const items = pages.flatMap((page) => page.items)
    const { key, run } = this.#machine
    const foreign = `-${letterOf(key) === 'o' ? 'p' : 'o'}`
    const isForeign = ({ name }: Item): boolean =>
      typeof name === 'string' && name.startsWith(`${run}-`) && name.endsWith(foreign)
    const got = 'a character that this run made in another workspace came'
    const law: Law = 'page-of-another-workspace'
    const scope = this.#machine.keys.length > 1 ? [items.some(isForeign) ? broken(law, got) : held(law)] : []
    return [...judgeItems(items, this.#stock.made, this.#stock.once), ...scope]
  }

  async #page(token: string, size = this.#size): Promise<RestAnswer> {
    const answer = await this.#stock.page(token, size)
    // One of another length takes another time.
    if (succeeded(answer) && size === this.#size) this.#paged(answer.ms)
    return answer
  }

  async #come(): Promise<void> {
    const id = await this.#stock.create()
    if (id !== undefined) this.#passing.push(id)
  }

  async #go(): Promise<void> {
    const id = this.#passing.shift()
    if (id !== undefined) await this.#stock.delete(id)
  }
}

const walked = (rulings: readonly Ruling[]): Walked => ({ rulings, sure: rulings })

/** The first page of a size that is allowed has nothing that could be wrong. */
const judgeFirst = (answer: RestAnswer): Ruling[] =>
  isCalledWrong(answer) ? [broken('page-refused', answer.code)] : []
