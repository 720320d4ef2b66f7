import { objectOf, type RestAnswer, succeeded } from '../../core/envelope.ts'
import { broken, held, type Law, type Ruling } from '../../core/limits/laws.ts'
import { isCalledWrong, refusalOf } from '../../core/refusal.ts'
import { onKey, type RestMachine } from './rest-machine.ts'
import { CLOSED_MS, LAG_MS } from './workspace.ts'
import { GONE, WorldNeighbour } from './world-neighbour.ts'
import { madeBy, WorldRequests } from './world-requests.ts'

/** How long a session may be `provisioning`; what comes later is late and not judged. */
const PROVISIONING_MS = 20_000

const PAUSE_MS = 500

/** The key has no access to the model (section 7). */
const DENIED = '10009'

/** What became of a session before we closed it; `ended`: it was over; `ended-beside`: as soon as another one was closed. */
type WorldFate = 'active' | 'failed' | 'ended' | 'ended-beside' | 'not-active'

export interface WorldTimes {
  active(ms: number): void
  closed(ms: number): void
  secret(ms: number): void
}

/** One world session from its create to its close, and another one beside it for a while. */
export class WorldVisit {
  readonly #rulings: Ruling[] = []
  readonly #machine: RestMachine
  readonly #times: WorldTimes
  readonly #requests: WorldRequests
  /** Answers with its secrets. */
  readonly #given: RestAnswer[] = []
  readonly #neighbour: WorldNeighbour
  /** Whether a create came to no answer: then it may be in progress, which any code may tell. */
  #undecided = false

  constructor(machine: RestMachine, times: WorldTimes) {
    this.#machine = onKey(machine, machine.key, (_, answer, operation) => {
      const refusal = operation === 'create-world-session' ? refusalOf(answer) : undefined
      this.#undecided ||= refusal === 'network' || refusal === 'server'
    })
    this.#times = times
    this.#requests = new WorldRequests(this.#machine, 'w')
    this.#neighbour = new WorldNeighbour(onKey(machine, machine.key))
  }

  get rulings(): readonly Ruling[] {
    return [...this.#requests.rulings, ...this.#neighbour.rulings, ...this.#rulings]
  }

  async run(): Promise<WorldFate | 'refused' | 'unserved' | 'called-wrong' | 'denied'> {
    // At once, as when a client retries before the first answer came; whichever is told of the session first.
    const [first, beside] = await Promise.all([this.#requests.create(), this.#requests.create()])
    let created = madeBy(first) === undefined ? beside : first
    if ([first, beside].every((answer) => refusalOf(answer) === 'request')) {
      await this.#machine.wait(LAG_MS)
      created = await this.#requests.create()
    }
    const id = madeBy(created)
    if (id === undefined && !this.#undecided && [first, beside, created].every(isCalledWrong)) return 'called-wrong'
    if (id === undefined && [first, beside, created].every(({ code }) => code === DENIED)) return 'denied'
    if (id === undefined) return refusalOf(created) === 'server' ? 'unserved' : 'refused'
    this.#requests.id = id
    try {
      await this.#neighbour.open(id)
      if (created === first) await this.#compare('world-duplicate-in-flight', beside)
      await this.#compare('world-duplicate', await this.#requests.create())
      const status = await this.#awaitActive(created)
      return status === 'active' ? await this.#use(created) : status
    } finally {
      await this.#neighbour.close()
      await this.#close()
    }
  }

  /** Of a session that is active. */
  async #use(created: RestAnswer): Promise<WorldFate> {
    const isAlone = !(await this.#neighbour.isActive())
    const [isThere] = await Promise.all([
      this.#takeSecrets(created),
      isAlone ? undefined : this.#neighbour.takeSecrets(),
    ])
    if (!isThere) return 'ended'
    this.#neighbour.compareSecrets(this.#given)
    if (!(await this.#neighbour.close())) return 'active'
    const { code, data } = await this.#requests.get()
    return isOver(code, data['status']) ? 'ended-beside' : 'active'
  }

  /** What another create with the same key and body was told. */
  async #compare(law: Law, answer: RestAnswer): Promise<void> {
    const id = madeBy(answer)
    if (id === undefined) return
    if (id === this.#requests.id) {
      this.#rulings.push(held(law))
      return
    }
    const { status } = (await this.#requests.get()).data
    // The key of a session that has ended by itself may stand for another.
    const open = status === 'active' || status === 'provisioning'
    if (open) this.#rulings.push(broken(law, 'one idempotency key was given two sessions'))
    const other = new WorldRequests(this.#machine, 'w')
    other.id = id
    await other.close('x')
  }

  async #awaitActive(created: RestAnswer): Promise<WorldFate> {
    const until = this.#machine.now() + PROVISIONING_MS
    let { code, data } = await this.#requests.get()
    while (data['status'] === 'provisioning' && this.#machine.now() < until) {
      await this.#machine.wait(PAUSE_MS)
      ;({ code, data } = await this.#requests.get())
    }
    const { status } = data
    if (status === 'active') this.#times.active(this.#machine.now() - created.sentAt)
    if (isOver(code, status)) return 'ended'
    return status === 'active' || status === 'failed' ? status : 'not-active'
  }

  /** @returns whether the session was there */
  async #takeSecrets(created: RestAnswer): Promise<boolean> {
    let answer = await this.#requests.takeSecrets('k')
    if (isRefused(answer) || missingIn(answer).length > 0) {
      if (!(await this.#isStillActive())) return false
      answer = await this.#requests.takeSecrets('k2')
      if ((isRefused(answer) || missingIn(answer).length > 0) && !(await this.#isStillActive())) return false
    }
    if (isRefused(answer)) this.#rulings.push(broken('world-secret-refused', `${answer.code}, twice`))
    if (!succeeded(answer)) return true
    this.#given.push(created, answer)
    const missing = missingIn(answer)
    for (const [descriptor, law] of secretLaws)
      this.#rulings.push(missing.includes(descriptor) ? broken(law, 'none, twice') : held(law))
    this.#rulings.push(held('world-secret-refused'))
    this.#times.secret(answer.ms)
    this.#compareSecrets('world-secret-stale', 'control', created, answer)
    this.#compareSecrets('world-media-secret-stale', 'media', created, answer)
    return true
  }

  /** Whether the session was there a moment ago: Get may be behind. */
  async #isStillActive(): Promise<boolean> {
    await this.#machine.wait(LAG_MS)
    const { code, data } = await this.#requests.get()
    return code === '0' && data['status'] === 'active'
  }

  #compareSecrets(law: Law, descriptor: 'control' | 'media', before: RestAnswer, after: RestAnswer): void {
    const [old, fresh] = [before, after].map(({ data }) => objectOf(data[descriptor])['client_secret'])
    if (typeof fresh !== 'string' || typeof old !== 'string') return
    this.#rulings.push(fresh === old ? broken(law, 'the same secret again') : held(law))
  }

  async #close(): Promise<void> {
    let answer = await this.#requests.close('x')
    if (isRefused(answer) && (await this.#isStillActive())) {
      answer = await this.#requests.close('x2')
      if (isRefused(answer) && (await this.#isStillActive()))
        this.#rulings.push(broken('world-close-refused', `${answer.code}, twice`))
    }
    const { answeredAt, code } = answer
    if (code !== '0' && code !== GONE) return
    this.#rulings.push(held('world-close-refused'))
    const until = this.#machine.now() + 2 * CLOSED_MS
    let closed = await this.#isClosed()
    while (closed === false && this.#machine.now() < until) {
      await this.#machine.wait(PAUSE_MS)
      closed = await this.#isClosed()
    }
    if (closed === undefined) return
    if (closed) this.#times.closed(this.#machine.now() - answeredAt)
    this.#rulings.push(closed ? held('world-not-closed') : broken('world-not-closed', 'still not closed after 40 s'))
  }

  /** @returns undefined where it can't be told */
  async #isClosed(): Promise<boolean | undefined> {
    const { code, data } = await this.#requests.get()
    if (code === GONE) return true
    const { status } = data
    // What comes of a session that fails as it closes is left open (3.2).
    return typeof status === 'string' && status !== 'failed' && code === '0' ? status === 'closed' : undefined
  }
}

const isOver = (code: string, status: unknown): boolean => code === GONE || status === 'closing' || status === 'closed'

/** Whether the service itself says no, for another reason than our key and our account, or that it is not its time. */
function isRefused({ code, status, data }: RestAnswer): boolean {
  const refusal = refusalOf({ code, status, data })
  return refusal === 'request' || (refusal === 'final' && /^[2-9]\d+$/.test(code))
}

const secretLaws = [
  ['control', 'world-secret-missing'],
  ['media', 'world-media-secret-missing'],
] as const

/** The descriptors of fresh secrets that have none. */
function missingIn(answer: RestAnswer): string[] {
  if (!succeeded(answer)) return []
  const hasNone = (secret: unknown): boolean => typeof secret !== 'string' || secret === ''
  return secretLaws.flatMap(([name]) => (hasNone(objectOf(answer.data[name])['client_secret']) ? [name] : []))
}
