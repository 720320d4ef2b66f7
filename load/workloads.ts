/** How much, how long and how patiently. */
export interface Workload {
  /** Virtual users, each with one session and one control connection at a time. */
  readonly users: number
  /** Conversations of each user, one after the other; each costs two REST requests, a create and a close. */
  readonly conversations: number
  /** Scripted speeches in a conversation. */
  readonly speeches: number
  readonly characters: number
  /** How long a handshake may take, and how long a response may send nothing. */
  readonly patience_ms: number
  /** How long one conversation may take. */
  readonly conversation_ms: number
  /** How long an event may lie in the generator before it is handled, at p99. */
  readonly lag_bound_ms: number
}

/** Time for what k6 can't break off: its handshakes take up to 60 s. */
const GRACE_MS = 65_000

export const workloads = {
  /** 10 REST requests and a few seconds, within every default limit. It proves that all works, so it is patient. */
  smoke: {
    users: 5,
    conversations: 1,
    speeches: 3,
    characters: 600,
    patience_ms: 10_000,
    conversation_ms: 30_000,
    lag_bound_ms: 100,
  },
  /** As many events as a target sends to ten users without a pause. */
  flood: {
    users: 10,
    conversations: 2,
    speeches: 10,
    characters: 1_500,
    patience_ms: 20_000,
    conversation_ms: 60_000,
    lag_bound_ms: 1_000,
  },
} as const satisfies { readonly [name: string]: Workload }

export type WorkloadName = keyof typeof workloads

/** The longest that a workload lasts, in milliseconds. */
export function longest({ conversations, conversation_ms }: Workload): number {
  return conversations * conversation_ms + GRACE_MS
}
