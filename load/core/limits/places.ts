/** A session that was opened, as far as its place is concerned. Moments are on the generator's clock. */
export interface Opened {
  readonly id: string
  readonly key: string
  /** Of its control channel. */
  readonly url?: string
  readonly secret?: string
  /** When its first create was sent: from then on it may hold a place. */
  readonly sentAt: number
  /** When a create told its id: from then on it surely holds one. */
  readonly answeredAt: number
  /** When its close was first sent; until then it is open, unless it ended by itself. */
  closeSentAt?: number
  /** When it was first known to be closed: by then its place must be free, but for `graceMs`. */
  closedAt?: number
  /** It was seen to have ended though nobody asked for it. */
  endedItself?: boolean
}

/** What may have kept a place taken, when a create was refused: what was done just before. */
export type Circumstance =
  | 'climb'
  | 'after-close'
  | 'after-refusals'
  | 'after-repeats'
  | 'after-given-up'
  | 'second-key'
  | 'for-second-key'

/** A create that was refused for want of a place, again and again, until its time was up. */
export interface Refused {
  readonly key: string
  /** Of its last try. */
  readonly sentAt: number
  readonly answeredAt: number
  readonly circumstance: Circumstance
  /** Whether List Sessions showed nobody but us, before and after. */
  readonly alone: boolean
}

/** A create that was sent and of which it is not known what came: it may hold a place for ever. */
export interface Unresolved {
  readonly sentAt: number
}

export interface PlaceLog {
  readonly opened: readonly Opened[]
  readonly refused: readonly Refused[]
  /** Where a place that had to be free was given. */
  readonly given: readonly Circumstance[]
  readonly unresolved: readonly Unresolved[]
}

/** The most sessions that were surely open at one moment, and when that was. */
export interface Most {
  readonly count: number
  readonly at: number
}

/**
 * The most that were surely open at once: from the answer to the create until the close is sent. What is under way at
 * either end does not count, so a slow target is never taken for a generous one.
 */
export function mostSurelyOpen(opened: readonly Opened[]): Most {
  const changes = opened.flatMap(({ answeredAt, closeSentAt = Number.POSITIVE_INFINITY, endedItself }) =>
    endedItself === true || closeSentAt <= answeredAt
      ? []
      : [
          { at: answeredAt, by: 1 },
          { at: closeSentAt, by: -1 },
        ],
  )
  // At the same moment a close counts first.
  changes.sort((one, other) => one.at - other.at || one.by - other.by)
  let open = 0
  let most: Most = { count: 0, at: Number.NEGATIVE_INFINITY }
  for (const { at, by } of changes) {
    open += by
    if (open > most.count) most = { count: open, at }
  }
  return most
}

/**
 * The most that may have held a place when a create was refused: from the moment a create is sent until its session is known
 * to be closed, and a while longer. A correct target refuses only when all its places are among these.
 */
export function possiblyHeld(
  { opened, unresolved }: PlaceLog,
  { sentAt, answeredAt }: Refused,
  graceMs: number,
): number {
  const held = opened.filter((one) => one.sentAt <= answeredAt && freeAt(one, graceMs) >= sentAt)
  return held.length + unresolved.filter((one) => one.sentAt <= answeredAt).length
}

function freeAt({ closedAt = Number.POSITIVE_INFINITY }: Opened, graceMs: number): number {
  return closedAt + graceMs
}
