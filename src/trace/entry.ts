import type { Claim } from './claim.ts'
import type { Json } from './json.ts'

/**
 * The trace: one JSON object a line (NDJSON), append-only, secrets already replaced. Everything that decides a byte of
 * `results.json` is an entry here. A position is a line number, counted from 1.
 */
export type Entry =
  | HeaderEntry
  | ScenarioStartEntry
  | ScenarioEndEntry
  | RequestEntry
  | ResponseEntry
  | FailureEntry
  | ChannelOpenEntry
  | ChannelOpenedEntry
  | ChannelRefusedEntry
  | FrameSentEntry
  | FrameReceivedEntry
  | ChannelClosedEntry
  | ClaimEntry
  | WaitEntry
  | MarkEntry
  | HaltEntry
  | HarnessErrorEntry
  | CleanupEntry
  | EndEntry

/** The scenario that caused an entry, if one did. */
export function scenarioOf(entry: Entry | undefined): string | undefined {
  return entry !== undefined && 'scenario' in entry ? entry.scenario : undefined
}

/** What every entry but the header has. */
interface Common {
  /** Milliseconds since the run began, monotonic, at most 3 decimals. */
  readonly t: number
  /** Id of the scenario that caused the entry; missing for preflight, cleanup and the run itself. */
  readonly scenario?: string
  /** See `chain.ts`; traces of earlier versions have none. Nothing is judged by it. */
  readonly link?: string
}

/** `smoke` ⊂ `standard` ⊂ `full` (how much may be spent). */
export type Tier = 'smoke' | 'standard' | 'full'

/** First line of a trace. */
export interface HeaderEntry {
  readonly kind: 'header'
  readonly t: 0
  readonly link?: string
  readonly format: 'greenroom.trace/1'
  readonly greenroom: string
  readonly spec: '1.0.0'
  /** RFC 3339 time at which the run began; the only date that a judge may compare with. */
  readonly date: string
  readonly run: string
  readonly seed: number
  readonly tier: Tier
  /** Ids or parts that the run was narrowed to; empty for all. */
  readonly only: readonly string[]
  /** Profile of the target; holds names of environment variables, never their values. */
  readonly profile: Json
  /** Names of the keys that had a value in this run. */
  readonly keys: readonly string[]
  /** sha256 of the register that the run was planned with. */
  readonly register: string
  readonly manifest: readonly { readonly scenario: string; readonly proves: readonly string[] }[]
  /** Scenarios that this run leaves out, and why; their rows say the same. */
  readonly skipped: readonly SkippedScenario[]
  /** Where Greenroom only listened: who recorded. Such a trace has neither scenarios nor claims. */
  readonly recording?: RecordingSource
}

/**
 * What a recording was made of: traffic through `greenroom watch`, a browser's HAR, samples of a load run, or what an app
 * did to the stand-in.
 */
export type RecordingSource = 'watch' | 'har' | 'load-samples' | 'stand-in'

export interface SkippedScenario {
  readonly scenario: string
  readonly proves: readonly string[]
  /** `only`: the run was narrowed to others. `not_applicable`: an ability that the profile declares away. */
  readonly why: ReasonCode | 'only' | 'not_applicable'
  /** Name of the key, trigger or medium that is missing. */
  readonly what?: string
}

export interface ScenarioStartEntry extends Common {
  readonly kind: 'scenario-start'
  readonly scenario: string
}

/** Why something could not be judged; `results.json` says the same words. */
export type ReasonCode =
  | 'missing_key'
  | 'missing_trigger'
  | 'missing_media'
  | 'passive'
  | 'tier'
  | 'model_choice'
  | 'network'
  | 'quota'
  | 'budget'
  | 'prerequisite'
  | 'interrupted'

export interface ScenarioEndEntry extends Common {
  readonly kind: 'scenario-end'
  readonly scenario: string
  /** `blocked`: something outside the row stood in the way; `failed`: a mistake of ours (a harness-error entry says which). */
  readonly outcome: 'completed' | 'blocked' | 'interrupted' | 'failed'
  readonly reason_code?: ReasonCode
  readonly reason?: string
}

/** Written before the request goes to a socket. One logical exchange may need several attempts (429, network). */
export interface RequestEntry extends Common {
  readonly kind: 'request'
  readonly exchange: number
  /** 1 for the first attempt. */
  readonly attempt: number
  /** Row of `schemas/operations.json`, or null for a request outside the interface. */
  readonly operation: string | null
  readonly method: string
  /** Path with query, as sent. */
  readonly path: string
  /** Name of the key (never its value), or `none` / `malformed` for deliberate authentication faults. */
  readonly key: string
  readonly headers: { readonly [name: string]: string }
  /** Parsed body, where one was sent as JSON. */
  readonly body?: Json
  /** Body as text, where it is deliberately no JSON. */
  readonly text?: string
  /** How it was sent, where not as usual; whoever sends it again needs to know. */
  readonly manner?: Manner
}

/** What the way of sending a request has that the request itself does not show. */
export interface Manner {
  /** What came is what counted; by default what passes by itself is waited out. */
  readonly retry?: 'never'
  /** Sent at once, whatever the rate of the key. */
  readonly pace?: false
  /** Given up as soon as its body had gone out. */
  readonly give_up?: true
  /** The body went in pieces, without `Content-Length`. */
  readonly chunked?: true
  /** A code that may pass by itself: after it once more. */
  readonly passing?: number
  /** Milliseconds that the answer was granted. */
  readonly deadline_ms?: number
}

export interface ResponseEntry extends Common {
  readonly kind: 'response'
  readonly exchange: number
  readonly attempt: number
  readonly status: number
  /** Lower-case names; several values are joined with ', '. */
  readonly headers: { readonly [name: string]: string }
  /** Parsed body; missing when it was no JSON. */
  readonly body?: Json
  /** Start of a body that was no JSON (at most 2,000 characters). */
  readonly text?: string
  /** What is wrong with the body as such. */
  readonly problem?: 'not-json' | 'not-utf8' | 'too-deep' | 'empty'
  readonly bytes: number
}

export type FailureReason = 'timeout' | 'refused' | 'dns' | 'tls' | 'reset' | 'too-large' | 'protocol' | 'aborted'

/** No (whole) response came. */
export interface FailureEntry extends Common {
  readonly kind: 'failure'
  readonly exchange: number
  readonly attempt: number
  readonly reason: FailureReason
  readonly message: string
}

export interface ChannelOpenEntry extends Common {
  readonly kind: 'channel-open'
  readonly channel: number
  /** Session that the channel was meant for. */
  readonly session: string
  /** URL with the token replaced. */
  readonly url: string
  readonly credential: 'query' | 'header' | 'none'
  /** What stands for the secret that went in a header. */
  readonly secret?: string
}

export interface ChannelOpenedEntry extends Common {
  readonly kind: 'channel-opened'
  readonly channel: number
}

/** The upgrade was answered by an HTTP status, or failed without one, or was not tried because the URL forbids it. */
export interface ChannelRefusedEntry extends Common {
  readonly kind: 'channel-refused'
  readonly channel: number
  readonly status?: number
  readonly reason: 'status' | FailureReason | 'unsafe-url'
  readonly message: string
}

export interface FrameSentEntry extends Common {
  readonly kind: 'frame-sent'
  readonly channel: number
  readonly frame: number
  readonly data?: Json
  /** Where the frame is deliberately no JSON. */
  readonly text?: string
  /** In a recording, where the client sent it in a binary frame. */
  readonly binary?: true
}

export interface FrameReceivedEntry extends Common {
  readonly kind: 'frame-received'
  readonly channel: number
  readonly frame: number
  readonly data?: Json
  readonly text?: string
  readonly problem?: 'not-json' | 'binary' | 'too-deep'
  readonly bytes: number
}

export interface ChannelClosedEntry extends Common {
  readonly kind: 'channel-closed'
  readonly channel: number
  /** Who ended it; `network` when no close frame came (1006), `limit` when we gave up on what the target sent. */
  readonly by: 'us' | 'target' | 'network' | 'limit'
  readonly code: number
  readonly reason: string
  /** When something was heard last, where we ended it since not even a ping was answered: nothing could come from then on. */
  readonly silent_since?: number
}

export interface ClaimEntry extends Common, Claim {
  readonly kind: 'claim'
}

/** We let time pass: for pace, for Retry-After, for an event, for a timer of the spec, until earlier requests no longer count, until a list has caught up. */
export interface WaitEntry extends Common {
  readonly kind: 'wait'
  readonly why: 'pace' | 'retry-after' | 'quota' | 'event' | 'timer' | 'quiet' | 'backoff' | 'lag'
  readonly ms: number
}

/** A named moment that claims can refer to. */
export interface MarkEntry extends Common {
  readonly kind: 'mark'
  readonly mark: number
  readonly label: string
  /** Where a walk through something ended. */
  readonly walk?: Walked
}

/** What walks through something have made of it so far. */
export interface Walked {
  /** What they go through. */
  readonly name: string
  /** How many pairs of a state and an operation there are. */
  readonly pairs: number
  /** Those that no walk has made. */
  readonly left: readonly string[]
}

/**
 * Greenroom's own process stood still and went on at `t`: for so long it neither sent nor heard anything, while its
 * deadlines ran on.
 */
export interface HaltEntry extends Common {
  readonly kind: 'halt'
  readonly ms: number
}

/** A mistake of Greenroom itself. */
export interface HarnessErrorEntry extends Common {
  readonly kind: 'harness-error'
  readonly message: string
}

export interface CleanupEntry extends Common {
  readonly kind: 'cleanup'
  /** Session ids (or other resource ids) that were closed. */
  readonly closed: readonly string[]
  /** What the run made and could not clean up. */
  readonly leaked: readonly { readonly resource: string; readonly id: string; readonly reason: string }[]
  readonly undeletable: readonly { readonly resource: string; readonly id: string }[]
}

/** Last line of a whole trace. */
export interface EndEntry extends Common {
  readonly kind: 'end'
  readonly outcome: 'completed' | 'interrupted' | 'unreachable' | 'failed'
  readonly reason?: string
}
