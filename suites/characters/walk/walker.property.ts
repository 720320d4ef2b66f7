import type { Exchange } from '#client/types'
import type { KeyName } from '#spec/profile'
import type { Context, OpenSession } from '#scenario/author/context'
import { volley, volleySize } from '#scenario/author/volley'
import { isFull } from '#scenario/author/retry-transient'
import { textAt } from '#trace/json'
import { get, list, replace, send } from '../acts.ts'
import type { Move, Person, Roster } from '../model/moves.ts'
import { lookTwice, twoLooks } from '#scenario/author/look-twice'
import type { Bodies } from './bodies.ts'
import type { Refuse } from './refuse.property.ts'

const START = 'create-session-from-character'

/** What the walk knows of one character beyond the roster. */
interface Known {
  readonly id: string
  /** The save that was accepted last: the positive control of a refusal. */
  readonly saved: number
  /** Key of the last start, which may be sent again, and what came of it. */
  startKey: string | undefined
  session: OpenSession | undefined
}

/** Makes the moves of one walk against a target, by one key. */
export class Walker {
  readonly #c: Context
  readonly #key: KeyName
  readonly #bodies: Bodies
  readonly #known: Known[] = []
  /** Confirmed as deleted, or not found. */
  readonly #gone = new Set<string>()

  readonly #refuse: Refuse | undefined

  /** @param refuse sends what is to be refused, where the walk has that too */
  constructor(c: Context, { key, bodies, refuse }: { key: KeyName; bodies: Bodies; refuse?: Refuse | undefined }) {
    this.#c = c
    this.#key = key
    this.#bodies = bodies
    this.#refuse = refuse
  }

  /** @returns the roster after the move, as far as the answer tells */
  async make(move: Move, roster: Roster): Promise<Roster> {
    if (move.does === 'create') return this.#create(roster)
    if (move.does === 'list' || move.does === 'create-refused') return this.#beside(move.does, roster)
    const [known, person] = [this.#known[move.place], roster[move.place]]
    if (known === undefined || person === undefined) return roster
    return roster.with(move.place, { ...person, ...(await this.#visit(move.does, known)) })
  }

  /** Closes what is open; what is stored is deleted when the scenario ends. */
  async drain(): Promise<void> {
    for (const known of this.#known) await this.#close(known)
  }

  async #create(roster: Roster): Promise<Roster> {
    const answer = await send(this.#c, 'create-character', { body: this.#bodies.next(), key: this.#key })
    const id = textAt(answer.data, '/character_id')
    if (!answer.ok || id === undefined) return roster
    this.#known.push({ id, saved: answer.exchange, startKey: undefined, session: undefined })
    return [...roster, { stands: 'stored', keyed: false, open: false }]
  }

  async #visit(
    does: Exclude<Move['does'], 'create' | 'list' | 'create-refused'>,
    known: Known,
  ): Promise<Partial<Person>> {
    switch (does) {
      case 'get':
        await this.#look(known)
        return {}
      case 'replace':
        return after(await this.#replace(known), 'replaced')
      case 'replace-refused':
        await this.#refuse?.(does, this.#bodies.wrong(), { key: this.#key, ...known })
        return {}
      case 'delete':
        return after(await this.#delete(known), 'deleted')
      case 'close':
        await this.#close(known)
        return { open: false }
      case 'replace-at-once':
        return this.#replaceAtOnce(known)
      case 'delete-beside-replace':
        return this.#deleteBeside(known, [
          () => this.#replace(known),
          () => this.#replace(known),
          () => this.#get(known),
        ])
      case 'start-beside-delete':
        known.startKey = this.#c.id('start')
        return this.#deleteBeside(known, [() => this.#start(known), () => this.#start(known), () => this.#get(known)])
      default:
        return this.#begin(does, known)
    }
  }

  /** What is about none of them changes none. A list shows what is stored, at the second look at the latest. */
  async #beside(does: 'list' | 'create-refused', roster: Roster): Promise<Roster> {
    const shows = (shown: ReadonlyMap<string, unknown>) =>
      this.#known.every(({ id }) => shown.has(id) !== this.#gone.has(id))
    const control = this.#known.at(-1)
    if (does === 'list') await list(this.#c, this.#key, shows)
    else if (control !== undefined) await this.#refuse?.(does, this.#bodies.wrong(), { key: this.#key, ...control })
    return roster
  }

  #get({ id }: Known): Promise<Exchange> {
    return get(this.#c, id, { key: this.#key })
  }

  /** Once more where a copy that is behind may have answered. */
  async #look({ id }: Known): Promise<void> {
    const deleted = this.#gone.has(id)
    const look = (exchange: number) => get(this.#c, id, { key: this.#key, exchange })
    await lookTwice(this.#c, twoLooks(this.#c), look, ({ ok }) => !(deleted && ok))
  }

  #replace({ id }: Known): Promise<Exchange> {
    return replace(this.#c, id, this.#bodies.next(), { key: this.#key })
  }

  async #delete({ id }: Known): Promise<Exchange> {
    const answer = await this.#c.call('delete-character', { key: this.#key, params: { character_id: id } })
    if (answer.ok || answer.code === 20005) this.#gone.add(id)
    return answer
  }

  /** Two at once, with looks beside them, and one after: it shows one of the two, whole. */
  async #replaceAtOnce(known: Known): Promise<Partial<Person>> {
    const [replaced, got] = [() => this.#replace(known), () => this.#get(known)]
    const answers = await volley(this.#c, this.#key, [replaced, replaced, got, got])
    await this.#get(known)
    return answers.slice(0, 2).some(({ ok }) => ok) ? { stands: 'replaced' } : {}
  }

  /** A delete in the midst of others; what was confirmed as deleted stays so. */
  async #deleteBeside(known: Known, others: readonly (() => Promise<Exchange>)[]): Promise<Partial<Person>> {
    const [first, ...rest] = others
    const sends = [...(first === undefined ? [] : [first]), () => this.#delete(known), ...rest]
    await volley(this.#c, this.#key, sends)
    await this.#look(known)
    const open = known.session !== undefined
    return { ...(this.#gone.has(known.id) ? { stands: 'deleted' } : {}), open, keyed: known.startKey !== undefined }
  }

  /** Starts, with a new key or the last one, once or four times at once. */
  async #begin(does: 'start' | 'start-again' | 'start-at-once', known: Known): Promise<Partial<Person>> {
    if (does !== 'start-again' || known.startKey === undefined) known.startKey = this.#c.id('start')
    const count = does === 'start-at-once' ? volleySize : 1
    const starts = Array.from({ length: count }, () => () => this.#start(known))
    const answers = await volley(this.#c, this.#key, starts)
    if (count > 1 && !answers.some(({ ok }) => ok) && !answers.every(isFull)) await this.#start(known)
    return { keyed: known.session !== undefined, open: known.session !== undefined }
  }

  /** One start with the key of the character; whatever comes of it is closed in the end. */
  async #start(known: Known): Promise<Exchange> {
    const body = { character_id: known.id, idempotency_key: known.startKey ?? this.#c.id('start') }
    const answer = await this.#c.call(START, { body, key: this.#key, retry: 'never' })
    if (answer.ok && textAt(answer.data, '/session_id') !== undefined) known.session = this.#c.adopt(answer, this.#key)
    return answer
  }

  async #close(known: Known): Promise<void> {
    const { session } = known
    known.session = undefined
    if (session !== undefined) await this.#c.close(session)
  }
}

/** Not found is deleted, whatever was asked. */
function after({ ok, code }: Exchange, stands: Person['stands']): Partial<Person> {
  if (code === 20005) return { stands: 'deleted' }
  return ok ? { stands } : {}
}
