import type { Chain } from './chain.ts'

/**
 * So many deltas over so many milliseconds are no rest of an interrupted response that was still under way: it is spoken
 * beside another one.
 */
export const BESIDE = 5
export const BESIDE_MS = 1_500

/** What became of one `response.create`. Moments are on the machine's clock; undefined for what has not come. */
export interface AskedResponse {
  readonly eventId: string
  readonly text: string
  readonly sentAt: number
  /** Whether it waits for the one before, and does not interrupt it. */
  readonly waits: boolean
  createdAt: number | undefined
  /** Whether another one that is asked for after it clears it before it can begin. */
  cleared: boolean
  /** Whether the target said itself that this request is answered. */
  named: boolean
  firstDeltaAt: number | undefined
  lastDeltaAt: number | undefined
  doneAt: number | undefined
  rejected: boolean
  /** Whether an error told that a step of the service failed over it before it began: it may be tried again. */
  failed: boolean
  /** How many errors that name no cause had come when it was asked for. */
  readonly errorsBefore: number
  chain: Chain | undefined
  /** Its deltas that came after one that was asked for later had begun: how many, since when, and whether that was told. */
  beside: { count: number; readonly from: number; told: boolean } | undefined
  /** Its deltas that came after all that was asked for later must have been heard: how many, and since when. */
  on: { count: number; readonly from: number } | undefined
}

/** Of one that was just sent, nothing has come. */
export const newlyAsked = (
  asked: Pick<AskedResponse, 'eventId' | 'text' | 'sentAt' | 'waits' | 'errorsBefore'>,
): AskedResponse => ({
  ...asked,
  createdAt: undefined,
  cleared: false,
  named: false,
  firstDeltaAt: undefined,
  lastDeltaAt: undefined,
  doneAt: undefined,
  rejected: false,
  failed: false,
  chain: undefined,
  beside: undefined,
  on: undefined,
})

/** What is known of a response once its chain is known to be its own. */
export const momentsOf = (one: AskedResponse | undefined): Partial<AskedResponse> => ({
  chain: one?.chain,
  createdAt: one?.createdAt,
  firstDeltaAt: one?.firstDeltaAt,
  lastDeltaAt: one?.lastDeltaAt,
  doneAt: one?.doneAt,
})

/** For how many milliseconds it was spoken after all that was asked for later must have been heard; 0 where few deltas came. */
export const wentOnFor = ({ on, lastDeltaAt = 0 }: AskedResponse): number =>
  on === undefined || on.count < BESIDE ? 0 : lastDeltaAt - on.from
