import type { WalkMemory } from './steering.ts'
import type { Usage } from '#client/pace/pace'
import type { Channel, ConnectCall, Exchange, RestCall } from '#client/types'
import type { OperationId } from '#spec/tables'
import type { Ability, KeyName, Profile, Timeouts } from '#spec/profile'
import type { RequirementId } from '#spec/register'
import type { Condition } from '#trace/claim'
import type { Tier, Walked, WaitEntry } from '#trace/entry'
import type { JsonObject } from '#trace/json'
import type { ClaimTerms, Expectation, Terms } from './expectation.ts'

/** An avatar session that this run made. */
export interface OpenSession {
  readonly id: string
  /** The create that made it. */
  readonly exchange: number
  readonly key: KeyName
  /** `data` of the create, with real secrets. */
  readonly data: JsonObject
}

/** One or several. */
type Expect<Row extends RequirementId> = Expectation<Row> | readonly Expectation<Row>[]

/** What rows ask of the answer: claimed under its number before the call is sent. */
interface Expecting<Row extends RequirementId> {
  readonly expect?: Expect<Row> | undefined
}

/** A REST call that carries what is expected of its answer. */
export interface Call<Row extends RequirementId = never> extends RestCall, Expecting<Row> {}

export interface CreateOptions<Row extends RequirementId = never> extends Expecting<Row> {
  /** Number reserved for the create. */
  readonly exchange?: number
  /** Default `primary`. */
  readonly key?: KeyName
  /** Default `create-avatar-session`. */
  readonly operation?: 'create-avatar-session' | 'create-session-from-character'
}

export interface OpenOptions {
  /** Number reserved for the channel. */
  readonly channel?: number
  /** Default `query`. */
  readonly credential?: ConnectCall['credential']
  /** Overrides the session's own secret. */
  readonly secret?: string
  /** Sends the API key of this name in the place of the secret. */
  readonly api_key?: KeyName
  /** Overrides the session's own control URL. */
  readonly url?: string
  /** See {@link ConnectCall.expects_refusal}. */
  readonly expects_refusal?: boolean
}

/** A context that may claim any row. */
export type AnyContext = Context<RequirementId>

/**
 * All that a scenario may do. Everything is recorded, paced and paid for.
 *
 * @typeParam Row rows that may be claimed with it; none unless it says so
 */
export interface Context<Row extends RequirementId = never> {
  readonly profile: Profile
  readonly tier: Tier
  readonly timeouts: Timeouts
  /** Aborted when the run is interrupted; every wait and call ends with it. */
  readonly signal: AbortSignal
  offers(ability: Ability): boolean
  has(key: KeyName): boolean
  /** Whether the run leaves out what this scenario claims of the row, with the request that is only there for it. */
  leavesOut(row: RequirementId): boolean
  /** Whether the run does what this scenario has under this id among its optional requests. */
  takes(optional: string): boolean
  /** How much the whole run used the key in the last `ms`, which are at most three minutes. */
  usage(key: KeyName, ms: number): Usage
  /** `word-<run>-<n>`: an id never used before (idempotency keys, event ids, item ids). */
  id(word: string): string
  /** Integer from 0 below `below`, from the run's seed and the scenario's id. */
  random(below: number): number

  /** Reserves numbers that claims can name before anything is sent. */
  exchange(): number
  channelNumber(): number
  /**
   * Writes the claims of an expectation. @returns the number under which the call is to be sent: a new one unless given
   */
  readonly expect: (expectation: Expect<Row>, exchange?: number) => number
  /** One claim, for what no single answer tells. */
  readonly claim: (row: Row, condition: Condition, terms?: Terms | ClaimTerms) => void
  /** @param walk what walks through something have made of it */
  mark(label: string, walk?: Walked): number

  /** One REST call. Never throws for what the target answers; throws {@link Blocked} when the budget or run is over. */
  call(operation: OperationId, call?: Call<Row>): Promise<Exchange>

  /**
   * Creates an avatar session with a fresh idempotency key unless the body has one. Journalled before it is sent, closed
   * at the end of the scenario unless `close` did it. 30006 is waited out with the same key.
   *
   * @throws Blocked when no session came of it (`quota`, `network`, `prerequisite`).
   */
  create(body: JsonObject, options?: CreateOptions<Row>): Promise<OpenSession>
  /**
   * For creates that a scenario sends by `call` because their answer is what matters (volleys, rejections): journals the
   * intent. Whatever session comes of it is closed at the end. Returns the answer as it came.
   */
  attempt(body: JsonObject, call?: Call<Row>): Promise<Exchange>
  /** The session that a create sent by `call` or `attempt` made. @throws Blocked when it made none. */
  adopt(answer: Exchange, key?: KeyName): OpenSession
  /** Asks for a close by REST and forgets the session; its answer counts as any other. */
  close(session: OpenSession, call?: Call<Row>): Promise<Exchange>
  /** Polls Get Session until `data.status` is `closed`/`failed`, Get says 20005, or twice `closed_ms` is over; backs off between polls. */
  closed(session: OpenSession): Promise<Exchange>

  /** Opens a control connection; never throws for a refusal (see `channel.state`). */
  open(session: OpenSession, options?: OpenOptions): Promise<Channel>
  /** Opens a control connection and throws Blocked (`prerequisite`/`network`) unless it was admitted. */
  connect(session: OpenSession, options?: OpenOptions): Promise<Channel>

  /** Waits for what our claims still expect on a channel and what may only be late; so does its close. */
  hearLate(channel: Channel): Promise<void>
  /** By kind of event: how often its absence was watched to the end in this run, so that nobody need do so over and over. */
  readonly silences: Map<string, number>
  /** By what walks go through: what walks of this run have made and seen. */
  readonly walked: Map<string, WalkMemory>

  /** Lets time pass; recorded. */
  wait(ms: number, why: WaitEntry['why']): Promise<void>
  /** Ends the scenario: something outside its rows stands in the way. */
  block(code: 'quota' | 'network' | 'prerequisite' | 'model_choice', reason: string): never
}
