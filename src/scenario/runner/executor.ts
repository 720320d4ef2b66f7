import type { KeyName } from '#spec/profile'
import type { Breaker } from './breaker.ts'
import { type Obstacle, obstacleOf, type ScenarioOutcome } from './outcome.ts'
import type { Scenario } from '../author/scenario.ts'
import { capacityLacked } from './disturbance.ts'
import { typicalOf } from '../plan/plan.ts'
import type { Slots } from './slots.ts'

/** Those that mostly wait: places for sessions bound them, as a rule. */
const longAtOnce = 24
/** Who waits for so many seconds is not left for the end: the first begin before all others. */
const long_s = 5
/** Waits of less than this are as good as short ones. */
const middling_s = 3
/** How often a scenario is driven at most where trouble on the way disturbs it each time; more often while only few are disturbed. */
const mostDrives = 3
const mostDrivesOfFew = 5
/** Those of the last phase wait for a limit to pass, each time; and a platform without capacity is not asked for ever. */
const mostOfLimits = 2
/** So few that are disturbed once more may have had bad luck, though none of them came through. */
const fewUnlucky = 3

export interface ExecutorOptions {
  readonly scenarios: readonly Scenario[]
  readonly slots: Slots
  readonly breaker: Breaker
  /** Drives one scenario to its end; rejects only when the run can't go on, such as when its trace can't be written. */
  readonly runScenario: (scenario: Scenario) => Promise<ScenarioOutcome>
  /** Records a scenario that is not started; without an obstacle the run was interrupted. */
  readonly refuse: (scenario: Scenario, obstacle?: Obstacle) => ScenarioOutcome
  readonly signal: AbortSignal
  /** Once it is aborted nothing more is begun; why, is its reason. */
  readonly enough?: AbortSignal
  /** Scenarios that run side by side, beside those that mostly wait. */
  readonly at_once: number
  /** Milliseconds after which nothing more is started. */
  readonly limit_ms?: number
  /** Whether a scenario that trouble on the way disturbed is driven again, when all others have ended. */
  readonly again?: (scenario: Scenario, ended: ScenarioOutcome) => boolean
  /** Whether a key was admitted for a while, and refused then though fewer requests went out than its rate allows. */
  readonly strayed?: (key: KeyName) => boolean
}

/** Runs the scenarios of one run, in an order and in company that it decides. */
export interface Executor {
  /** Starts the run if need be, and waits for one scenario of it. */
  run(id: string): Promise<ScenarioOutcome>
  runAll(): Promise<readonly ScenarioOutcome[]>
}

interface Job {
  readonly scenario: Scenario
  readonly phase: number
  readonly done: PromiseWithResolvers<ScenarioOutcome>
  /** How it ended before, where it is driven again. */
  readonly before?: ScenarioOutcome
  /** How often it was driven. */
  readonly drives?: number
}

export function createExecutor(options: ExecutorOptions): Executor {
  const jobs = inOrder(options)
  const queue = new Queue(jobs, options)
  return {
    run: (id) => {
      const job = jobs.find(({ scenario }) => scenario.id === id)
      if (job === undefined) return Promise.reject(new Error(`no scenario ${id} in this run`))
      queue.start()
      return job.done.promise
    },
    runAll: () => {
      queue.start()
      return Promise.all(jobs.map(({ done }) => done.promise))
    },
  }
}

/**
 * Long waits first, the longest before all; then whoever sends by a key that the last ones wait for, then middling waits; then
 * whoever holds sessions where others want to be alone, so that those run beside what holds none there; then short waits.
 * Several sessions at once after single ones, where the cap is unknown; then those that want to be alone.
 */
function inOrder({ scenarios, slots }: ExecutorOptions): Job[] {
  const awaited = new Set(
    scenarios.filter(({ runs }) => runs === 'last').flatMap((last) => [...exhausted(last, false)]),
  )
  const delays = (scenario: Scenario) => (exhausted(scenario).isDisjointFrom(awaited) ? 0 : 1)
  const rank = (scenario: Scenario) => (scenario.runs === 'long' ? 0 : 1) + (slots.hasUnknownCap(scenario) ? 2 : 0)
  const jobs = scenarios.map((scenario) => ({ scenario, phase: phaseOf(scenario), done: settlement() }))
  const alone = scenarios.filter(({ runs }) => runs === 'alone')
  const keepsWaiting = (scenario: Scenario) =>
    alone.filter((one) => !slots.apart(one, scenario)).reduce((sum, { price }) => sum + typicalOf(price), 0)
  const before = ({ scenario: a }: Job, { scenario: b }: Job) =>
    rank(a) - rank(b) ||
    waitOf(b, long_s) - waitOf(a, long_s) ||
    delays(b) - delays(a) ||
    waitOf(b, middling_s) - waitOf(a, middling_s) ||
    keepsWaiting(b) - keepsWaiting(a) ||
    waitOf(b) - waitOf(a)
  return jobs.toSorted((a, b) => a.phase - b.phase || before(a, b))
}

/** Seconds that it waits; 0 where they are fewer than `least`. */
function waitOf({ price: { waits = 0 } }: Scenario, least = 0): number {
  return waits >= least ? waits : 0
}

/** Whoever does not ask for a scenario need not hear that the run broke off. */
function settlement(): PromiseWithResolvers<ScenarioOutcome> {
  const done = Promise.withResolvers<ScenarioOutcome>()
  done.promise.catch(() => {})
  return done
}

function phaseOf({ runs }: Scenario): number {
  if (runs === 'alone') return 1
  return runs === 'last' ? 2 : 0
}

function inMinutes(ms: number): string {
  return ms < 120_000 ? `${Math.round(ms / 1_000)} s` : `${Math.round(ms / 60_000)} minutes`
}

/** Keys that a scenario sends by, but for the one that all share. */
function exhausted({ price, where_strayed = [] }: Scenario, strayed = true): Set<string> {
  const spared = new Set<string>(strayed ? [] : where_strayed)
  return new Set(Object.keys(price.requests).filter((key) => key !== 'primary' && !spared.has(key)))
}

class Queue {
  readonly #options: ExecutorOptions
  #waiting: readonly Job[]
  readonly #running = new Set<Job>()
  /** Disturbed, and to be driven again. */
  #disturbed: readonly Job[] = []
  /** How many were driven again in this round. */
  #driven = Infinity
  #started: number | undefined

  constructor(jobs: readonly Job[], options: ExecutorOptions) {
    this.#waiting = jobs
    this.#options = options
  }

  start(): void {
    if (this.#started !== undefined) return
    this.#started = performance.now()
    const { signal, enough } = this.#options
    for (const one of [signal, enough]) one?.addEventListener('abort', () => this.#pump(), { once: true })
    this.#pump()
  }

  /** Goes through the queue once: drops what is hopeless, starts what may start. */
  #pump(): void {
    if (this.#onlyLastLeft()) this.#beginAgain()
    for (const job of this.#waiting) {
      if (!this.#waiting.includes(job)) continue
      const obstacle = this.#obstacle(job.scenario)
      if (this.#options.signal.aborted || obstacle !== undefined) {
        this.#leave(job)
        this.#refuse(job, obstacle)
      } else if (this.#mayStart(job)) {
        this.#leave(job)
        void this.#runScenario(job)
      }
    }
    if (this.#disturbed.length > 0 && this.#onlyLastLeft()) this.#pump()
  }

  /** Those of the last phase exhaust limits: what is driven again comes before them. */
  #onlyLastLeft(): boolean {
    return this.#running.size === 0 && this.#waiting.every(({ phase }) => phase === 2)
  }

  /**
   * By now the transport failure may be over. What disturbs all of them, each time, is none. Requests may not last for all: the
   * cheapest come first, so that most come through.
   */
  #beginAgain(): void {
    const priceOf = ({ scenario }: Job) => typicalOf(scenario.price)
    const disturbed = this.#disturbed.toSorted((one, other) => priceOf(one) - priceOf(other))
    const few = disturbed.length <= fewUnlucky
    const passes = disturbed.length < this.#driven || few
    this.#disturbed = []
    for (const job of disturbed) {
      const { before, drives = 0 } = job
      const goesOn = passes && (few || drives < mostDrives)
      if (before !== undefined && !(goesOn && this.#options.again?.(job.scenario, before) === true))
        job.done.resolve(before)
      else this.#waiting = [...this.#waiting, job]
    }
    this.#driven = this.#waiting.filter(({ drives }) => drives !== undefined).length
  }

  #refuse(job: Job, obstacle?: Obstacle): void {
    try {
      job.done.resolve(job.before ?? this.#options.refuse(job.scenario, obstacle))
    } catch (error) {
      this.#breakOff(job, error)
    }
  }

  #leave(job: Job): void {
    this.#waiting = this.#waiting.filter((other) => other !== job)
  }

  #obstacle(scenario: Scenario): Obstacle | undefined {
    const { slots, breaker } = this.#options
    const reason = slots.impossible(scenario)
    return reason === undefined
      ? (obstacleOf(this.#options.enough) ?? this.#late() ?? breaker.obstacle(scenario))
      : { code: 'model_choice', reason }
  }

  #late(): Obstacle | undefined {
    const { limit_ms = Infinity } = this.#options
    if (performance.now() - (this.#started ?? 0) < limit_ms) return undefined
    return { code: 'budget', reason: `the run took longer than ${inMinutes(limit_ms)}` }
  }

  #mayStart(job: Job): boolean {
    const { scenario, phase } = job
    const running = [...this.#running]
    if (phase === 1) return this.#isAlone(job)
    const beside = running.some((other) => other.phase === 1 && !this.#options.slots.apart(other.scenario, scenario))
    if (beside || this.#options.breaker.undecided(scenario)) return false
    if (phase === 2) return !running.some((other) => other.phase === 2) && !this.#sharesKeys(job)
    const long = scenario.runs === 'long'
    const alike = running.filter((other) => other.phase === 0 && (other.scenario.runs === 'long') === long)
    const atOnce = long ? longAtOnce : this.#options.at_once
    return alike.length < atOnce && this.#options.slots.admits(scenario)
  }

  /** Those that want to be alone come after all others in their workspaces, and one after the other. */
  #isAlone(job: Job): boolean {
    const before = this.#waiting.slice(0, this.#waiting.indexOf(job)).filter(({ phase }) => phase < 2)
    return [...before, ...this.#running].every(({ scenario }) => this.#options.slots.apart(job.scenario, scenario))
  }

  /** Whether others still need the limit that a scenario of the last phase exhausts, be it to be driven again. */
  #sharesKeys(job: Job): boolean {
    const strayed = job.scenario.needs?.keys?.some((key) => this.#options.strayed?.(key) === true) === true
    const keys = exhausted(job.scenario, strayed)
    const others = [...this.#waiting, ...this.#running, ...this.#disturbed].filter((other) => other.phase < 2)
    return others.some((other) => keys.size === 0 || exhausted(other.scenario).intersection(keys).size > 0)
  }

  async #runScenario(job: Job): Promise<void> {
    this.#running.add(job)
    this.#options.slots.take(job.scenario)
    try {
      const outcome = await this.#options.runScenario(job.scenario)
      const drives = (job.drives ?? 0) + 1
      const lacked = outcome.troubles?.every((trouble) => trouble === capacityLacked) === true
      const most = job.phase === 2 || lacked ? mostOfLimits : mostDrivesOfFew
      const disturbed = drives < most && outcome.outcome !== 'failed' && outcome.troubles !== undefined
      if (disturbed && this.#options.again !== undefined)
        this.#disturbed = [...this.#disturbed, { ...job, before: outcome, drives }]
      else job.done.resolve(outcome)
    } catch (error) {
      this.#breakOff(job, error)
    }
    this.#options.slots.give(job.scenario)
    this.#running.delete(job)
    this.#pump()
  }

  #breakOff(job: Job, error: unknown): void {
    for (const one of [job, ...this.#waiting, ...this.#disturbed]) one.done.reject(error)
    this.#waiting = []
    this.#disturbed = []
  }
}
