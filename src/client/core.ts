import type { Draft, Written } from '#trace/writer'
import { type BaseAddress, readBaseAddress } from './base-address.ts'
import { type Bounds, createIntake, defaultBounds, type Intake } from './bounds.ts'
import { type Budget, createBudget, type Spender } from './pace/budget.ts'
import { type Clock, realClock } from './pace/clock.ts'
import { createCrowd, type Crowd } from './pace/crowd.ts'
import { RunAborted } from './errors.ts'
import { createHearing, type Hearing } from './channel/hearing.ts'
import type { Pongs } from './channel/pulse.ts'
import { checkHeader } from './http/header-check.ts'
import { createNumbers, type Numbers } from './pace/numbers.ts'
import type { ClientOptions } from './options.ts'
import { createPace, type Pace } from './pace/pace.ts'
import { createSockets, type Sockets } from './sockets/sockets.ts'
import { createReplyTime, type ReplyTime } from './http/reply-time.ts'
import { createTrafficCount, type TrafficCount } from './traffic.ts'
import { createTransportFailures, type TransportFailures } from './transport-failures.ts'

/** What all scopes of one client share. */
export interface Core {
  readonly options: ClientOptions
  readonly base: BaseAddress
  readonly bounds: Bounds
  readonly clock: Clock
  readonly numbers: Numbers
  readonly pace: Pace
  readonly transportFailures: TransportFailures
  readonly budget: Budget
  readonly intake: Intake
  readonly hearing: Hearing
  readonly pongs: Pongs
  readonly replies: ReplyTime
  /** Of creates of sessions. */
  readonly crowd: Crowd
  readonly traffic: TrafficCount
  readonly sockets: Sockets
  /** Headers of every request and upgrade, lower-case. */
  readonly headers: { readonly [name: string]: string }
  /** What to end when the run is aborted or the client closed. */
  readonly open: Set<{ readonly channel: number; readonly session: string; cut(): void; close(): Promise<void> }>
}

/** Who is asking: a scenario, the run itself, or cleanup. */
export interface Asker {
  readonly scenario: string | undefined
  /** Cleanup goes on after an abort and when the budget is spent. */
  readonly cleanup: boolean
  /** Of cleanup: it only looks, and keeps to what the run may send. */
  readonly bounded?: boolean
}

export function createCore(options: ClientOptions): Core {
  const base = readBaseAddress(options.base_url, options.allow_insecure_loopback === true)
  checkHeaders(options)
  const bounds = { ...defaultBounds, ...options.bounds }
  const clock = options.clock ?? realClock(() => options.writer.now())
  return {
    options,
    base,
    bounds,
    clock,
    numbers: createNumbers(options.start_numbers),
    pace: createPace(options.limits, clock, options.sent_times),
    transportFailures: createTransportFailures(options.pauses_ms),
    budget: createBudget(options.max_requests, options.reserve ?? (() => 0), options.sent_before, options.enough),
    intake: createIntake(bounds),
    hearing: createHearing(),
    pongs: { answered: false },
    replies: createReplyTime(options.timeouts.reply_ms),
    crowd: createCrowd(options.timeouts.reply_ms, clock),
    traffic: createTrafficCount(),
    sockets: createSockets({
      secure: !base.insecure,
      ca_pem: options.ca_pem,
      proxy: options.proxy,
      timeout_ms: options.timeouts.reply_ms,
      header_bytes: bounds.header_bytes,
    }),
    headers: { ...lowerCase(options.headers ?? {}), 'user-agent': options.user_agent },
    open: new Set(),
  }
}

/** The signal that ends this asker's doings; none ends cleanup. */
export function signalFor(core: Core, asker: Asker): AbortSignal | undefined {
  return asker.cleanup ? undefined : core.options.signal
}

export function spenderOf({ cleanup, bounded = false }: Asker): Spender {
  if (!cleanup) return 'run'
  return bounded ? 'look' : 'cleanup'
}

/** @throws RunAborted unless the asker may still send. */
export function assertGoing(core: Core, asker: Asker): void {
  if (signalFor(core, asker)?.aborted === true) throw new RunAborted()
}

/** An entry without time and scenario. */
export type Note = Draft extends infer One ? (One extends Draft ? Omit<One, 'scenario'> : never) : never

/** @throws TraceWriteError */
export function record(core: Core, asker: Asker, note: Note): Written {
  const scenario = asker.scenario === undefined ? {} : { scenario: asker.scenario }
  return core.options.writer.write({ ...scenario, ...note } as Draft)
}

function checkHeaders(options: ClientOptions): void {
  for (const [name, value] of Object.entries(options.headers ?? {})) checkHeader(name, value, `The header ${name}`)
  for (const [name, value] of Object.entries(options.keys)) checkHeader('authorization', value, `The key ${name}`)
}

function lowerCase(headers: { readonly [name: string]: string }): { [name: string]: string } {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
}
