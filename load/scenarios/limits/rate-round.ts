import { broken, held, type Ruling } from '../../core/limits/laws.ts'
import {
  EARLIER_MS,
  endOf,
  isCarriedOut,
  isRefused,
  lookbackOf,
  RATE_LIMITED,
  type RateRequest,
  type RateTerms,
  SLACK_MS,
  waitOf,
  withSureDates,
} from '../../core/limits/rate-log.ts'
import type { Key } from '../../core/keys.ts'
import { isDoubtful } from '../../core/limits/rate-oracle.ts'
import { refusalOf } from '../../core/refusal.ts'
import { listRequest, sessionRequest } from './avatar-requests.ts'
import { waitAfter } from './patience.ts'
import { onKey, type RestMachine } from './rest-machine.ts'
import { LONGEST_MINUTES, TRIES, waitOut } from './wait-out.ts'
import { Workspace } from './workspace.ts'
import type { Opened } from '../../core/limits/places.ts'

/** Requests under way at the same time. */
const WIDTH = 8

/** How often a create is sent where other things stand in its way. */
const MOST_TRIES = 12

/** What is sent while List is refused, by the law that says that it has to be refused, too. */
const named = { 'rate-creates-free': 'creates', 'rate-gets-free': 'Gets' } as const

/** So many of them at once, all among Lists that are refused, are more than a limit gives back meanwhile; and how many are sent. */
const [FREE, AT_ONCE] = [3, 12]

/** How often it is asked anew where something else than the limit stands in the way. */
const MORE_TRIES = 3

/** Rounds in which they have to be free before it is said that they are. */
const CONVICTIONS = 2

/** How many are asked one by one while the key is refused: a lie that every fourth is told is met there. */
const ASKED_ALONE = 8

/** After so many minutes no more rounds begin. */
const EXTRA_MINUTES = 7

/** Nothing is waited for beyond so many minutes: what is known by then is judged. */
const LASTS_MINUTES = 17

/** Crosses the limit of one key, honours what it is told, and crosses it again after a while of silence. */
export class RateRounds {
  readonly log: RateRequest[] = []
  /** Of a second key, while the first was refused; once for each round. */
  readonly beside: RateRequest[][] = []
  readonly rulings: Ruling[] = []
  /** From the refusal until the key was admitted again. */
  readonly recoveredMs: number[] = []
  readonly announcedMs: number[] = []
  readonly workspace: Workspace
  readonly #machine: RestMachine
  readonly #other: Key | undefined
  readonly #terms: RateTerms
  #known: readonly Opened[] = []
  #until = Number.POSITIVE_INFINITY
  /** In how many rounds such requests were let in while List was refused. */
  readonly #free = { 'rate-creates-free': 0, 'rate-gets-free': 0 }

  constructor(machine: RestMachine, key: Key, terms: RateTerms) {
    this.#machine = onKey(machine, key, (name, answer, operation) => {
      if (name === key.name) this.log.push({ key: name, answer, operation })
    })
    this.#other = machine.keys.find(({ name }) => name !== key.name)
    this.#terms = terms
    this.workspace = new Workspace(this.#machine)
  }

  /** The log, with the dates that tell a wait for sure. */
  get #sureLog(): readonly RateRequest[] {
    return withSureDates(this.log)
  }

  /** The log of the second key. */
  get otherLog(): RateRequest[] {
    return this.beside.flat()
  }

  async run(): Promise<void> {
    const began = this.#machine.now()
    this.#until = began + LASTS_MINUTES * this.#terms.minuteMs
    this.workspace.ends.within(LASTS_MINUTES * this.#terms.minuteMs)
    await this.#openAndClose()
    await this.#round()
    const second = await this.#roundAfterSilence()
    // A key that has its whole limit again after the silence, and did nothing strange, tells all that a third round could.
    if (second >= this.#terms.limit && !isDoubtful(this.log, this.#terms)) return
    const third = await this.#roundAfterSilence()
    // Refused at once after one silence and not after the other: whether that goes on shows after one more.
    const once = (second === 0) !== (third === 0)
    if (!once || this.#machine.now() - began > EXTRA_MINUTES * this.#terms.minuteMs) return
    await this.#silence()
    await this.#burst()
  }

  /** A session to ask for while the key is refused; closed, since it could not be closed then. */
  async #openAndClose(): Promise<void> {
    await this.workspace.tryCreate(this.workspace.freshKey())
    await this.workspace.cleanUp()
    this.#known = this.workspace.closed.slice(0, 1)
  }

  #hasTimeFor(ms: number): boolean {
    return this.#machine.now() + ms <= this.#until
  }

  /** @returns as many as no limit stops, where there is no time for another one */
  async #roundAfterSilence(): Promise<number> {
    if (!this.#hasTimeFor(lookbackOf(this.#terms) + this.#terms.minuteMs)) return Number.POSITIVE_INFINITY
    await this.#silence()
    return this.#round()
  }

  #silence(): Promise<void> {
    return this.#machine.wait(lookbackOf(this.#terms) + SLACK_MS)
  }

  /** @returns how many requests were admitted before the first refusal, at least; all where none was refused */
  async #round(): Promise<number> {
    const before = this.log.length
    await this.#burst()
    const admitted = this.log.slice(before).filter(isCarriedOut).length
    const refusal = this.log.slice(before).findLast(isRefused)
    if (refusal === undefined) return Number.POSITIVE_INFINITY
    await this.#besides()
    // Refused at once after the silence: whether it stays so shows only after another.
    if (before > 0 && admitted === 0) {
      if (isDoubtful(this.log, this.#terms)) await this.#waitItOut(before)
      return admitted
    }
    await this.#meetEarlierEnd(before)
    const [session] = this.#known
    if (session !== undefined) await this.#isLimited('rate-gets-free', () => this.#get(session))
    const create = this.workspace.freshKey()
    // Where the cap is small, a repeated create is let in that opens nothing.
    const refused = await this.#isLimited('rate-creates-free', (index) =>
      this.#create(index % 2 === 0 ? create : this.workspace.freshKey()),
    )
    // One that never comes again: what it made all the same has no key under which it could be taken for another's.
    if (refused) await this.#create(this.workspace.freshKey())
    await this.#waitItOut(before, create)
    if (refused) await this.#retry(create)
    await this.workspace.cleanUp()
    return admitted
  }

  /**
   * "All REST calls" (section 8): Get and creates are refused, too, while List is. One that is admitted may have come just when
   * the limit gave back a request; many at once, with all Lists refused that are sent among them, have not. What is refused
   * with another code may have been looked at before the limit, and says nothing.
   * @param ask sends one, the so many-th, and returns the code of its answer
   */
  async #isLimited(law: keyof typeof named, ask: (index: number) => Promise<string>): Promise<boolean> {
    let code = await ask(0)
    for (let tries = 0; tries < MORE_TRIES && code !== '0' && code !== RATE_LIMITED; tries += 1) code = await ask(0)
    if (code === RATE_LIMITED) {
      this.rulings.push(held(law))
      return true
    }
    if (code !== '0' || !isRefused(await this.#send())) return false
    const since = this.#machine.now()
    const all = await Promise.all(
      Array.from({ length: AT_ONCE }, (_, index) => Promise.all([ask(index), this.#send()] as const)),
    )
    const given = ((this.#machine.now() - since) / this.#terms.minuteMs) * this.#terms.limit
    const made = all.filter(([one]) => one === '0').length
    const isFree = all.every(([one, list]) => one !== RATE_LIMITED && isRefused(list)) && made > FREE + 2 * given
    if (!isFree || !isRefused(await this.#send())) return false
    this.#free[law] += 1
    if (this.#free[law] === CONVICTIONS)
      this.rulings.push(broken(law, `${made} ${named[law]} were let in while List was refused, twice`))
    return false
  }

  async #get(session: Opened): Promise<string> {
    const { code } = await this.#machine.request({ ...sessionRequest('get-avatar-session', session), method: 'GET' })
    return code
  }

  async #create(idempotencyKey: string): Promise<string> {
    return (await this.workspace.tryCreate(idempotencyKey)).code
  }

  /**
   * Sends until nothing is admitted any more, or until nothing more can be said against a limit of that size: a limiter that
   * begins anew with a refusal admits the next.
   */
  async #burst(): Promise<void> {
    let left = 2 * this.#terms.limit + 2 + WIDTH
    let refusedInRow = 0
    const sendSome = async (): Promise<void> => {
      while (left > 0 && refusedInRow < WIDTH) {
        left -= 1
        refusedInRow = isRefused(await this.#send()) ? refusedInRow + 1 : 0
      }
    }
    await Promise.all(Array.from({ length: WIDTH }, sendSome))
  }

  async #send(): Promise<RateRequest> {
    return { key: this.#machine.key.name, answer: await this.#machine.request(listRequest) }
  }

  /** A second key, twice, while the first is refused. */
  async #besides(): Promise<void> {
    if (this.#other === undefined) return
    const { name } = this.#other
    const ask = async (): Promise<RateRequest> => ({
      key: name,
      answer: await this.#machine.request({ ...listRequest, key: name }),
    })
    this.beside.push(await Promise.all([ask(), ask()]))
  }

  /**
   * Asks one by one, since what is told to one that came alone has to hold, until one is told to come back sooner than those
   * before it. Whoever is told so comes back at once.
   */
  async #meetEarlierEnd(from: number): Promise<void> {
    for (let asked = 0; asked < ASKED_ALONE; asked += 1) {
      const refused = this.#sureLog.slice(from).filter(isRefused)
      const end = Math.max(0, ...refused.map((one) => endOf(one) ?? 0))
      const one = await this.#send()
      if (!isRefused(one)) return
      const sooner = endOf(one)
      if (sooner === undefined || sooner > end - EARLIER_MS) continue
      await this.#machine.wait(Math.max(0, sooner - this.#machine.now()) + SLACK_MS)
      for (let tries = 0; tries < TRIES; tries += 1) if (!isRefused(await this.#send())) return
      return
    }
  }

  async #waitItOut(from: number, create?: string): Promise<void> {
    const [session] = this.#known
    const { announcedMs, recoveredMs } = await waitOut({
      machine: this.#machine,
      terms: this.#terms,
      log: () => this.#sureLog.slice(from),
      again: {
        [listRequest.operation]: async () => (await this.#send()).answer.code,
        ...(session === undefined ? {} : { 'get-avatar-session': () => this.#get(session) }),
        ...(create === undefined ? {} : { 'create-avatar-session': () => this.#create(create) }),
      },
      hasTimeFor: (ms) => this.#hasTimeFor(ms),
    })
    if (announcedMs !== undefined) this.announcedMs.push(announcedMs)
    if (recoveredMs !== undefined) this.recoveredMs.push(recoveredMs)
  }

  /** A create that was refused for the rate, with the same idempotency key: section 7 says to retry with it. */
  async #retry(create: string): Promise<void> {
    const { workspace } = this
    if (await this.#isServed(create)) {
      this.rulings.push(held('limited-key-stuck'))
      return
    }
    const servesFresh = await this.#isServed(workspace.freshKey())
    // Its session may have the only place.
    await workspace.cleanUp()
    if (servesFresh === true && (await this.#isServed(create)) === false)
      this.rulings.push(broken('limited-key-stuck', 'the key stayed refused while a fresh key was served'))
  }

  /**
   * A few tries, each after the wait that was announced: more would take minutes each.
   * @returns undefined where something else stood in its way, such as a lack of capacity: what is told of that is looked at anew
   */
  async #isServed(create: string): Promise<boolean | undefined> {
    // As it was when the wait was over: its session may have ended by itself since, and its key be given another.
    if (this.workspace.triesOf(create).some(({ outcome }) => outcome === 'made')) return true
    let refused = 0
    for (let tries = 1; tries <= MOST_TRIES; tries += 1) {
      const answer = await this.workspace.tryCreate(create)
      const refusal = refusalOf(answer)
      if (refusal === undefined) return true
      const speaks = refusal === 'rate' || refusal === 'final' || refusal === 'request'
      refused += speaks ? 1 : 0
      if (refused === TRIES) return refused === tries ? false : undefined
      // The last one is this answer: its create went through the log.
      const last = this.#sureLog.at(-1)
      const told = last === undefined ? undefined : waitOf(last)
      const asked = refusal === 'rate' ? (told ?? this.#terms.minuteMs) : SLACK_MS
      if (asked > LONGEST_MINUTES * this.#terms.minuteMs) return false
      const wait = speaks || refusal === 'concurrency' ? asked + SLACK_MS : waitAfter(this.#machine, answer, tries)
      if (wait === undefined || !this.#hasTimeFor(wait)) return undefined
      await this.#machine.wait(wait)
    }
    return undefined
  }
}
