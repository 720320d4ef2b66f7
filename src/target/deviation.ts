import type { Override } from './behaviour/behaviour.ts'

/** A seeded mistake: breaks exactly the requirement that it names. */
export interface Defect {
  readonly id: string
  readonly requirement: string
  /** What a client can see of it. */
  readonly text: string
  readonly override: Override
}

/** A legal alternative: whatever it changes, the spec leaves open. */
export interface Variation {
  readonly id: string
  /** The heading of the spec whose words, or whose silence, leave it open: '4.1', or 'Conventions'. */
  readonly section: string
  readonly text: string
  /** The operations that it changes (`channel` for the control channel), where what it overrides serves others as well. */
  readonly concerns?: RegExp
  /** Another one that says the opposite: no service does both. */
  readonly contradicts?: RegExp
  /** SHOULD rows that warn of it: where an effective value need not be the one that the spec or the request names. */
  readonly warns?: readonly string[]
  readonly override: Override
}
