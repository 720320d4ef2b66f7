import type { Channel, Exchange } from '#client/types'
import type { KeyName } from '#spec/profile'
import type { Context, OpenOptions, OpenSession } from '#scenario/author/context'
import { event } from '#trace/conditions'
import { at, type JsonObject, words } from '#trace/json'
import { isFull, late_ms } from '#scenario/author/retry-transient'
import { listSessions } from '#scenario/author/look-for-sessions'
import { mostInVain } from '#scenario/author/scenario'
import { ended } from '#scenario/author/session-ending'
import { unissued } from '#scenario/author/unissued'
import { volley, volleySize } from '#scenario/author/volley'
import { watchRefusal } from '#scenario/author/watch-refusal'
import type { Effect, Move } from '../model/moves.ts'
import { Bodies } from './bodies.ts'

/** How long a create may take before it is given up: too short for most answers, long enough to be sent. */
const impatience_ms = 1

interface Keyed {
  body: JsonObject
  /** Sessions that came of the key, the latest last. */
  readonly sessions: OpenSession[]
}

/** Makes the moves of one walk against a target, by one key. Remembers what came of each idempotency key. */
export class Walker {
  readonly #c: Context
  readonly #key: KeyName
  readonly #bodies: Bodies
  readonly #threads: Keyed[] = []
  /** Asked to close. */
  readonly #closed = new Set<string>()
  /** Seen to be over. */
  readonly #over = new Set<string>()
  /** Connections that were refused, where none ever opened. */
  #refused = 0

  /** @param pairs how many pairs of idempotency keys the walks before it had */
  constructor(c: Context, key: KeyName, pairs: number) {
    this.#c = c
    this.#key = key
    this.#bodies = new Bodies(c, pairs)
  }

  /** @returns what the next moves depend on. */
  async make({ does, thread }: Move): Promise<Effect> {
    const keyed = (this.#threads[thread] ??= { body: this.#bodies.next(), sessions: [] })
    const session = keyed.sessions.at(-1)
    if (does.startsWith('create') && !hasKey(keyed)) return this.#create(keyed)
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
      case 'repeat-late':
        await this.#c.wait(late_ms, 'timer')
        return this.#again(keyed)
      case 'list':
        await this.#list()
        return {}
      case 'look-at-others':
        for (const one of this.#open()) await this.#get(one)
        return {}
      default:
        return session === undefined ? {} : this.#visit(does, session)
    }
  }

  /** Sessions of the walk that nobody asked to close, the latest of each key. */
  #open(): readonly OpenSession[] {
    const latest = this.#threads.flatMap(({ sessions }) => sessions.slice(-1))
    return latest.filter(({ id }) => !this.#closed.has(id))
  }

  /**
   * While somebody is connected to the newest of those that are open. Once more where it does not show all that is open, or
   * still shows what is over.
   */
  async #list(): Promise<void> {
    const newest = this.#open().at(-1)
    const channel = newest === undefined ? undefined : await this.#enter(newest)
    const fits = (shown: ReadonlySet<string>) =>
      this.#open().every(({ id }) => shown.has(id)) && this.#over.isDisjointFrom(shown)
    await listSessions(this.#c, fits, { key: this.#key })
    await channel?.close()
  }

  /** Keys of sessions that are open stand for them, whatever was created since. */
  async #repeatAll(): Promise<void> {
    for (const keyed of this.#threads.filter(hasKey)) {
      const session = keyed.sessions.at(-1)
      if (session !== undefined && !this.#closed.has(session.id)) await this.#again(keyed)
    }
  }

  /**
   * Repeats what can be, closes what is open, looks until all is over, then closes one again and tries to connect: nothing
   * comes back. Says whether all came to an end.
   */
  async drain(): Promise<boolean> {
    await this.#repeatAll()
    const sessions = this.#threads.flatMap((keyed) => keyed.sessions)
    for (const session of sessions) if (!this.#closed.has(session.id)) await this.#close(session)
    const over = await this.#settle(sessions.filter(({ id }) => !this.#over.has(id)))
    const last = sessions.at(-1)
    if (last !== undefined) await this.#closeAgain(last)
    if (last !== undefined) await this.#connect(last)
    await this.#list()
    return over
  }

  /** Whether all come to an end. A service that shows no states is not asked for each of them. */
  async #settle(sessions: readonly OpenSession[]): Promise<boolean> {
    for (const session of sessions) {
      const answer = await this.#c.closed(session)
      if (ended(answer, session)) this.#over.add(session.id)
      if (!ended(answer, session) && !says(answer, 'closed')) return typeof at(answer.body, '/data/status') !== 'string'
    }
    return true
  }

  /** Waits for room where nothing of ours takes it. */
  async #create(keyed: Keyed): Promise<Effect> {
    if (this.#open().length > 0) return this.#again(keyed)
    const answer = await this.#attempt(keyed.body)
    if (answer.ok) return this.#take(keyed, [answer])
    if (refused(answer)) keyed.body = this.#bodies.plainer(keyed.body) ?? keyed.body
    keyed.sessions.push(await this.#c.create(keyed.body, { key: this.#key }))
    return { made: true }
  }

  async #again(keyed: Keyed): Promise<Effect> {
    const answer = await this.#attempt(keyed.body)
    const plainer = keyed.sessions.length === 0 && refused(answer) ? this.#bodies.plainer(keyed.body) : undefined
    if (plainer === undefined) return this.#take(keyed, [answer])
    keyed.body = plainer
    return this.#take(keyed, [await this.#attempt(plainer)])
  }

  /** Four at once; where all were turned away, one more. */
  async #volley(keyed: Keyed): Promise<Effect> {
    if (!hasKey(keyed)) return this.#again(keyed)
    const once = () => this.#c.attempt(keyed.body, { key: this.#key, retry: 'never' })
    const sends = Array.from({ length: volleySize }, () => once)
    const answers = await volley(this.#c, this.#key, sends)
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
    else if (does === 'close-while-it-speaks') await this.#closeBusy(session)
    else if (does === 'close-again') await this.#closeAgain(session)
    else if (does === 'connect' || does === 'connect-closed') await this.#connect(session)
    else if (does === 'connect-after-a-wrong-secret') await this.#connectWithAWrongSecret(session)
    else if (does === 'get-unknown') await this.#c.call('get-avatar-session', strange)
    else if (does === 'close-unknown') await this.#c.call('close-avatar-session', strange)
    return {}
  }

  async #get(session: OpenSession): Promise<void> {
    const answer = await this.#c.call('get-avatar-session', { key: this.#key, params: { session_id: session.id } })
    if (ended(answer, session)) this.#over.add(session.id)
  }

  async #close(session: OpenSession): Promise<void> {
    this.#closed.add(session.id)
    await this.#c.close(session)
  }

  /** Nothing comes of a close of what is closed. */
  async #closeAgain(session: OpenSession): Promise<void> {
    if (!this.#over.has(session.id) && ended(await this.#c.closed(session), session)) this.#over.add(session.id)
    await this.#close(session)
    await this.#get(session)
  }

  /** In the midst of a response that speaks for a while. */
  async #closeBusy(session: OpenSession): Promise<void> {
    const channel = await this.#enter(session)
    if (channel?.state === 'open') {
      channel.send(speaking(this.#c, endless))
      await channel.next([event('response.created'), event('error')], { within_ms: this.#c.timeouts.event_ms })
    }
    await this.#close(session)
    await channel?.close()
  }

  /** A connection on which something is done: one that is let in shows that the session is not closed. */
  async #connect(session: OpenSession): Promise<void> {
    const channel = await this.#enter(session)
    if (channel?.state !== 'open') return
    const within_ms = this.#c.timeouts.event_ms
    channel.send({ type: 'session.update', event_id: this.#c.id('walk'), session: { mode: 'text_chat' } })
    await channel.next([event('session.updated'), event('error')], { within_ms })
    channel.send(speaking(this.#c, 'Good.'))
    await channel.next([event('response.done'), event('error')], { within_ms })
    await channel.close()
  }

  /** A secret that nobody issued takes nothing from the right one. */
  async #connectWithAWrongSecret(session: OpenSession): Promise<void> {
    const secret = this.#c.id('never-issued-secret')
    const channel = await this.#enter(session, { secret, expects_refusal: true })
    if (channel !== undefined) await watchRefusal(this.#c, channel)
    await channel?.close()
    await this.#connect(session)
  }

  /** Where none ever opened, the walk goes on without connections. */
  async #enter(session: OpenSession, options: OpenOptions = {}): Promise<Channel | undefined> {
    if (this.#refused >= mostInVain) return undefined
    const channel = await this.#c.open(session, options)
    this.#refused = channel.state === 'open' ? Number.NEGATIVE_INFINITY : this.#refused + 1
    return channel
  }
}

const speaking = (c: Context, text: string): JsonObject => ({
  type: 'response.create',
  event_id: c.id('walk'),
  response: { script: { vocal: { type: 'speech', text } } },
})

/** So long that it is spoken for longer than a close takes. */
const endless = 'It goes on and on, and nobody knows when it ends. '.repeat(48).trim()

/** Each create without one makes a session. */
const hasKey = ({ body }: Keyed): boolean => body['idempotency_key'] !== undefined

/** By the service, and not for want of room or time. */
const refused = ({ ok, status, code }: Exchange): boolean => !ok && code !== undefined && status < 500 && status !== 429

/** Wherever in its data. */
function says({ data }: Exchange, word: string): boolean {
  return words(data).has(word)
}
