import { type Limiter, tokenBucket } from './limiters.ts'

/** An avatar session of the simulated service. */
export interface SimulatedSession {
  readonly id: string
  readonly key: string
  /** The id of its first avatar, by which whoever created it knows it again. */
  readonly mark: string
  readonly createdAt: number
  /** Made by a create that was refused. */
  readonly beside: boolean
  closeAskedAt: number | undefined
  closedAt: number | undefined
  /** Nobody asked for its end. */
  endedItself: boolean
  /** Its close was asked for, before its end or after it. */
  closeHeard: boolean
  /** What was done on its control channel. */
  readonly used: ChannelUse
}

export interface ChannelUse {
  connected: number
  connectedAtClose: boolean
  hungUp: number
  refused: number
  responses: number
}

export type Outage = 'reset' | 'page'

export interface Refusal {
  readonly code: number
  readonly status: number
  readonly retryAfter?: string | undefined
}

/** A create that is refused for want of capacity (section 7). */
export const noCapacity = { code: 30008, status: 429, retryAfter: undefined } as const

/** The decisions of the simulated service, each a value or a small function: mistakes replace one of them. */
export interface ServiceRules {
  minuteMs: number
  limiter: Limiter
  perMinute(key: string): number
  /** What shares one budget of requests. */
  rateScope(key: string): string
  rateCounts(operation: string): boolean
  rateRefusal: { code: number; status: number }
  /** The header of a 10008; undefined for none. */
  retryAfter(waitMs: number, now: number, operation: string): string | undefined
  /** Whether a create that is refused for the rate is carried out all the same. */
  rateActsAnyway: boolean | 'under its key'
  /** Whether a create that was refused for the rate stays refused under its key. */
  rateSticks: boolean
  cap: number
  capScope(key: string): string
  admits(taken: number, cap: number): boolean
  capRefusal: { code: number; status: number; retryAfter: string | undefined }
  countsInFlight: boolean
  /** Whether a session takes a place, for a create with this key. */
  holds(session: SimulatedSession, now: number, key: string): boolean
  /** How many places a refused create takes for good. */
  takenByRefusal(code: number): number
  /** How many places a close gives back beside that of its session; `count` closes were asked for so far. */
  alsoFreed(session: SimulatedSession, count: number): number
  /** How many places a repeated create takes for good. */
  takenByRepeat: number
  /** How many places a create takes for good whose caller has gone away before the answer. */
  takenByAbandoned: number
  /** Whether a repeated create is refused for the time being where its workspace is full. */
  repeatNeedsPlace: boolean
  /** What a create is told while another one with its key is under way; undefined where it waits for that. */
  conflict: Refusal | undefined
  /** After how long the service itself ends a session; undefined for never. */
  lifetimeMs(random: () => number): number | undefined
  /** What Get says of a session that the service itself has ended. */
  endedStatus: 'closed' | 'closing' | 'failed'
  /** Whether Get has the status of a session beside its other fields, or under `session`, or nowhere. */
  statusPlace: 'data' | 'session' | 'nowhere'
  /** Whether an idempotency key stands for another session once its own has ended by itself. */
  keysEndWithSession: boolean
  /** Whether the connection breaks once a request was carried out. */
  losesAnswer(random: () => number): boolean
  /** How far Get is behind. */
  getLagMs: number
  /** Whether a repeated create makes a session beside the one that it is told of. */
  repeatMakesAnother: boolean
  /** Whether a create that is refused at the cap makes a session. */
  capActsAnyway: boolean
  /** A code that refuses a create for want of capacity, by the number of the create. */
  capacity(count: number, now: number): { code: number; status: number; retryAfter: string | undefined } | undefined
  /** A failure of the service itself, before or after it made the session. */
  fault(count: number): 'before' | 'after' | undefined
  /** What an idempotency key stands for; undefined where it is not looked at. */
  keyScope(key: string, idempotencyKey: string): string | undefined
  /** Whether a repeated create waits for the one under way, and gets its session. */
  joinsInFlight: boolean
  /** Whether the outcome of a create stays with its key, for the so many-th try of it. */
  remembers(outcome: 'made' | 'failed' | 'refused', code: number, tries: number): boolean
  /** For how long an answered create is remembered by its key. */
  rememberedMs: number
  /** What becomes of a key whose caller has gone away before the answer. */
  abandoned: 'kept' | 'forgotten' | 'refused'
  /** Whether a session whose create failed after it was made stays with its key. */
  keepsMade: boolean
  /** Seconds that a session lasts for which no duration is named, and that may be named at most. */
  durations: { readonly unasked: number; readonly longest: number }
  allocationMs: number
  cleanupMs: number
  /** Milliseconds before and after the decision. */
  travelMs(random: () => number): number
  /** How far List is behind. */
  listLagMs: number
  lists(session: SimulatedSession, now: number): boolean
  /** The service's own clock, which need not agree with anybody's. */
  clock(now: number): number
  /** What stands before the service while it is away. */
  outage(now: number): Outage | undefined
}

const wholeSeconds = (ms: number): string => String(Math.ceil(ms / 1_000))

/** A correct service with a limit of 60 requests a minute and a cap of 5. */
export const correctRules = (): ServiceRules => ({
  minuteMs: 60_000,
  limiter: tokenBucket,
  perMinute: () => 60,
  rateScope: (key) => key,
  rateCounts: () => true,
  rateRefusal: { code: 10008, status: 429 },
  retryAfter: wholeSeconds,
  rateActsAnyway: false,
  rateSticks: false,
  cap: 5,
  capScope: workspaceOf,
  admits: (taken, cap) => taken < cap,
  capRefusal: { code: 30006, status: 429, retryAfter: undefined },
  countsInFlight: true,
  holds: ({ closedAt }) => closedAt === undefined,
  takenByRefusal: () => 0,
  alsoFreed: () => 0,
  takenByRepeat: 0,
  takenByAbandoned: 0,
  repeatNeedsPlace: false,
  conflict: undefined,
  lifetimeMs: () => undefined,
  endedStatus: 'closed',
  statusPlace: 'data',
  keysEndWithSession: false,
  losesAnswer: () => false,
  getLagMs: 0,
  repeatMakesAnother: false,
  capActsAnyway: false,
  capacity: () => undefined,
  fault: () => undefined,
  keyScope: (key, idempotencyKey) => `${workspaceOf(key)} ${idempotencyKey}`,
  joinsInFlight: true,
  remembers: (outcome) => outcome === 'made',
  rememberedMs: Number.POSITIVE_INFINITY,
  abandoned: 'kept',
  keepsMade: true,
  durations: { unasked: 1_800, longest: 7_200 },
  allocationMs: 20,
  cleanupMs: 50,
  travelMs: (random) => 1 + random() * 4,
  listLagMs: 0,
  lists: ({ closedAt }) => closedAt === undefined,
  clock: (now) => now,
  outage: () => undefined,
})

/** As in profiles: `same_workspace` is a second key of the workspace of `primary`; every other key has its own. */
export const workspaceOf = (key: string): string => (key === 'same_workspace' ? 'primary' : key)
