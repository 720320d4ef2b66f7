import type { Answer, Ending } from '../core/converse-measures.ts'
import type { Session } from '../core/envelope.ts'
import { FrameReader, type ServerEvent } from '../core/frames.ts'
import type { Histogram } from '../core/histogram.ts'
import { type Progress, Replies } from '../core/replies.ts'
import { retryAfter } from '../core/retry.ts'
import type { Workload } from '../workloads.ts'
import { speechText } from './speech.ts'
import type { Line, Listener, Stage } from './stage.ts'

/** How long the other side may take to close, in milliseconds. */
const GOODBYE_MS = 2_000

/** Of how many events one is asked how long it lay in the generator, since asking costs a tenth of reading it. */
const LAG_SAMPLE = 8

/**
 * What one virtual user does: creates a text session, opens its control channel, has scripted speeches spoken one
 * after the other, counts and times all events, hangs up, closes the session.
 */
export function converse(stage: Stage, workload: Workload): void {
  stage.tally.count('conversations', 'begun')
  // At once, so that a conversation that k6 breaks off is missed.
  stage.flush()
  arrive(stage, workload, 1)
}

function arrive(stage: Stage, workload: Workload, attempts: number): void {
  const created = stage.createSession()
  if ('session' in created) {
    new Conversation(stage, workload, created.session).begin()
    return
  }
  const { refusal } = created
  stage.tally.count('refusals', refusal)
  const wait = retryAfter(refusal, attempts, stage.random())
  if (wait === undefined) turnAway(stage, refusal)
  else stage.later(wait, () => arrive(stage, workload, attempts + 1))
}

function turnAway(stage: Stage, refusal: string): void {
  stage.tally.count('turned_away', refusal)
  stage.tally.count('conversations', 'refused')
  stage.flush()
}

class Conversation implements Listener {
  readonly #stage: Stage
  readonly #workload: Workload
  readonly #session: Session
  readonly #reader = new FrameReader()
  readonly #replies = new Replies()
  // Held, because every event needs them.
  readonly #lag: Histogram
  readonly #gap: Histogram
  readonly #began: number
  #line: Line | undefined
  #heard = 0
  /** More events than this are no conversation: a delta for each character and again as many are. */
  readonly #bound: number
  #spoken = 0
  #sentAt = 0
  /** When the last thing happened that the target owed us. */
  #movedAt: number
  #ending: Ending | undefined
  #over = false
  #callOff: () => void = () => undefined

  constructor(stage: Stage, workload: Workload, session: Session) {
    this.#stage = stage
    this.#workload = workload
    this.#bound = workload.speeches * (2 * workload.characters + 1_000)
    this.#session = session
    this.#lag = stage.tally.time('handler_lag_ms')
    this.#gap = stage.tally.time('delta_gap_ms')
    this.#began = stage.now()
    this.#movedAt = this.#began
  }

  begin(): void {
    this.#line = this.#stage.connect(this.#session, this)
    if (this.#line === undefined) this.#conclude('unsafe')
    else this.#watch()
  }

  opened(): void {
    if (this.#ending !== undefined) return
    this.#speak()
  }

  heard(frame: unknown, at: number): void {
    if (this.#ending !== undefined) return
    this.#heard += 1
    if (this.#heard % LAG_SAMPLE === 1) this.#lag.record(this.#stage.now() - at)
    const event = this.#reader.read(frame)
    this.#stage.tally.count('events', event?.type ?? 'unreadable')
    if (event !== undefined) this.#follow(event, at)
    if (this.#heard > this.#bound && this.#ending === undefined) this.#stop('flooded')
  }

  #follow(event: ServerEvent, at: number): void {
    const progress = this.#replies.take(event)
    if (progress === 'delta') {
      this.#gap.record(at - this.#movedAt)
      this.#movedAt = at
    } else if (progress !== undefined) {
      this.#movedAt = at
      this.#advance(progress, at)
    } else if (event.type === 'session.closed') {
      this.#leave('cut')
    }
  }

  ended(): void {
    this.#conclude(this.#spoken === 0 ? 'unopened' : 'cut')
  }

  #speak(): void {
    const { speeches, characters } = this.#workload
    if (this.#spoken === speeches) {
      this.#leave('whole')
      return
    }
    this.#spoken += 1
    const eventId = `${this.#stage.name}-${this.#spoken}`
    const text = speechText(`Speech ${eventId}`, characters)
    this.#replies.ask(eventId, text)
    this.#sentAt = this.#stage.now()
    this.#movedAt = this.#sentAt
    const response = { script: { vocal: { type: 'speech', text } } }
    this.#line?.send(JSON.stringify({ type: 'response.create', event_id: eventId, response }))
  }

  #advance(progress: Progress, at: number): void {
    const { tally } = this.#stage
    if (progress === 'created') tally.time('created_ms').record(at - this.#sentAt)
    else if (progress === 'first-delta') tally.time('first_delta_ms').record(at - this.#sentAt)
    else if (progress === 'rejected') this.#stop('rejected')
    else this.#answered(at)
  }

  #answered(at: number): void {
    const chain = this.#replies.answer
    this.#stage.tally.time('response_ms').record(at - this.#sentAt)
    const whole = chain?.status === 'completed'
    this.#count(whole ? (chain.flaws.size === 0 ? 'whole' : 'broken') : 'unfinished')
    this.#speak()
  }

  /** Ends the conversation when nothing moves for too long, or when all of it takes too long. */
  #watch(): void {
    if (this.#over) return
    const { patience_ms, conversation_ms } = this.#workload
    const due = Math.min(this.#movedAt + patience_ms, this.#began + conversation_ms)
    const left = due - this.#stage.now()
    if (left > 0) this.#callOff = this.#stage.later(left, () => this.#watch())
    else if (this.#spoken === 0) this.#leave('unopened')
    else this.#stop('silent')
  }

  #stop(answer: Answer): void {
    this.#count(answer)
    this.#leave('stopped')
  }

  #count(answer: Answer): void {
    this.#stage.tally.count('responses', answer)
  }

  /** Hangs up; the other side may take its time, but not for ever. */
  #leave(ending: Ending): void {
    this.#ending = ending
    this.#callOff()
    this.#callOff = this.#stage.later(GOODBYE_MS, () => this.#conclude(ending))
    this.#line?.close()
  }

  #conclude(ending: Ending): void {
    if (this.#over) return
    this.#over = true
    this.#callOff()
    const { tally } = this.#stage
    const last = this.#ending ?? ending
    if (last === 'cut') tally.count('responses', 'cut')
    tally.count('conversations', last)
    for (const chain of this.#replies.chains())
      for (const [flaw, count] of chain.flaws) tally.count('flaws', flaw, count)
    this.#stage.closeSession(this.#session.id)
    this.#stage.flush()
  }
}
