import { objectOf, type RestAnswer, succeeded } from '../../core/envelope.ts'
import { broken, held, type Ruling } from '../../core/limits/laws.ts'
import { CLOCKS_MS, judgePages, judgeWholeList, type Page, type WholePage } from '../../core/limits/paging-oracle.ts'
import { refusalOf } from '../../core/refusal.ts'
import type { RestRequest } from '../machine.ts'
import { askPatiently, waitAfter } from './patience.ts'
import type { RestMachine } from './rest-machine.ts'
import { LAG_MS } from './workspace.ts'

const PATH = '/v1/characters'

/** Characters that are there throughout. */
const THROUGHOUT = 4

/** So that ours are spread over pages; one of them, since where a page ends with the list differs by it. */
const PAGE_SIZES = [2, 3] as const

/** Other characters of the workspace may come between ours; more pages than this are not asked for. */
const PAGES = 12

/** The longest pages there are (section 8), and how many of them are asked for: for us a busy workspace's list may be endless. */
const LONGEST_PAGE = 200
const LONGEST_PAGES = 8

/** So many tokens that were just given are tried, where one was refused. */
const TOKEN_TRIES = 4

/** Timestamps of characters are whole seconds, of clocks that differ: what came within so long is in no order. */
const APART_MS = CLOCKS_MS + 1_100

/** Characters of one iteration, and walks over the pages that show them. */
export class CharacterShelf {
  readonly #machine: RestMachine
  readonly #paged: (ms: number) => void
  readonly #throughout: string[] = []
  readonly #deleted: string[] = []
  /** Those that come and go. */
  readonly #passing: string[] = []
  #names = 0
  readonly #size: number
  /** Whether a create may have made something that no answer told of. */
  #undecided = false

  /** @param paged told how long each page took */
  constructor(machine: RestMachine, paged: (ms: number) => void) {
    this.#machine = machine
    this.#paged = paged
    this.#size = PAGE_SIZES[Math.floor(machine.random() * PAGE_SIZES.length)] ?? PAGE_SIZES[0]
  }

  /**
   * Lists may be behind: a walk that shows something wrong is walked once more, and only that is judged. A list that is behind
   * lacks something, or still has it; nothing comes twice by that.
   */
  async walkTwice(): Promise<Ruling[]> {
    for (let count = 0; count < THROUGHOUT; count += 1) {
      const id = await this.#create()
      if (id === undefined) return []
      this.#throughout.push(id)
      if (count + 1 === THROUGHOUT / 2) await this.#machine.wait(APART_MS)
    }
    // One that has gone before must not come.
    await this.#come()
    await this.#go()
    const first = await this.#walks()
    if (first.every(({ got }) => got === undefined)) return first
    await this.#machine.wait(LAG_MS)
    const twice = first.filter(({ law, got }) => law === 'page-item-twice' && got !== undefined)
    return [...twice, ...(await this.#walks())]
  }

  /** What goes meanwhile may still be shown for a moment. */
  async #walks(): Promise<Ruling[]> {
    const deleted = [...this.#deleted]
    return [...(await this.#walk(deleted)), ...(await this.#walkToEnd(deleted))]
  }

  /** The whole list, by the longest pages. */
  async #walkToEnd(deleted: readonly string[]): Promise<Ruling[]> {
    const pages: WholePage[] = []
    let token = ''
    while (pages.length < LONGEST_PAGES) {
      const answer = await this.#page(token, LONGEST_PAGE)
      if (!succeeded(answer)) return []
      const next = answer.data['next_page_token']
      const created = itemsIn(answer.data).map(({ created_at }) => created_at)
      const more = typeof next === 'string' && next !== ''
      pages.push({ ids: idsIn(answer), created, size: LONGEST_PAGE, more, again: next === token })
      if (!more) break
      token = next
    }
    return [...judgeWholeList(pages), ...this.#judge(pages, deleted, pages.at(-1)?.more === false)]
  }

  /** Between two pages a character comes or goes. */
  async #walk(deleted: readonly string[]): Promise<Ruling[]> {
    const pages: Page[] = []
    let token = ''
    let left = new Set(this.#throughout)
    while (left.size > 0 && pages.length < PAGES) {
      const answer = await this.#page(token)
      if (!succeeded(answer)) return token !== '' && refusalOf(answer) === 'request' ? this.#judgeToken() : []
      const ids = idsIn(answer)
      pages.push({ ids, size: this.#size })
      left = new Set([...left].filter((id) => !ids.includes(id)))
      const next = answer.data['next_page_token']
      if (typeof next !== 'string' || next === '') return this.#judge(pages, deleted, true)
      token = next
      await (pages.length % 2 === 1 ? this.#come() : this.#go())
    }
    return this.#judge(pages, deleted, left.size === 0)
  }

  /**
   * A token may be refused because the character that it leads to is gone: others are deleted meanwhile. Whoever asks for a page
   * and at once for the next one gets it, sooner or later.
   */
  async #judgeToken(): Promise<Ruling[]> {
    for (let tries = 0; tries < TOKEN_TRIES; tries += 1) {
      const next = (await this.#page('')).data['next_page_token']
      if (typeof next !== 'string' || next === '') return []
      const answer = await this.#page(next)
      if (refusalOf(answer) !== 'request') return []
    }
    return [broken('page-token-refused', `${TOKEN_TRIES} tokens in a row, each just given`)]
  }

  /** Only those that were made long enough after each other are in an order. */
  #judge(pages: readonly Page[], deleted: readonly string[], whole: boolean): Ruling[] {
    const half = THROUGHOUT / 2
    const turned = pages.length > 1 ? [held('page-token-refused')] : []
    const rulings = [...turned, ...judgePages(pages, { throughout: this.#throughout, deleted }, whole)]
    const [older, newer] = [this.#throughout[0], this.#throughout[half]]
    const apart = [older, newer].filter((id) => id !== undefined)
    const order = judgePages(pages, { throughout: apart, deleted: [] }, false)
    return [...rulings.filter(({ law }) => law !== 'page-order'), ...order.filter(({ law }) => law === 'page-order')]
  }

  async #page(token: string, size = this.#size): Promise<RestAnswer> {
    const query = `page_size=${size}${token === '' ? '' : `&page_token=${encodeURIComponent(token)}`}`
    const answer = await this.#ask('list-characters', 'GET', `${PATH}?${query}`)
    // One of another length takes another time.
    if (succeeded(answer) && size === this.#size) this.#paged(answer.ms)
    return answer
  }

  async #come(): Promise<void> {
    const id = await this.#create()
    if (id !== undefined) this.#passing.push(id)
  }

  async #go(): Promise<void> {
    const id = this.#passing.shift()
    if (id !== undefined && (await this.#delete(id))) this.#deleted.push(id)
  }

  async #create(): Promise<string | undefined> {
    this.#names += 1
    const body = {
      name: `${this.#machine.name}-c${this.#names}`,
      model: 'svc-a1-stream',
      session: { mode: 'text_chat' },
      avatars: [{ avatar_id: 'ada' }],
    }
    for (let attempts = 1; ; attempts += 1) {
      const answer = await this.#machine.request({ operation: 'create-character', method: 'POST', path: PATH, body })
      const id = answer.data['character_id']
      if (succeeded(answer)) return typeof id === 'string' ? id : undefined
      // Nothing keeps a second try from making a second character: what may have made one is not tried again.
      const refusal = refusalOf(answer)
      this.#undecided ||= refusal === 'network' || refusal === 'server'
      const wait =
        refusal === 'rate' || refusal === 'throttled' ? waitAfter(this.#machine, answer, attempts) : undefined
      if (wait === undefined) return undefined
      await this.#machine.wait(wait)
    }
  }

  async #delete(id: string): Promise<boolean> {
    return succeeded(await this.#ask('delete-character', 'DELETE', `${PATH}/${encodeURIComponent(id)}`))
  }

  /** Deletes all that it made, and what a create made whose answer never came: its name is ours. */
  async cleanUp(): Promise<void> {
    const lost = this.#undecided ? await this.#named() : []
    const left = new Set([...this.#throughout, ...this.#passing, ...lost])
    for (const id of left) await this.#delete(id)
  }

  async #named(): Promise<string[]> {
    const { data } = await this.#ask('list-characters', 'GET', `${PATH}?page_size=200`)
    return itemsIn(data)
      .filter(({ name }) => typeof name === 'string' && name.startsWith(`${this.#machine.name}-c`))
      .map(({ character_id }) => String(character_id))
  }

  #ask(operation: string, method: RestRequest['method'], path: string): Promise<RestAnswer> {
    return askPatiently(this.#machine, { operation, method, path })
  }
}

type Item = { readonly character_id?: unknown; readonly name?: unknown; readonly created_at?: unknown }

const itemsIn = (data: RestAnswer['data']): readonly Item[] =>
  Array.isArray(data['items']) ? data['items'].map((item: unknown): Item => objectOf(item)) : []

const idsIn = ({ data }: RestAnswer): string[] => itemsIn(data).map(({ character_id }) => String(character_id))
