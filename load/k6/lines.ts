import type { TallyJson } from '../core/tally.ts'

/** How long a window of the live numbers is, in milliseconds. */
export const WINDOW_MS = 5_000

/**
 * Numbers of one user since its last line, on stdout for whoever watches. Lines add up: a user writes one at the end of
 * every window in which it works, one at the end of every iteration, and one where a scenario wants to be missed.
 */
export function printWindow(now: number, scenario: string, tally: TallyJson): void {
  const at = (Math.floor(now / WINDOW_MS) * WINDOW_MS) / 1_000
  console.log(`greenroom-window ${JSON.stringify({ at, scenario, tally })}`)
}

/** What is about to be made, without secrets. */
export interface Intent {
  readonly resource: string
  readonly operation: string
  /** Name of the key. */
  readonly key: string
  /** Resolves a lost answer. */
  readonly idempotency_key?: string
  readonly body?: object
}

/**
 * What a run has to end when it is killed: `create` comes before a create is sent; `created` or `none` says what came of
 * it; `ended` that it was closed.
 */
export function printCreate(create: string, intent: Intent): void {
  console.log(`greenroom-create ${JSON.stringify({ create, intent })}`)
}

export function printCreated(create: string, id: string): void {
  console.log(`greenroom-created ${JSON.stringify({ create, id })}`)
}

export function printNone(create: string): void {
  console.log(`greenroom-none ${JSON.stringify({ create })}`)
}

export function printEnded(resource: string, id: string): void {
  console.log(`greenroom-ended ${JSON.stringify({ resource, id })}`)
}
