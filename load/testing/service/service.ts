import { ENDS_SOON, SOON_S } from '../../scenarios/limits/avatar-requests.ts'
import { freshLimiter, type LimiterState } from './limiters.ts'
import { markOf, operationOf, outlasts, type ServiceRequest } from './request.ts'
import { FAILURE, outageReply, refused, type ScriptedReply, type ServiceReply, succeeded } from './replies.ts'
import { type ChannelUse, type Refusal, type ServiceRules, type SimulatedSession, workspaceOf } from './rules.ts'

/** Time and chance, real or simulated. */
export interface Surroundings {
  now(): number
  wait(ms: number): Promise<void>
  random(): number
}

/** What an idempotency key stands for. */
interface Remembered {
  outcome: Promise<Outcome>
  tries: number
  underWay?: boolean
  made?: SimulatedSession
}

type Outcome = { readonly session: SimulatedSession; readonly unheard?: boolean } | { readonly refusal: Refusal }

/**
 * The avatar sessions of the interface, as far as limits go: create, get, close and list, with the limits of section 8. It
 * runs on any clock, so that hundreds of hours of traffic pass in a test, and k6 can meet the same service over HTTP.
 */
export class SimulatedService {
  readonly sessions = new Map<string, SimulatedSession>()
  /** Every request that bore a known key. */
  requests = 0
  readonly #rules: ServiceRules
  readonly #world: Surroundings
  readonly #limiters = new Map<string, LimiterState>()
  readonly #keys = new Map<string, Remembered>()
  /** Places taken beside those of sessions: by creates under way, and by what mistakes leave behind. */
  readonly #taken = new Map<string, number>()
  #creates = 0
  #closes = 0

  constructor(rules: ServiceRules, world: Surroundings) {
    this.#rules = rules
    this.#world = world
  }

  /** An upgrade to the control channel of a session. @returns what is done there then; undefined where it is refused */
  connect(id: string, secret: string): ChannelUse | undefined {
    const session = this.sessions.get(id)
    if (session === undefined) return undefined
    const letIn = secret === secretOf(id) && session.closeAskedAt === undefined
    if (letIn) session.used.connected += 1
    else session.used.refused += 1
    return letIn ? session.used : undefined
  }

  /** Sessions that nobody has closed. */
  open(): number {
    return [...this.sessions.values()].filter(({ closeAskedAt }) => closeAskedAt === undefined).length
  }

  async handle(request: ServiceRequest): Promise<ServiceReply> {
    const { travelMs, outage, losesAnswer } = this.#rules
    await this.#world.wait(travelMs(this.#world.random))
    const away = outage(this.#world.now())
    const carriedOut = away === undefined ? await this.#answer(request) : outageReply(away)
    const reply = losesAnswer(this.#world.random) ? outageReply('reset') : carriedOut
    const date = new Date(this.#rules.clock(this.#world.now())).toUTCString()
    await this.#world.wait(travelMs(this.#world.random))
    return { ...reply, date }
  }

  async #answer(request: ServiceRequest): Promise<ScriptedReply> {
    const { key } = request
    if (key === undefined) return refused({ code: 10003, status: 401 })
    this.requests += 1
    const operation = operationOf(request)
    const limited = this.#limit(key, operation)
    if (limited !== undefined) {
      if (operation === 'create') this.#leaveBehind(key, request.body ?? {}, limited)
      return refused(limited)
    }
    const id = decodeURIComponent(request.path.split('/')[4] ?? '')
    if (operation === 'create') return this.#create(key, request.body ?? {}, request)
    if (operation === 'list') return succeeded({ sessions: this.#list(key) })
    const session = this.sessions.get(id)
    if (operation === 'unknown' || session === undefined || !this.#sameWorkspace(session.key, key))
      return refused({ code: 20005, status: 404 })
    if (operation === 'close') return this.#close(session)
    return succeeded(this.#view(asOf(session, this.#world.now() - this.#rules.getLagMs)))
  }

  #limit(key: string, operation: string): Refusal | undefined {
    const { rateCounts, rateScope, limiter, perMinute, minuteMs, rateRefusal, retryAfter } = this.#rules
    if (!rateCounts(operation)) return undefined
    const scope = rateScope(key)
    const state = this.#limiters.get(scope) ?? freshLimiter()
    this.#limiters.set(scope, state)
    const now = this.#world.now()
    const wait = limiter(state, perMinute(key), now, minuteMs)
    return wait <= 0 ? undefined : { ...rateRefusal, retryAfter: retryAfter(wait, this.#rules.clock(now), operation) }
  }

  /** What a create that was refused for the rate leaves behind: nothing, but for mistakes. */
  #leaveBehind(key: string, body: NonNullable<ServiceRequest['body']>, refusal: Refusal): void {
    const { rateActsAnyway, rateSticks, keyScope } = this.#rules
    const scope = keyScope(key, String(body['idempotency_key']))
    const make = (): SimulatedSession => this.#make(key, markOf(body), true)
    if (rateActsAnyway === true) make()
    if (scope === undefined) return
    if (rateActsAnyway === 'under its key' && !this.#keys.has(scope))
      this.#keys.set(scope, { outcome: Promise.resolve({ session: make() }), tries: 1 })
    if (rateSticks) this.#keys.set(scope, { outcome: Promise.resolve({ refusal }), tries: 1 })
  }

  async #create(
    key: string,
    body: NonNullable<ServiceRequest['body']>,
    request: ServiceRequest,
  ): Promise<ScriptedReply> {
    const name = typeof body['idempotency_key'] === 'string' ? body['idempotency_key'] : undefined
    const scope = name === undefined ? undefined : this.#rules.keyScope(key, name)
    if (!Array.isArray(body['avatars']) || outlasts(body, this.#rules.durations)) {
      const refusal = { code: 30004, status: 400 }
      if (scope !== undefined && this.#rules.remembers('refused', refusal.code, 1))
        this.#keys.set(scope, { outcome: Promise.resolve({ refusal }), tries: 1 })
      return this.#refuseCreate(key, refusal)
    }
    const known = scope === undefined ? undefined : this.#keys.get(scope)
    if (known !== undefined && !(this.#rules.keysEndWithSession && known.made?.endedItself === true)) {
      known.tries += 1
      const { remembers, conflict, repeatNeedsPlace, capRefusal } = this.#rules
      if (remembers('made', 0, known.tries)) {
        if (known.underWay === true && conflict !== undefined) return refused(conflict)
        if (repeatNeedsPlace && known.underWay !== true && !this.#hasPlace(key)) return refused(capRefusal)
        this.#take(key, this.#rules.takenByRepeat)
        if (this.#rules.repeatMakesAnother) this.#make(key, markOf(body), true)
        return this.#tell(await known.outcome)
      }
    }
    const outcome = this.#carryOut(key, markOf(body))
    if (scope !== undefined) this.#remember(scope, outcome)
    const received = await outcome
    if (request.abandoned()) this.#take(key, this.#rules.takenByAbandoned)
    if (scope !== undefined && request.abandoned()) this.#leaveAbandoned(scope)
    // The answer is lost inside the service: what was made is there.
    return 'session' in received && received.unheard === true ? refused(FAILURE) : this.#tell(received)
  }

  #leaveAbandoned(scope: string): void {
    const { abandoned } = this.#rules
    if (abandoned === 'forgotten') this.#keys.delete(scope)
    const refusal = { code: 30004, status: 400 }
    if (abandoned === 'refused') this.#keys.set(scope, { outcome: Promise.resolve({ refusal }), tries: 1 })
  }

  #remember(scope: string, outcome: Promise<Outcome>): void {
    const record: Remembered = { outcome, tries: 1, underWay: true }
    if (this.#rules.joinsInFlight) this.#keys.set(scope, record)
    void this.#settle(scope, record)
  }

  async #settle(scope: string, record: Remembered): Promise<void> {
    const outcome = await record.outcome
    record.underWay = false
    if ('session' in outcome) record.made = outcome.session
    const { remembers, keepsMade } = this.#rules
    const code = 'refusal' in outcome ? outcome.refusal.code : 0
    const kind = 'session' in outcome ? 'made' : code === FAILURE.code ? 'failed' : 'refused'
    const lost = 'session' in outcome && outcome.unheard === true && !keepsMade
    if (remembers(kind, code, 1) && !lost) this.#keys.set(scope, record)
    else if (this.#keys.get(scope) === record) this.#keys.delete(scope)
    const { rememberedMs } = this.#rules
    if (!Number.isFinite(rememberedMs)) return
    await this.#world.wait(rememberedMs)
    if (this.#keys.get(scope) === record) this.#keys.delete(scope)
  }

  /** The decision is made in one turn, so that no other create slips between. */
  async #carryOut(key: string, mark: string): Promise<Outcome> {
    this.#creates += 1
    const { capacity, capRefusal, capActsAnyway, fault, allocationMs, countsInFlight } = this.#rules
    const crowded = capacity(this.#creates, this.#world.now())
    if (crowded !== undefined) return this.#refuse(key, crowded)
    if (!this.#hasPlace(key)) {
      if (capActsAnyway) this.#make(key, mark, true)
      return this.#refuse(key, capRefusal)
    }
    const internalError = fault(this.#creates)
    if (countsInFlight) this.#take(key, 1)
    await this.#world.wait(allocationMs)
    if (countsInFlight) this.#take(key, -1)
    if (internalError === 'before') return this.#refuse(key, FAILURE)
    const session = this.#make(key, mark, false)
    return { session, unheard: internalError === 'after' }
  }

  #refuse(key: string, refusal: Refusal): Outcome {
    this.#take(key, this.#rules.takenByRefusal(refusal.code))
    return { refusal }
  }

  #refuseCreate(key: string, refusal: Refusal): ScriptedReply {
    this.#refuse(key, refusal)
    return refused(refusal)
  }

  #hasPlace(key: string): boolean {
    const { capScope, holds, admits, cap } = this.#rules
    const scope = capScope(key)
    const now = this.#world.now()
    const sessions = [...this.sessions.values()].filter((one) => capScope(one.key) === scope && holds(one, now, key))
    return admits(sessions.length + (this.#taken.get(scope) ?? 0), cap)
  }

  #take(key: string, places: number): void {
    const scope = this.#rules.capScope(key)
    this.#taken.set(scope, (this.#taken.get(scope) ?? 0) + places)
  }

  #make(key: string, mark: string, beside: boolean): SimulatedSession {
    const id = `ses_${this.sessions.size + 1}`
    const createdAt = this.#world.now()
    const used = { connected: 0, connectedAtClose: false, hungUp: 0, refused: 0, responses: 0 }
    const session: SimulatedSession = {
      id,
      key,
      mark,
      createdAt,
      beside,
      used,
      closeAskedAt: undefined,
      closedAt: undefined,
      endedItself: false,
      closeHeard: false,
    }
    this.sessions.set(id, session)
    void this.#endLater(session)
    return session
  }

  /** "The service may also close a session" (3.1). */
  async #endLater(session: SimulatedSession): Promise<void> {
    const soon = session.mark.endsWith(ENDS_SOON) ? SOON_S * 1_000 : undefined
    const lifetimeMs = this.#rules.lifetimeMs(this.#world.random) ?? soon
    if (lifetimeMs === undefined) return
    await this.#world.wait(lifetimeMs)
    const now = this.#world.now()
    session.endedItself = session.closeAskedAt === undefined
    session.closeAskedAt ??= now
    session.closedAt ??= now
  }

  #tell(outcome: Outcome): ScriptedReply {
    if ('refusal' in outcome) return refused(outcome.refusal)
    const { id } = outcome.session
    const control = { url: `ws://127.0.0.1/control?session_id=${id}`, client_secret: secretOf(id) }
    return succeeded({ ...this.#view(outcome.session), control })
  }

  #close(session: SimulatedSession): ScriptedReply {
    this.#closes += 1
    session.closeHeard = true
    this.#take(session.key, -this.#rules.alsoFreed(session, this.#closes))
    if (session.closeAskedAt === undefined) {
      session.closeAskedAt = this.#world.now()
      session.used.connectedAtClose = session.used.connected > 0
      void this.#world.wait(this.#rules.cleanupMs).then(() => (session.closedAt = this.#world.now()))
    }
    return succeeded(this.#view(session))
  }

  #view({ id, mark, closeAskedAt, closedAt, endedItself }: SimulatedSession): object {
    const { endedStatus, statusPlace } = this.#rules
    const ended = endedItself ? endedStatus : 'closed'
    const status = closedAt !== undefined ? ended : closeAskedAt !== undefined ? 'closing' : 'active'
    const told = { data: { status }, session: { session: { status } }, nowhere: {} }[statusPlace]
    return { session_id: id, ...told, avatars: [{ avatar_id: mark }] }
  }

  #list(key: string): object[] {
    const { lists, listLagMs } = this.#rules
    const then = this.#world.now() - listLagMs
    return [...this.sessions.values()]
      .filter((one) => this.#sameWorkspace(one.key, key) && one.createdAt <= then && lists(asOf(one, then), then))
      .map((one) => this.#view(asOf(one, then)))
  }

  #sameWorkspace(one: string, other: string): boolean {
    return workspaceOf(one) === workspaceOf(other)
  }
}

const secretOf = (id: string): string => `secret-of-${id}`

/** A session as it was. */
function asOf(session: SimulatedSession, then: number): SimulatedSession {
  const past = (at: number | undefined): number | undefined => (at !== undefined && at <= then ? at : undefined)
  return { ...session, closeAskedAt: past(session.closeAskedAt), closedAt: past(session.closedAt) }
}
