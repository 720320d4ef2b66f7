import { namedSession, type RestAnswer } from '../../core/envelope.ts'
import type { CreateTry } from '../../core/limits/duplicate-oracle.ts'
import { type Listing, readListing, statusIn } from '../../core/limits/listing.ts'
import type { Opened, Unresolved } from '../../core/limits/places.ts'
import { refusalOf } from '../../core/refusal.ts'
import type { RestRequest } from '../machine.ts'
import { isLetIn } from '../reconnects/let-in.ts'
import { Ends } from './ends.ts'
import { createRequest, type Ending, endings, listRequest, sessionRequest } from './avatar-requests.ts'
import { outcomeOf } from './create-outcome.ts'
import { askPatiently, waitAfter } from './patience.ts'
import type { RestMachine } from './rest-machine.ts'

/** How far lists may be behind what was written. */
export const LAG_MS = 2_000
/** How long after a session is closed its place may still be taken, and how long we wait for the close. */
export const GRACE_MS = 10_000
export const CLOSED_MS = 20_000

/** How long a key may be told that its create is still in progress. */
export const PROGRESS_MS = 20_000

/** What came of a create, after whatever passes had passed. */
export type ReceivedEvent = 'opened' | 'full' | 'refused' | 'lost'

/** All that one iteration does with the sessions of a workspace, and all that it knows of them. */
export class Workspace {
  readonly machine: RestMachine
  readonly tries: CreateTry[] = []
  /** The same by their idempotency keys: a storm has thousands. */
  readonly #triesOf = new Map<string, CreateTry[]>()
  readonly opened = new Map<string, Opened>()
  /** Answers of creates that were refused, as they came. */
  readonly refusals: RestAnswer[] = []
  /** Creates of which no answer of the target's came, by idempotency key. */
  readonly #lost = new Map<string, Unresolved & { readonly key: string }>()
  /** Where List Sessions has ids: where it has ours, and under the name that a session has for its own. */
  readonly #idFields = new Set(['session_id'])
  #listed = false
  /** Sessions whose close or Get came to no answer, however often it was sent: they are closed again at the end. */
  readonly #unheard = new Set<Opened>()
  #creates = 0
  #endings: readonly Ending[]
  readonly ends: Ends

  /** @param words in which creates may ask for the end of their sessions, if the first of them are too much for the target */
  constructor(machine: RestMachine, words: readonly Ending[] = endings) {
    this.#endings = words
    this.ends = new Ends(() => machine.now())
    this.machine = {
      ...machine,
      request: async (request) => {
        const answer = await machine.request(request)
        this.ends.take(answer)
        return answer
      },
    }
  }

  get #ending(): Ending {
    return this.#endings[0] ?? endings[0]
  }

  get unresolved(): Unresolved[] {
    return [...this.#lost.values()]
  }

  /** Sessions that we did not close, oldest first. */
  get open(): Opened[] {
    return [...this.opened.values()].filter(
      ({ closeSentAt, endedItself }) => closeSentAt === undefined && endedItself !== true,
    )
  }

  /** Sessions whose close we asked for. */
  get closed(): Opened[] {
    return [...this.opened.values()].filter(({ closeSentAt }) => closeSentAt !== undefined)
  }

  /** Those of them that were not yet seen to be closed. */
  get closing(): Opened[] {
    return this.closed.filter(({ closedAt }) => closedAt === undefined)
  }

  /** From when on each session may have ended: when we asked for it, or at once where it ended by itself. */
  get closedAt(): ReadonlyMap<string, number> {
    return new Map(
      [...this.opened].map(([id, { answeredAt, endedItself, closeSentAt = Number.POSITIVE_INFINITY }]) => [
        id,
        endedItself === true ? answeredAt : closeSentAt,
      ]),
    )
  }

  /** Whether List Sessions has shown a session of ours: then it is known how it shows others. */
  get isListRead(): boolean {
    return this.#listed
  }

  /** An idempotency key that nobody else has; it also marks the avatar of the session that it makes. */
  freshKey(): string {
    this.#creates += 1
    return `${this.machine.name}-s${this.#creates}`
  }

  /** How long to wait between two looks: all that close are looked at, by half of the key's requests. */
  get pauseMs(): number {
    const each = Math.max(250, 120_000 / this.machine.key.requests_per_minute)
    return Math.min(5_000, each * (this.closing.length || 1))
  }

  /** Sends a create once; the very first one again, in other words, where these may be too much for the target. */
  async tryCreate(idempotencyKey: string, options: { key?: string; timeout_ms?: number } = {}): Promise<RestAnswer> {
    const key = options.key ?? this.machine.key.name
    const sentAt = this.machine.now()
    if (!this.#lost.has(idempotencyKey)) this.#lost.set(idempotencyKey, { sentAt, key })
    const answer = await this.machine.request({ ...createRequest(idempotencyKey, this.#ending), ...options })
    if (answer.code === '30004' && this.tries.length === 0 && this.#endings.length > 1) {
      this.#endings = this.#endings.slice(1)
      return this.tryCreate(idempotencyKey, options)
    }
    this.#keep(idempotencyKey, key, answer)
    return answer
  }

  #keep(idempotencyKey: string, key: string, answer: RestAnswer): void {
    const session = namedSession(answer)
    const outcome = session === undefined ? outcomeOf(answer) : 'made'
    const { sentAt, answeredAt, code } = answer
    const sent = this.#lost.get(idempotencyKey)?.sentAt ?? sentAt
    const told = session === undefined ? {} : { sessionId: session.id }
    const one: CreateTry = { idempotencyKey, sentAt, answeredAt, outcome, code, ...told }
    this.tries.push(one)
    const before = this.#triesOf.get(idempotencyKey)
    if (before === undefined) this.#triesOf.set(idempotencyKey, [one])
    else before.push(one)
    if (session === undefined && outcome !== 'lost' && outcome !== 'failed') this.refusals.push(answer)
    if (session !== undefined && !this.opened.has(session.id))
      this.opened.set(session.id, { ...session, key, sentAt: sent, answeredAt })
    if (this.#mayHaveMade(idempotencyKey)) this.#lost.set(idempotencyKey, { sentAt: sent, key })
    else this.#lost.delete(idempotencyKey)
  }

  /**
   * A create that failed inside the service, or of which no answer came, may have made its session, until its key is given
   * one: that it is in progress, or that a limit is reached, is no answer to that.
   */
  #mayHaveMade(idempotencyKey: string): boolean {
    const tries = this.triesOf(idempotencyKey)
    return (
      tries.some(({ outcome }) => outcome === 'lost' || outcome === 'failed') &&
      tries.every(({ outcome }) => outcome !== 'made')
    )
  }

  /** Of one idempotency key, in the order of their answers. */
  triesOf(idempotencyKey: string): readonly CreateTry[] {
    return this.#triesOf.get(idempotencyKey) ?? []
  }

  /** Sends a create that is invalid in any reading, once: it has no avatars. */
  async tryInvalid(): Promise<void> {
    const idempotencyKey = this.freshKey()
    const valid = createRequest(idempotencyKey, this.#ending)
    const answer = await this.machine.request({ ...valid, body: { ...valid.body, avatars: undefined } })
    // A target that takes it has made a session, which has to be closed like any other.
    if (namedSession(answer) !== undefined) this.#keep(idempotencyKey, this.machine.key.name, answer)
  }

  /** Sends a create, again and again with its key while something stands in the way that passes by itself. */
  async create(idempotencyKey: string, options: { key?: string } = {}): Promise<ReceivedEvent> {
    for (let attempts = 1; ; attempts += 1) {
      const answer = await this.tryCreate(idempotencyKey, options)
      const refusal = refusalOf(answer)
      if (refusal === undefined) return namedSession(answer) === undefined ? 'refused' : 'opened'
      if (refusal === 'concurrency') return 'full'
      const wait = waitAfter(this.machine, answer, attempts, this.ends.at)
      if (wait === undefined) return refusal === 'final' || refusal === 'request' ? 'refused' : 'lost'
      await this.machine.wait(wait)
    }
  }

  /** Sends what may be sent twice, until the target itself answers or it is no use. */
  ask(request: RestRequest): Promise<RestAnswer> {
    return askPatiently(this.machine, request, () => this.ends.at)
  }

  /** Asks for the close of a session. */
  async close(session: Opened): Promise<RestAnswer> {
    session.closeSentAt ??= this.machine.now()
    const answer = await this.ask({ ...sessionRequest('close-avatar-session', session), method: 'POST', body: {} })
    if (answer.status === 0 || answer.status >= 500) this.#unheard.add(session)
    else this.#unheard.delete(session)
    return answer
  }

  /** @returns whether it was seen to be closed */
  async isClosed(session: Opened): Promise<boolean> {
    if (session.closedAt !== undefined) return true
    const { code, data } = await this.ask({ ...sessionRequest('get-avatar-session', session), method: 'GET' })
    if (statusIn(code, data) === 'closed') session.closedAt = this.machine.now()
    return session.closedAt !== undefined
  }

  /** @returns whether it was seen not to have ended; by List Sessions where Get tells nothing of that */
  async isSeenOpen(session: Opened): Promise<boolean> {
    return (await this.#toldOpen(session)) ?? (await this.list())?.ours.has(session.id) === true
  }

  /** By Get Session; undefined where it tells nothing of that. */
  async #toldOpen(session: Opened): Promise<boolean | undefined> {
    const { code, data, status } = await this.ask({ ...sessionRequest('get-avatar-session', session), method: 'GET' })
    const told = statusIn(code, data)
    if (status === 0 || status >= 500) this.#unheard.add(session)
    return told === undefined && code === '0' ? undefined : told === 'active'
  }

  /** Looks until a session is closed, or its time is up. */
  async awaitClosed(session: Opened, withinMs: number): Promise<boolean> {
    const until = this.machine.now() + withinMs
    while (!(await this.isClosed(session))) {
      if (this.ends.over || this.machine.now() >= until) return false
      await this.machine.wait(this.pauseMs)
    }
    return true
  }

  /**
   * Looks at sessions that we have not closed: one that does not show as open, late enough, may have ended by itself. Lists may
   * name such (4.1: "to find and close ended sessions"), so that where Get tells nothing its channel is tried.
   */
  async findEnded(among: readonly Opened[] = this.open): Promise<void> {
    await this.machine.wait(LAG_MS)
    for (const session of among)
      if (!((await this.#toldOpen(session)) ?? (await this.#letsIn(session)))) session.endedItself = true
  }

  /** Whether it lets us in by the secret that it was given, if it was. */
  async #letsIn({ id, url, secret }: Opened): Promise<boolean> {
    return url !== undefined && secret !== undefined && isLetIn(this.machine, { id, url, secret })
  }

  async list(key = this.machine.key.name): Promise<Listing | undefined> {
    const answer = await this.ask({ ...listRequest, key })
    if (answer.code !== '0') return undefined
    const listing = readListing(answer.data, new Set(this.opened.keys()), this.#idFields)
    this.#listed ||= listing.ours.size > 0
    return listing
  }

  /** Whether List Sessions shows ours and nobody else's; what speaks against it is looked at again, since lists may be behind. */
  async isAlone(): Promise<boolean> {
    const fits = (listing: Listing | undefined): boolean =>
      listing !== undefined && listing.others.length === 0 && this.open.every(({ id }) => listing.ours.has(id))
    if (fits(await this.list())) return true
    await this.machine.wait(LAG_MS)
    return fits(await this.list())
  }

  /** Closes what is open, and what a create made whose answer never came. */
  async cleanUp(): Promise<void> {
    await this.#closeOpen()
    await Promise.all([...this.#lost].map(([idempotencyKey, { key }]) => this.#resolve(idempotencyKey, key)))
    await this.#closeOpen()
  }

  async #closeOpen(): Promise<void> {
    await Promise.all([...this.open, ...this.#unheard].map((session) => this.close(session)))
  }

  /** A create goes on for a while though nobody waits for it; then its key is given what it made. */
  async #resolve(idempotencyKey: string, key: string): Promise<void> {
    const until = this.machine.now() + PROGRESS_MS
    while ((await this.create(idempotencyKey, { key })) !== 'opened' && !this.ends.over && this.machine.now() < until)
      await this.machine.wait(PROGRESS_MS / 5)
    this.#lost.delete(idempotencyKey)
  }
}
