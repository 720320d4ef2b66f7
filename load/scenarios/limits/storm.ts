import { backOff } from '../../core/retry.ts'
import { type CreateTry, type StuckKey } from '../../core/limits/duplicate-oracle.ts'
import type { Ruling } from '../../core/limits/laws.ts'
import { countPlaces, judgeAsManyAsBefore } from './as-many-as-before.ts'
import { judgeFullForNobody } from './full-for-nobody.ts'
import type { RestMachine } from './rest-machine.ts'
import { madeUnheard } from './strays.ts'
import { type ReceivedEvent, CLOSED_MS, GRACE_MS, Workspace } from './workspace.ts'

/** Over how long the clients come. */
const SPREAD_MS = 1_000

/** A create that is given up is so after this at the latest: sooner than most are carried out. */
const HASTE_MS = 60

/** How many creates are given up one by one, and after how many that were seen to be carried out it is enough. */
const GIVE_UPS = 8
const CARRIED_OUT = 2

/** How many creates are raced and repeated one by one: a mistake with every eighth key shows there in any case. */
const REPEATED = 8

/** A client that waited this long for an answer asks once more: a key is remembered at least as long. */
const LATE_MS = 4_000

/** Where there are no more places than this, none is kept from the clients. */
const FEW = 3

/** How often a key comes at last. */
const MANY_TIMES = 6

/** For how many of them other keys are sent that are almost the same. */
const ALMOST_ALIKE = 1

/** How many keys are looked at that went without a session for the same reason, and how often each. */
const LOOKS = 2
const ROUNDS = 3

/** How a client whose create found no place comes back: until it gets one. */
const patience = { attempts: 12, first_ms: 400, cap_ms: 5_000, longest_ms: 90_000 }

/** How clients retry: after an answer, at the same time, or because they did not wait for one. */
const manners = ['again', 'twice-at-once', 'impatient'] as const

/** Many clients that create sessions at once, and retry with their idempotency keys whatever comes. */
export class Storm {
  readonly workspace: Workspace
  readonly stuck: StuckKey[] = []
  readonly rulings: Ruling[] = []
  /** Keys that got no session and were not looked at, in the order of their clients. */
  #failed: readonly string[] = []
  /** How many keys were looked at, by what went wrong with them. */
  readonly #looked = new Map<StuckKey['law'], number>()
  readonly #machine: RestMachine
  readonly #clients: number

  constructor(machine: RestMachine, clients: number) {
    this.#machine = machine
    this.workspace = new Workspace(machine)
    this.#clients = clients
  }

  async run(): Promise<void> {
    const places = await countPlaces(this.workspace)
    const kept = places > FEW ? await this.#openOne() : undefined
    const clients = Promise.all(Array.from({ length: this.#clients }, (_, index) => this.#client(index)))
    await this.#machine.wait(2 * SPREAD_MS)
    // How lists are written is learned while some are open.
    await this.workspace.list()
    await clients
    // At once, since what follows takes long with a service in which keys stick, and the storm has to end.
    await this.#lookAtFailed()
    await this.#repeatOneByOne()
    if (kept !== undefined) await this.#repeatOldest(kept)
    await this.#createAtOnce(Math.min(places, REPEATED))
    await this.#giveUpOneByOne()
    await this.#lookAtFailed()
    this.stuck.push(...this.#served())
    if (this.rulings.length === 0) this.rulings.push(...(await judgeAsManyAsBefore(this.workspace, places)))
  }

  /** @returns the key of a session that stays open until the storm is over */
  async #openOne(): Promise<string | undefined> {
    const key = this.workspace.freshKey()
    return (await this.workspace.create(key)) === 'opened' ? key : undefined
  }

  /** A key is known however many others came since, and however often it comes. */
  async #repeatOldest(key: string): Promise<void> {
    const ids = new Set(this.workspace.triesOf(key).map(({ sessionId }) => sessionId))
    await this.workspace.findEnded(this.workspace.open.filter(({ id }) => ids.has(id)))
    for (let times = 0; times < MANY_TIMES; times += 1) await this.workspace.tryCreate(key)
    await this.#closeOf(key)
  }

  /** Keys that come at the same moment are told apart as well. */
  async #createAtOnce(count: number): Promise<void> {
    const keys = Array.from({ length: count }, () => this.workspace.freshKey())
    await Promise.all(keys.map((key) => this.workspace.create(key)))
    for (const key of keys) await this.#closeOf(key)
  }

  async #client(index: number): Promise<void> {
    const { workspace } = this
    await this.#machine.wait(this.#machine.random() * SPREAD_MS)
    const key = workspace.freshKey()
    const received = await this.#retryTransient(key, manners[index % manners.length] ?? 'again')
    if (received !== 'opened') {
      this.#fail(key)
      return
    }
    for (let tries = 0; tries < index % 3; tries += 1) await workspace.tryCreate(key)
    await this.#machine.wait(this.#machine.random() * SPREAD_MS)
    await this.#closeOf(key)
  }

  /** Comes back until there is a place. */
  async #retryTransient(key: string, manner: (typeof manners)[number]): Promise<ReceivedEvent> {
    const { workspace } = this
    for (let attempts = 1; ; attempts += 1) {
      if (manner === 'impatient') await this.#giveUp(key)
      const both = manner === 'twice-at-once' ? [workspace.tryCreate(key)] : []
      const [received] = await Promise.all([workspace.create(key), ...both])
      if (received !== 'full' || attempts === patience.attempts || workspace.ends.over) return received
      await this.#machine.wait(backOff(patience, attempts, this.#machine.random()))
    }
  }

  /** A create whose answer is not waited for; the service may carry it out before it is sent again. */
  async #giveUp(key: string): Promise<void> {
    await this.workspace.tryCreate(key, { timeout_ms: 1 + this.#machine.random() * HASTE_MS })
    await this.#machine.wait(this.#machine.random() * SPREAD_MS)
  }

  /** Few clients race by chance, and fewer meet a mistake that shows now and then. */
  async #repeatOneByOne(): Promise<void> {
    const { workspace } = this
    for (let times = 0; times < REPEATED && !workspace.ends.over; times += 1) {
      const key = workspace.freshKey()
      const received = await this.#retryTransient(key, 'twice-at-once')
      if (received === 'opened') await workspace.tryCreate(key)
      else this.#fail(key)
      if (received === 'opened' && times < ALMOST_ALIKE) await this.#askLate(key)
      if (received === 'opened' && times < ALMOST_ALIKE) await this.#sendAlmostAlike(key)
      await this.#closeOf(key)
      if (received === 'full') return
    }
  }

  /** Retries "after 429, 5xx or timeout" (4.1) come seconds later. */
  async #askLate(key: string): Promise<void> {
    await this.#machine.wait(LATE_MS)
    await this.workspace.tryCreate(key)
  }

  /** Two keys that differ from a third one, and from each other only by the case of a letter, while its session is open. */
  async #sendAlmostAlike(key: string): Promise<void> {
    for (const other of [`${key}-a`, `${key}-A`]) await this.workspace.create(other)
    for (const other of [`${key}-a`, `${key}-A`]) await this.#closeOf(other)
  }

  /**
   * Whether what is given up in the crowd arrives in time to be carried out is chance: on a busy machine, none may. So
   * some more are given up with nobody else about, in the middle of the time that one has just taken, until List Sessions
   * has shown what became of enough of them. Each is sent again with its key.
   */
  async #giveUpOneByOne(): Promise<void> {
    const { workspace } = this
    let carriedOut = 0
    for (let tries = 0; tries < GIVE_UPS && carriedOut < CARRIED_OUT && !workspace.ends.over; tries += 1) {
      const took = await this.#timeOne()
      if (took === undefined) return
      const before = await workspace.list()
      const key = workspace.freshKey()
      await workspace.tryCreate(key, { timeout_ms: Math.max(1, took * (0.3 + 0.6 * this.#machine.random())) })
      await this.#machine.wait(took)
      if (await madeUnheard(workspace, key, before)) carriedOut += 1
      if ((await this.#retryTransient(key, 'again')) === 'opened') await this.#closeOf(key)
      else this.#fail(key)
    }
  }

  /** @returns how long a create takes that is waited for; undefined where there is no place for it */
  async #timeOne(): Promise<number | undefined> {
    const key = this.workspace.freshKey()
    if ((await this.#retryTransient(key, 'again')) !== 'opened') {
      this.#fail(key)
      return undefined
    }
    await this.#closeOf(key)
    const made = this.workspace.triesOf(key).findLast(({ outcome }) => outcome === 'made')
    return made === undefined ? undefined : made.answeredAt - made.sentAt
  }

  /** Sessions that the key was given: more than one is a duplicate, and all of them have to be closed. */
  async #closeOf(key: string): Promise<void> {
    const ids = new Set(this.workspace.triesOf(key).map(({ sessionId }) => sessionId))
    const sessions = this.workspace.open.filter(({ id }) => ids.has(id))
    // Of two sessions, one may be the successor of one that has ended by itself: that is looked at before they are closed.
    if (sessions.length > 1) await this.workspace.findEnded(sessions)
    await Promise.all(sessions.map((session) => this.workspace.close(session)))
  }

  /** With all places free again: is it the key that is refused, or is everybody? */
  async #lookAtFailed(): Promise<void> {
    const failed = this.#failed
    this.#failed = []
    for (const key of failed) {
      const law = this.#lawOf(key)
      const times = this.#looked.get(law ?? 'lost-key-stuck') ?? 0
      if (law === undefined || times === LOOKS || this.workspace.ends.over) continue
      this.#looked.set(law, times + 1)
      const seen = await this.#look(key)
      this.stuck.push({ law, ...seen })
      if (seen.othersServed || this.workspace.refusals.at(-1)?.code !== '30006') continue
      this.rulings.push(...(await judgeFullForNobody(this.workspace)))
      break
    }
  }

  #fail(key: string): void {
    this.#failed = [...this.#failed, key]
  }

  async #look(key: string): Promise<Omit<StuckKey, 'law'>> {
    for (let round = 0; round < ROUNDS; round += 1) {
      await this.#awaitPlaces()
      if ((await this.workspace.create(key)) === 'opened') {
        await this.#closeOf(key)
        return { served: true, othersServed: true }
      }
      if (this.workspace.ends.over || !(await this.#serveFresh())) return { served: false, othersServed: false }
    }
    return { served: false, othersServed: true }
  }

  /** Until all that was closed has given its place back. */
  async #awaitPlaces(): Promise<void> {
    const { workspace } = this
    const { closing } = workspace
    await Promise.all(closing.map((session) => workspace.awaitClosed(session, CLOSED_MS)))
    if (closing.length > 0) await this.#machine.wait(GRACE_MS)
  }

  /** Whether a fresh key is given a session; what fails at times gets a few chances. */
  async #serveFresh(): Promise<boolean> {
    for (let tries = 0; tries < 4; tries += 1) {
      const fresh = this.workspace.freshKey()
      const received = await this.workspace.create(fresh)
      await this.#closeOf(fresh)
      if (received === 'opened') return true
    }
    return false
  }

  /** Keys that failed at first and got their session in the end. */
  #served(): StuckKey[] {
    const served = new Set<StuckKey['law']>()
    for (const { idempotencyKey, outcome } of this.workspace.tries) {
      const law = outcome === 'made' ? this.#lawOf(idempotencyKey) : undefined
      if (law !== undefined) served.add(law)
    }
    return [...served].map((law) => ({ law, served: true, othersServed: true }))
  }

  /** By what went wrong last with a key, and may have stuck to it. */
  #lawOf(key: string): StuckKey['law'] | undefined {
    const laws = this.workspace
      .triesOf(key)
      .map(({ outcome, code = '' }) => (outcome === 'throttled' ? stuckByCode[code] : undefined) ?? stuckLaws[outcome])
    return laws.findLast((law) => law !== undefined)
  }
}

const stuckLaws: { readonly [outcome in CreateTry['outcome']]?: StuckKey['law'] } = {
  throttled: 'refused-key-stuck',
  failed: 'failed-key-stuck',
  lost: 'lost-key-stuck',
}

const stuckByCode: { readonly [code: string]: StuckKey['law'] } = {
  10008: 'limited-key-stuck',
  30008: 'capacity-key-stuck',
}
