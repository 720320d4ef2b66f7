import type { ReasonCode, RecordingSource, Tier, Walked } from '#trace/entry'
import type { Json } from '#trace/json'
import type { Release } from './register-view.ts'

/** The closed set of verdicts (see README). */
export const verdicts = ['pass', 'fail', 'warn', 'inconclusive', 'not_applicable', 'waived'] as const
export type Verdict = (typeof verdicts)[number]

/** `results.json`: a pure function of the trace. */
export interface Results {
  readonly format: 'greenroom.results/1'
  readonly run: {
    readonly id: string
    readonly date: string
    readonly seed: number
    readonly tier: Tier
    readonly only: readonly string[]
    readonly versions: { readonly greenroom: string; readonly spec: string }
    /** sha256 hex. */
    readonly register: string
    /** The frozen set of requirements that the summary and `conformant` speak of. */
    readonly release: Release
    readonly trace: string
    readonly duration_ms: number
    readonly outcome: 'completed' | 'interrupted' | 'unreachable' | 'failed' | 'truncated'
    readonly reason?: string
    /** Where Greenroom sent nothing itself: such a trace is never called conformant. */
    readonly recording?: RecordingSource
  }
  readonly target: { readonly base_url: string; readonly profile: Json }
  readonly traffic: Traffic & {
    readonly by_key: { readonly [key: string]: { readonly rest_requests: number; readonly sessions_created: number } }
  }
  readonly summary: { readonly [verdict in Verdict]: number }
  readonly conformant: boolean | null
  readonly requirements: readonly RequirementResult[]
  /** Rows that are newer than the release: judged, and in no count. */
  readonly unscored: readonly RequirementResult[]
  readonly choices: readonly ChoiceResult[]
  /** What walks through states and operations have made, where there were any: the last word on each. */
  readonly walks?: readonly Walked[]
  readonly waivers: {
    readonly stale: readonly string[]
    readonly expired: readonly string[]
    readonly unknown: readonly string[]
  }
  readonly leaked: readonly { readonly resource: string; readonly id: string; readonly reason: string }[]
  readonly undeletable: readonly { readonly resource: string; readonly id: string }[]
  readonly harness_errors: readonly { readonly message: string; readonly evidence: readonly number[] }[]
}

export interface Traffic {
  readonly rest_requests: number
  readonly sessions_created: number
  readonly client_events: number
  readonly server_events: number
}

export interface RequirementResult {
  readonly id: string
  readonly section: string
  readonly level: 'must' | 'should' | 'may'
  readonly verdict: Verdict
  readonly observations: number
  readonly reason: string
  readonly reason_code?: ReasonCode
  /** What broke it, at most ten. */
  readonly failures?: readonly Failure[]
  /** What came of it when it was sent again in the same run (`check --confirm`); `says` is the end of the reason, too. */
  readonly sent_again?: {
    readonly outcome: 'reproduced' | 'not_reproduced' | 'undecided' | 'not_sent'
    readonly says: string
  }
  /** Lines of the trace, from 1, at most ten. */
  readonly evidence: readonly number[]
  readonly scenarios: readonly string[]
}

export interface Failure {
  readonly expected: string
  readonly got: string
  readonly evidence: readonly number[]
  readonly scenario?: string
}

/** Something that the spec leaves open, and what the run saw. Never judged. */
export interface ChoiceResult {
  readonly id: string
  readonly section: string
  readonly observed: readonly string[]
  readonly evidence: readonly number[]
}
