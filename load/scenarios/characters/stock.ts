import { objectOf, type RestAnswer, succeeded } from '../../core/envelope.ts'
import type { Key } from '../../core/keys.ts'
import { broken, held, type Law, type Ruling } from '../../core/limits/laws.ts'
import type { Item, Made, Page } from '../../core/limits/paging-oracle.ts'
import { isCalledWrong, refusalOf } from '../../core/refusal.ts'
import { askPatiently, waitAfter } from '../limits/patience.ts'
import { onKey, type RestMachine } from '../limits/rest-machine.ts'
import { LAG_MS } from '../limits/workspace.ts'

const PATH = '/v1/characters'
const MODEL = 'svc-a1-stream'

/** The longest pages there are (section 8). */
export const LONGEST_PAGE = 200

/** A page with what it shows. */
export interface ItemPage extends Page {
  readonly items: readonly Item[]
}

/** Workspaces that load is spread over: a letter at the end of their names tells whose the characters are. */
export const letterOf = ({ name }: Key): 'o' | 'p' => (name === 'other_workspace' ? 'o' : 'p')

/** The characters of one iteration, and all that is known of them. */
export class CharacterStock {
  readonly machine: RestMachine
  /** What the answers of creates told, and when they came. */
  readonly made = new Map<string, Made & { readonly at: number }>()
  /** Names of characters whose create was sent once, and answered. */
  readonly once = new Set<string>()
  /** When each was deleted. */
  readonly #deleted = new Map<string, number>()
  /** Those whose delete did not find them. */
  readonly #unfound = new Set<string>()
  readonly #told: (fate: 'taken' | 'wrong') => void
  #names = 0
  /** Whether a create may have made something that no answer told of. */
  #undecided = false

  /** @param told of each create that was answered */
  constructor(machine: RestMachine, told: (fate: 'taken' | 'wrong') => void) {
    this.machine = machine
    this.#told = told
  }

  /** Those that were deleted before a moment. */
  deletedBy(moment: number): string[] {
    return [...this.#deleted].filter(([, at]) => at < moment).map(([id]) => id)
  }

  async create(): Promise<string | undefined> {
    this.#names += 1
    const name = `${this.machine.name}-c${this.#names}-${letterOf(this.machine.key)}`
    const body = { name, model: MODEL, session: { mode: 'text_chat' }, avatars: [{ avatar_id: 'ada' }] }
    for (let attempts = 1; ; attempts += 1) {
      const answer = await this.machine.request({ operation: 'create-character', method: 'POST', path: PATH, body })
      if (succeeded(answer)) return this.#keep(answer, name, attempts === 1)
      // Nothing keeps a second try from making a second character: what may have made one is not tried again.
      const refusal = refusalOf(answer)
      this.#undecided ||= refusal === 'network' || refusal === 'server'
      const wait = refusal === 'rate' || refusal === 'throttled' ? waitAfter(this.machine, answer, attempts) : undefined
      if (wait !== undefined) await this.machine.wait(wait)
      else {
        if (isCalledWrong(answer)) this.#told('wrong')
        return undefined
      }
    }
  }

  #keep({ data, answeredAt }: RestAnswer, name: string, isFirst: boolean): string | undefined {
    const { character_id: id, created_at: created } = data
    this.#told('taken')
    if (typeof id !== 'string') return undefined
    this.made.set(id, { name, model: MODEL, created, at: answeredAt })
    if (isFirst) this.once.add(name)
    return id
  }

  async delete(id: string): Promise<void> {
    let lost = false
    const asking = onKey(this.machine, this.machine.key, (_, told) => {
      const refusal = refusalOf(told)
      lost ||= refusal === 'network' || refusal === 'server'
    })
    const path = `${PATH}/${encodeURIComponent(id)}`
    const answer = await askPatiently(asking, { operation: 'delete-character', method: 'DELETE', path })
    if (succeeded(answer)) this.#deleted.set(id, answer.answeredAt)
    if (succeeded(answer)) this.#unfound.delete(id)
    else if (!lost && answer.code === '20005') this.#unfound.add(id)
  }

  page(token: string, size: number): Promise<RestAnswer> {
    const query = `page_size=${size}${token === '' ? '' : `&page_token=${encodeURIComponent(token)}`}`
    return askPatiently(this.machine, { operation: 'list-characters', method: 'GET', path: `${PATH}?${query}` })
  }

  /** Deletes all that it made, and what a create made whose answer never came: its name is ours. */
  async cleanUp(): Promise<void> {
    const isOurs = ({ name }: Item): boolean => typeof name === 'string' && name.startsWith(`${this.machine.name}-c`)
    const items = this.#undecided ? pageOf(await this.page('', LONGEST_PAGE), LONGEST_PAGE).items : []
    const lost = items.filter(isOurs).map(({ character_id }) => String(character_id))
    for (const id of new Set([...this.made.keys(), ...lost])) if (!this.#deleted.has(id)) await this.delete(id)
  }

  /**
   * Looks among the newest whether what was deleted is gone, and whether what a delete did not find is there. Once more later
   * where something is: lists may be behind, and a node may not have heard what another one has just made.
   */
  async judgeGone(): Promise<Ruling[]> {
    const all = [...this.#deleted.keys(), ...this.#unfound]
    const shown = await this.#newest()
    if (shown === undefined || all.length === 0) return []
    if (!all.some((id) => shown.has(id))) return [held('page-shows-deleted')]
    await this.machine.wait(LAG_MS)
    const deleted = [...this.#deleted.keys()]
    for (const id of this.#unfound) await this.delete(id)
    const still = await this.#newest()
    if (still === undefined) return []
    const isShown = (id: string): boolean => still.has(id)
    return [
      rule('page-shows-deleted', deleted.some(isShown), 'a deleted character came'),
      rule('character-not-deleted', [...this.#unfound].some(isShown), 'the delete does not find what the pages show'),
    ]
  }

  async #newest(): Promise<ReadonlySet<string> | undefined> {
    const answer = await this.page('', LONGEST_PAGE)
    return succeeded(answer) ? new Set(pageOf(answer, LONGEST_PAGE).ids) : undefined
  }
}

const rule = (law: Law, isBroken: boolean, got: string): Ruling => (isBroken ? broken(law, got) : held(law))

export function pageOf({ data }: RestAnswer, size: number): ItemPage {
  const items = Array.isArray(data['items']) ? data['items'].map((item: unknown): Item => objectOf(item)) : []
  return { items, ids: items.map(({ character_id }) => String(character_id)), size }
}
