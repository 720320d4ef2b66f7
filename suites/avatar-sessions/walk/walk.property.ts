import type { Exchange } from '#client/types'
import type { KeyName } from '#spec/profile'
import type { Context, OpenSession } from '#scenario/author/context'
import { event } from '#trace/conditions'
import { at, type JsonObject } from '#trace/json'
import { textChat } from '#scenario/author/bodies'
import { isFull } from '#scenario/author/retry-transient'
import { lookTwice, twoLooks } from '#scenario/author/look-twice'
import { ended } from '#scenario/author/session-ending'
import { unissued } from '#scenario/author/unissued'
import { words } from '../life/lives.ts'
import type { Effect, Move } from '../model/moves.ts'

/** How long a create may take before it is given up: too short for most answers, long enough to be sent. */
const impatience_ms = 1

interface Keyed {
  readonly body: JsonObject
  /** Sessions that came of the key, the latest last. */
  readonly sessions: OpenSession[]
}

/** Makes the moves of one walk against a target, by one key. Remembers what came of each idempotency key. */
export class Walker {
  readonly #c: Context
  readonly #key: KeyName
  readonly #threads: Keyed[] = []
  /** Asked to close. */
  readonly #closed = new Set<string>()
  /** Seen to be over. */
  readonly #over = new Set<string>()
  #lastKey: string | undefined

  constructor(c: Context, key: KeyName) {
    this.#c = c
    this.#key = key
  }

  /** @returns what the next moves depend on. */
  async make({ does, thread }: Move): Promise<Effect> {
    const keyed = (this.#threads[thread] ??= this.#fresh())
    const session = keyed.sessions.at(-1)
    switch (does) {
      case 'create':
        return this.#create(keyed)
      case 'create-after-invalid':
        await this.#attempt({ ...keyed.body, avatars: [] })
        return this.#again(keyed)
      case 'create-and-give-up':
        await this.#c.attempt(keyed.body, { key: this.#key, retry: 'never', deadline_ms: impatience_ms })
        return this.#again(keyed)
      case 'create-at-once':
      case 'repeat-at-once':
        return this.#volley(keyed)
      case 'repeat':
      case 'repeat-after-close':
        return this.#again(keyed)
      case 'list':
        await this.#c.call('list-avatar-sessions', { key: this.#key })
        return {}
      default:
        return session === undefined ? {} : this.#visit(does, session)
    }
  }

  /** Keys of sessions that are open stand for them, whatever was created since. */
  async #repeatAll(): Promise<void> {
    for (const keyed of this.#threads) {
      const session = keyed.sessions.at(-1)
      if (session !== undefined && !this.#closed.has(session.id)) await this.#again(keyed)
    }
  }

  /** Repeats what can be, closes what is open, looks until all is over, and tries to connect once more: nothing comes back. Says whether all came to an end. */
  async drain(): Promise<boolean> {
    await this.#repeatAll()
    const sessions = this.#threads.flatMap((keyed) => keyed.sessions)
    for (const session of sessions) if (!this.#closed.has(session.id)) await this.#close(session)
    const over = await this.#settle(sessions.filter(({ id }) => !this.#over.has(id)))
    const last = sessions.at(-1)
    if (last !== undefined) await this.#get(last)
    if (last !== undefined) await this.#connect(last)
    const looks = twoLooks(this.#c)
    const list = (exchange: number) => this.#c.call('list-avatar-sessions', { key: this.#key, exchange })
    await lookTwice(this.#c, looks, list, ({ data }) => !sessions.some(({ id }) => words(data).has(id)))
    return over
  }

  /** Whether all come to an end. A service that shows no states is not asked for each of them. */
  async #settle(sessions: readonly OpenSession[]): Promise<boolean> {
    for (const session of sessions) {
      const answer = await this.#c.closed(session)
      if (!ended(answer) && !says(answer, 'closed')) return typeof at(answer.body, '/data/status') !== 'string'
    }
    return true
  }

  /** A body by which the session is known again, and that no timer of the platform ends while the walk goes on. */
  #fresh(): Keyed {
    const avatars = [{ avatar_id: this.#c.id('walk') }]
    const auto_close = { disconnected_timeout_seconds: 0 }
    return { body: textChat({ avatars, auto_close, idempotency_key: this.#freshKey() }), sessions: [] }
  }

  /** Every second key differs from the one before it in the case of its letters only. */
  #freshKey(): string {
    const last = this.#lastKey
    const fresh = this.#c.id('walk')
    this.#lastKey = last === undefined ? fresh : undefined
    return last?.toUpperCase() ?? fresh
  }

  /** Waits for room where nothing of ours takes it. */
  async #create(keyed: Keyed): Promise<Effect> {
    const sessions = this.#threads.flatMap((one) => one.sessions)
    if (sessions.some(({ id }) => !this.#closed.has(id))) return this.#again(keyed)
    keyed.sessions.push(await this.#c.create(keyed.body, { key: this.#key }))
    return { made: true }
  }

  async #again(keyed: Keyed): Promise<Effect> {
    return this.#take(keyed, [await this.#attempt(keyed.body)])
  }

  /** Four at once; where all were turned away, one more. */
  async #volley(keyed: Keyed): Promise<Effect> {
    const call = { key: this.#key, retry: 'never' } as const
    const answers = await Promise.all([1, 2, 3, 4].map(() => this.#c.attempt(keyed.body, call)))
    if (!answers.some(({ ok }) => ok)) return this.#again(keyed)
    return this.#take(keyed, answers)
  }

  #attempt(body: JsonObject): Promise<Exchange> {
    return this.#c.attempt(body, { key: this.#key })
  }

  /** A second session for a key: a look at the first one tells whether it is still open. */
  async #take(keyed: Keyed, answers: readonly Exchange[]): Promise<Effect> {
    const before = keyed.sessions.filter(({ id }) => !this.#closed.has(id))
    const made = answers.filter(({ ok }) => ok).map((answer) => this.#c.adopt(answer, this.#key))
    const known = new Set(keyed.sessions.map(({ id }) => id))
    const fresh = [...new Map(made.filter(({ id }) => !known.has(id)).map((one) => [one.id, one])).values()]
    keyed.sessions.push(...fresh)
    if (fresh.length > 0) for (const session of before) await this.#get(session)
    if (made.length > 0) return fresh.length > 0 ? { made: true } : {}
    const unmade = known.size === 0 ? { made: false } : {}
    return { ...unmade, full: answers.some(isFull) }
  }

  async #visit(does: Move['does'], session: OpenSession): Promise<Effect> {
    const strange = { key: this.#key, params: { session_id: unissued(session.id).id } }
    if (does === 'get' || does === 'get-closed') await this.#get(session)
    else if (does === 'close') await this.#close(session)
    else if (does === 'close-again') await this.#closeAgain(session)
    else if (does === 'connect' || does === 'connect-closed') await this.#connect(session)
    else if (does === 'get-unknown') await this.#c.call('get-avatar-session', strange)
    else if (does === 'close-unknown') await this.#c.call('close-avatar-session', strange)
    return {}
  }

  async #get(session: OpenSession): Promise<void> {
    const answer = await this.#c.call('get-avatar-session', { key: this.#key, params: { session_id: session.id } })
    if (ended(answer)) this.#over.add(session.id)
  }

  async #close(session: OpenSession): Promise<void> {
    this.#closed.add(session.id)
    await this.#c.close(session)
  }

  /** Nothing comes of a second close, which shows at once or never. */
  async #closeAgain(session: OpenSession): Promise<void> {
    await this.#close(session)
    await this.#get(session)
  }

  /** A connection that is kept: the session is not closed, whatever Get says. */
  async #connect(session: OpenSession): Promise<void> {
    const channel = await this.#c.open(session)
    if (channel.state !== 'open') return
    channel.send({ type: 'session.update', event_id: this.#c.id('walk'), session: { mode: 'text_chat' } })
    await channel.next([event('session.updated'), event('error')], { within_ms: this.#c.timeouts.event_ms })
    await channel.close()
  }
}

/** Wherever in its data. */
function says({ data }: Exchange, word: string): boolean {
  return words(data).has(word)
}
