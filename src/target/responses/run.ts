import type { EffectiveState } from '../sessions/effective-state.ts'
import type { Timer } from '../timers.ts'
import type { JsonObject } from '../wire.ts'

/** What a response brings forth. `reply` and `tool_call` are generated, the others scripted (4.4). */
export type ResponseKind = 'reply' | 'tool_call' | 'speech' | 'speech_asset' | 'audio' | 'audio_asset' | 'visual'

/** 4.4: effective inputs, fixed when the request was submitted. */
export interface ResponsePlan {
  readonly kind: ResponseKind
  readonly requestEventId: string | undefined
  /** As it was asked; omitted is `auto`. */
  readonly conversation: string | undefined
  readonly state: EffectiveState
  /** Spoken or written text; absent for audio, visual actions, tool calls, and for a reply before it starts. */
  readonly text: string | undefined
  /** Name and arguments of the function to call; only with `tool_call`. */
  readonly call: { name: string; arguments: string } | undefined
  /** Whether an action goes with it. */
  readonly acts: boolean
  /** How long supplied audio or the action sequence lasts; 0 where the text decides. */
  readonly mediaMs: number
  readonly maxOutputTokens: number | 'inf'
  /** Set where `max_output_tokens` cut the generated text short. */
  readonly truncated: boolean
  readonly input: JsonObject[] | undefined
  readonly instructions: string
  readonly tools: JsonObject[]
}

/** How a response came to start. */
export type ResponseOrigin = 'idle' | 'interrupt' | 'pending'

/** A response that has begun (3.4). */
export interface ResponseRun {
  readonly id: string
  readonly plan: ResponsePlan
  readonly itemId: string
  readonly outputIndex: number
  status: string
  statusDetails: JsonObject | null
  /** Text sent so far. */
  sent: string
  /** Text still to be sent, in pieces. */
  readonly pieces: string[]
  /** Names of the life-cycle steps that have been performed. */
  readonly reached: Set<string>
  readonly output: JsonObject[]
  timer: Timer | undefined
  readonly origin: ResponseOrigin
  readonly startedAt: number
}

/** The one `after_current_response` request that waits (section 8). */
export interface PendingResponse {
  readonly plan: ResponsePlan
  /** Makes the plan again from the session as it is by then. */
  readonly replan: () => ResponsePlan
}
