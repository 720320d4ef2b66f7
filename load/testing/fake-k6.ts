import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { dueTimes, type ExecutorOptions } from './fake-executors.ts'
import { FakeMetrics, type MetricSummary } from './fake-metrics.ts'
import type { FakeService } from './fake-service.ts'
import { SimulatedTime } from './simulated-time.ts'

/** What a script exports, as k6 reads it. */
export interface Script {
  readonly options: {
    readonly scenarios?: { readonly [name: string]: ExecutorOptions }
    readonly thresholds?: { readonly [metric: string]: unknown }
  }
  iterate(): unknown
  handleSummary?(data: SummaryData): { readonly [output: string]: string }
}

export interface SummaryData {
  readonly metrics: { readonly [metric: string]: MetricSummary }
  readonly state: { readonly testRunDurationMs: number }
}

/** What came of a run. */
export interface Ran {
  /** What the script wrote to the console. */
  readonly lines: readonly string[]
  readonly data: SummaryData
  readonly outputs: { readonly [output: string]: string }
  /** Iterations that threw. */
  readonly failures: readonly unknown[]
  readonly duration_ms: number
}

/** A virtual user: an instance of the script of its own. */
export interface User {
  readonly id: number
  readonly script: Script
  /** What keeps its iteration from ending: open sockets, timers, requests. */
  held: number
  running: boolean
  /** Of the iteration that runs. */
  iteration: { readonly scenario: string; readonly number: number; readonly startTime: number } | undefined
  onFree: () => void
}

let running: FakeK6 | undefined

/** At most one runs, since modules and globals belong to it. */
function becomeTheK6(k6: FakeK6): void {
  if (running !== undefined) throw new Error('a fake k6 runs already')
  running = k6
}

/** The runtime that the modules of k6 belong to. @throws Error outside a run */
export function theK6(): FakeK6 {
  if (running === undefined) throw new Error('no fake k6 runs: start the script by new FakeK6(…).run()')
  return running
}

/**
 * Runs a load script as k6 does, on simulated time: http, websockets, timers, metrics, executors and `k6/execution`. Tests
 * import the modules of k6 as the script does; `vitest.config.ts` puts the fake ones in their place.
 *
 * What it leaves out: execution segments, blocking calls (`http.get`, `sleep`), tags of users, `setup` and `teardown`.
 */
export class FakeK6 {
  readonly time = new SimulatedTime(Date.UTC(2026, 0, 1) + 0.37)
  readonly metrics = new FakeMetrics()
  readonly service: FakeService
  readonly environment: { readonly [name: string]: string }
  readonly shared = new Map<string, readonly unknown[]>()
  readonly start: number
  /** Whose code runs; undefined in the init context. */
  user: User | undefined
  readonly #lines: string[] = []
  readonly #failures: unknown[] = []
  readonly #users: User[] = []
  readonly #numbers = new Map<string, number>()

  constructor(service: (time: SimulatedTime) => FakeService, environment: { readonly [name: string]: string } = {}) {
    this.service = service(this.time)
    this.environment = environment
    this.start = this.time.now()
  }

  /** @param load runs the script anew, once for every user and once more for `options` and the summary */
  async run(load: () => Script): Promise<Ran> {
    becomeTheK6(this)
    const restore = this.#takeGlobals()
    try {
      const first = this.#init(load, 0)
      for (const [name, options] of Object.entries(first.options.scenarios ?? {})) this.#execute(name, options, load)
      await this.time.play()
      return this.#conclude(first)
    } finally {
      restore()
      running = undefined
    }
  }

  /** Runs a task of a user later: with its `k6/execution`, and as something that its iteration waits for. */
  later(ms: number, task: () => void): () => void {
    const user = this.user
    const release = this.hold()
    const callOff = this.time.later(ms, () => {
      this.as(user, task)
      release()
    })
    return () => {
      callOff()
      release()
    }
  }

  /** The iteration that runs does not end before this is released. */
  hold(): () => void {
    const user = this.user
    if (user === undefined) throw new Error('the init context has no event loop')
    user.held += 1
    let released = false
    return () => {
      if (released) return
      released = true
      user.held -= 1
      this.#freeWhenDone(user)
    }
  }

  /** The user of promises that go on after the task is the same: nobody else runs before they are settled. */
  as(user: User | undefined, task: () => void): void {
    this.user = user
    task()
  }

  #init(load: () => Script, id: number): Script {
    this.user = undefined
    ;(globalThis as { __VU?: number }).__VU = id
    return load()
  }

  #execute(name: string, options: ExecutorOptions, load: () => Script): void {
    const startTime = this.start
    const users = Array.from({ length: options.vus ?? options.maxVUs ?? options.preAllocatedVUs ?? 1 }, () => {
      const id = this.#users.length + 1
      const user: User = {
        id,
        script: this.#init(load, id),
        held: 0,
        running: false,
        iteration: undefined,
        onFree: () => undefined,
      }
      this.#users.push(user)
      return user
    })
    if (options.executor === 'per-vu-iterations') {
      for (const user of users) this.#repeat(user, name, startTime, options.iterations ?? 1)
      return
    }
    this.metrics.declare('dropped_iterations', 'counter')
    for (const due of dueTimes(options)) {
      this.time.later(due, () => {
        const free = users.find((user) => !user.running)
        if (free === undefined) this.metrics.add('dropped_iterations', 1, { scenario: name })
        else this.#begin(free, name, startTime)
      })
    }
  }

  #repeat(user: User, scenario: string, startTime: number, iterations: number): void {
    if (iterations === 0) return
    user.onFree = () => this.#repeat(user, scenario, startTime, iterations - 1)
    this.time.later(0, () => this.#begin(user, scenario, startTime))
  }

  #begin(user: User, scenario: string, startTime: number): void {
    const number = this.#numbers.get(scenario) ?? 0
    this.#numbers.set(scenario, number + 1)
    user.running = true
    user.iteration = { scenario, number, startTime }
    this.user = user
    const release = this.hold()
    void (async () => {
      try {
        await user.script.iterate()
      } catch (error) {
        this.#failures.push(error)
      }
      release()
    })()
  }

  #freeWhenDone(user: User): void {
    if (user.held > 0) return
    // In a task of its own: what was just settled may go on and hold again.
    this.time.later(0, () => {
      if (user.held > 0 || !user.running) return
      user.running = false
      const { onFree } = user
      user.onFree = () => undefined
      onFree()
    })
  }

  #conclude(script: Script): Ran {
    const duration = this.time.now() - this.start
    const metrics = this.metrics.summary((script.options.thresholds ?? {}) as { [metric: string]: string[] })
    const data = { metrics, state: { testRunDurationMs: duration } }
    const outputs = script.handleSummary?.(data) ?? {}
    return { lines: this.#lines, data, outputs, failures: this.#failures, duration_ms: duration }
  }

  #takeGlobals(): () => void {
    const globals = globalThis as { __VU?: number; __ENV?: object; open?: (path: string) => string }
    const { log, error } = console
    const { now } = Date
    const write = (text: unknown): void => void this.#lines.push(String(text))
    Object.assign(console, { log: write, error: write })
    // To ask takes time, so that whoever waits for a tick gets one.
    Date.now = () => {
      this.time.spend(0.01)
      return Math.floor(this.time.now())
    }
    globals.__ENV = this.environment
    globals.open = (path) => readFileSync(path.startsWith('file:') ? fileURLToPath(path) : path, 'utf8')
    return () => {
      Object.assign(console, { log, error })
      Date.now = now
      delete globals.__ENV
      delete globals.__VU
      delete globals.open
    }
  }
}
