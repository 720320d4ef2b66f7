import type { Entry } from '#trace/entry'

/** A failure that can be sent again (`schemas/meta/replay.json`). Holds no secret: stand-ins, as the trace has them. */
export interface Replay {
  readonly format: 'greenroom.replay/1'
  readonly requirement: string
  readonly section: string
  readonly level: 'must' | 'should' | 'may'
  /** The requirement's sentence. */
  readonly text: string
  readonly expected: string
  readonly got: string
  /** What was thought possible before, where a model judged it. */
  readonly states?: string
  readonly run: string
  readonly versions: { readonly greenroom: string; readonly spec: string }
  /** Where it was seen. */
  readonly base_url: string
  /** All that the scenario had done until then, as entries of the trace. */
  readonly steps: readonly Entry[]
  /** Places in `steps`, from 0, of the shortest sequence that still breaks the requirement. */
  readonly short: readonly number[]
  /** Places in `steps` of what broke it. */
  readonly evidence: readonly number[]
}

/** Which of the steps are sent. */
export type Length = 'short' | 'whole'

export function stepsOf({ steps, short }: Replay, length: Length): readonly Entry[] {
  return length === 'whole' ? steps : short.flatMap((place) => steps[place] ?? [])
}

/** REST requests that these steps take, without what ends what they make. */
export function requestsIn(steps: readonly Entry[]): number {
  return new Set(steps.flatMap((entry) => (entry.kind === 'request' ? [entry.exchange] : []))).size
}
