import { howCut } from '../core/cuts.ts'
import { objectOf, type Session } from '../core/envelope.ts'
import { DOUBT_MS, type Failure, failureOf } from '../core/events/errors.ts'
import type { ServerEvent } from '../core/events/frames.ts'
import type { Histogram } from '../core/histogram.ts'
import { flawsIn, isFlawless, isOwnEnd } from '../core/events/chain.ts'
import { type Progress, Replies } from '../core/events/replies.ts'
import { LAST, type Outcome, type Waiting } from '../core/events/waiting.ts'
import { ENDING_MS, hasEnded } from './avatar-session.ts'
import { ControlChannel } from './control-channel.ts'
import { type Machine, namesOf } from './machine.ts'
import type { Ending, ResponseCount, ResponseTime } from './response-measures.ts'
import { scriptText, SHORTER } from './script-text.ts'
import { OVERTIME_MS } from '../workloads.ts'
import { isTurnedAway, openPatiently } from './upgrade.ts'

export type TalkingMachine = Machine<ResponseCount, ResponseTime>

/** Numbers of the first turn and of the one after the last; `heard`: the ends of all updates before, on another connection. */
type Turns = { readonly from: number; readonly to: number; readonly heard?: boolean }

/**
 * A session with one control connection. Turn by turn it changes the active avatar (`session.update`), has a script spoken
 * (`response.create`), and follows all events.
 */
export class Conversation {
  readonly #machine: TalkingMachine
  readonly #turns: Turns
  readonly #session: Session
  readonly #channel: ControlChannel
  /** Whether `session.closed` came. */
  #closed = false
  /** What an error tells that names no event, and may mean what waits: "`error.event_id` optional" (6.2). */
  #mayBe: Failure | undefined
  readonly #replies: Replies
  readonly #gap: Histogram
  /** No turn begins that would still go on then, if it took as long as the longest before it: speech takes its time. */
  readonly #timeUp: number
  /** More events than this are no conversation: a delta for each character and again as many are. */
  #left: number
  // No Set: it costs a user of k6 17 kB.
  #openUpdates: readonly unknown[] = []
  /** How many were acknowledged. */
  #updates = 0
  /** The active avatar that the last one names, and its id if it was acknowledged with another avatar. */
  #avatar = ''
  #differing: unknown
  #update: Waiting | undefined
  #response: Waiting | undefined
  readonly #more: (text: string, at: number) => void
  /** When the last thing happened that the target owed us. */
  #movedAt: number
  #callOff: () => void = () => undefined
  /** @param within for how long turns may begin */
  constructor(
    machine: TalkingMachine,
    session: Session,
    turns: Turns = { from: 0, to: machine.workload.turns },
    within = machine.workload.iteration_ms,
  ) {
    this.#turns = turns
    this.#machine = machine
    this.#session = session
    this.#replies = new Replies(namesOf(machine))
    this.#channel = new ControlChannel(machine, session, (event, at) => this.#hear(event, at))
    // Not where it is declared: the engine of k6 panics on private fields that begin as functions.
    this.#more = (text, at) => this.#spoke(text, at)
    this.#gap = machine.tally.time('delta_gap_ms')
    this.#left = (turns.to - turns.from) * (2 * machine.workload.characters + 1_000)
    this.#movedAt = machine.now()
    this.#timeUp = this.#movedAt + within
  }

  /**
   * From the connection to its end; the session stays open. All that waits stands in here: each async method that waits
   * for another one costs a user of k6 4 kB.
   * @param leftAt when the connection before was hung up
   * @returns how it ended, which is counted already; `too-soon`: it did not begin, since the connection before was not gone yet
   */
  async hold(leftAt?: number): Promise<Ending | 'too-soon'> {
    const opening = await openPatiently(this.#machine, this.#session, this.#channel, leftAt)
    let ending: Ending = opening === 'unsafe' ? 'unsafe' : 'unopened'
    let [unfinished, failed] = [0, 0]
    if (opening === 'opened') {
      void this.#channel.ended.then(() => this.#settleAll('cut'))
      let [outcome, longest]: [Outcome, number] = ['answered', 0]
      const { turn_interval_ms } = this.#machine.workload
      for (let turn = this.#turns.from; turn < this.#turns.to && outcome === 'answered'; turn += 1) {
        const due = this.#channel.openedAt + (turn - this.#turns.from) * turn_interval_ms
        const early = due - this.#machine.now()
        if (turn_interval_ms > 0 && early > 0) await this.#machine.wait(early)
        const began = this.#machine.now()
        if (longest > 0 && began + longest > this.#timeUp) break
        outcome = await this.#changeAvatar(turn, turn_interval_ms > 0 ? due : this.#machine.now())
        this.#machine.tally.count('updates', outcome === 'answered' ? 'acknowledged' : outcome)
        if (outcome !== 'answered') break
        outcome = await this.#speak(`r${turn}`, turn_interval_ms > 0 ? due : this.#machine.now())
        // Texts may be bounded: a shorter one is for the judge, who knows whether others as long were spoken.
        if (outcome === 'rejected' || outcome === 'failed') {
          const bounded = outcome === 'rejected' ? 'bounded' : 'shortened'
          outcome = await this.#speak(`r${turn}-shorter`, this.#machine.now(), SHORTER)
          if (outcome !== 'rejected' && outcome !== 'failed') this.#machine.tally.count('responses', bounded)
        }
        longest = Math.max(longest, this.#machine.now() - began)
        const became = this.#responseOf(outcome)
        // What the end of its session has cut short is told apart once it is known how the session ended.
        if (became === 'unfinished') unfinished += 1
        else if (became === 'failed') failed += 1
        else this.#machine.tally.count('responses', became)
      }
      // Every accepted `session.update` has a terminal event (3.5), which may come any time later.
      if (outcome === 'answered' && this.#openUpdates.length > 0) {
        outcome = await this.#wait('update', LAST, this.#machine.now(), undefined)
        if (outcome !== 'answered') this.#machine.tally.count('updates', outcome === 'silent' ? 'unended' : outcome)
      }
      if (unfinished + failed > 0 && outcome === 'answered') await this.#machine.wait(ENDING_MS)
      await this.#channel.close()
      for (const [flaw, count] of flawsIn(this.#replies.allFlaws())) this.#machine.tally.count('flaws', flaw, count)
      ending = outcome === 'answered' ? 'whole' : outcome === 'cut' ? 'cut' : 'stopped'
    }
    if (ending === 'cut' && isTurnedAway(this.#channel, leftAt)) return 'too-soon'
    if (ending === 'cut' || ending === 'unopened' || unfinished + failed > 0)
      if (this.#closed || (await hasEnded(this.#machine, this.#session))) ending = 'ended'
    if (unfinished > 0 && ending !== 'ended') this.#machine.tally.count('responses', 'unfinished', unfinished)
    if (failed > 0 && ending !== 'ended') this.#machine.tally.count('responses', 'failed', failed)
    if (ending === 'cut') ending = howCut(this.#machine.tally, this.#channel)
    this.#machine.tally.count('conversations', ending)
    return ending
  }

  #changeAvatar(turn: number, intended: number): Promise<Outcome> {
    const eventId = `${this.#machine.name}-u${turn}`
    this.#openUpdates = [...this.#openUpdates, eventId]
    this.#avatar = turn % 2 === 0 ? 'ben' : 'ada'
    const session = { active_avatar_id: this.#avatar }
    return this.#wait('update', eventId, intended, { type: 'session.update', event_id: eventId, session })
  }

  #speak(name: string, intended: number, share = 1): Promise<Outcome> {
    const eventId = `${this.#machine.name}-${name}`
    const text = scriptText(`Script ${eventId}`, Math.ceil(share * this.#machine.workload.characters))
    this.#replies.ask(eventId, text)
    const response = { script: { vocal: { type: 'speech', text } } }
    return this.#wait('response', eventId, intended, { type: 'response.create', event_id: eventId, response })
  }

  /** What became of the response of a turn. */
  #responseOf(outcome: Outcome): string {
    const chain = this.#replies.answer
    if (outcome === 'silent') return chain === undefined ? 'silent' : 'unended'
    if (outcome !== 'answered') return outcome
    if (chain?.status !== 'completed') return isOwnEnd(chain?.status) ? 'failed' : 'unfinished'
    return isFlawless(chain) ? 'whole' : 'broken'
  }

  /** Sends an event and waits for its answer, as long as something moves. */
  #wait(what: 'update' | 'response', eventId: string, intended: number, event: object | undefined): Promise<Outcome> {
    const settled = new Promise<Outcome>((resolve) => {
      const settle = (outcome: Outcome): void => {
        this.#callOff()
        if (what === 'update') this.#update = undefined
        else this.#response = undefined
        resolve(outcome === 'silent' && waiting.failed ? 'failed' : outcome)
        waiting.failed = false
      }
      const waiting: Waiting = { eventId, sentAt: intended, intended, failed: false, settle }
      if (what === 'update') this.#update = waiting
      else this.#response = waiting
      this.#movedAt = this.#machine.now()
      this.#mayBe = undefined
      this.#watch()
      if (event === undefined) return
      // Last of all: k6 writes what was sent only once this user rests, or a thread of its own has woken up for it.
      const sentAt = this.#channel.send(event)
      if (sentAt === undefined) settle('cut')
      else this.#movedAt = waiting.sentAt = sentAt
    })
    return settled
  }

  #hear(event: ServerEvent, at: number): void {
    const progress = this.#replies.take(event)
    const response = this.#response
    if (progress === 'delta') {
      this.#gap.record(at - this.#movedAt)
      this.#movedAt = at
      this.#channel.takeMore(this.#more)
    } else if (progress !== undefined && response !== undefined) {
      this.#movedAt = at
      this.#advance(progress, response, at)
    } else if (progress === undefined) {
      this.#hearOther(event, at)
    }
    this.#left -= 1
    if (this.#left < 0) this.#settleAll('flooded')
  }

  /** The way of nearly every event: see `ControlChannel`. */
  #spoke(text: string, at: number): void {
    this.#replies.answer?.more(text)
    this.#gap.record(at - this.#movedAt)
    this.#movedAt = at
    this.#left -= 1
    if (this.#left < 0) this.#settleAll('flooded')
  }

  #advance(progress: Exclude<Progress, 'delta'>, waiting: Waiting, at: number): void {
    if (progress === 'created') {
      waiting.failed = false
      this.#record('created', waiting, at)
    } else if (progress === 'first-delta') this.#record('first_delta', waiting, at)
    else if (progress === 'rejected') waiting.settle(progress)
    else if (progress === 'done') {
      this.#record('response', waiting, at)
      waiting.settle('answered')
    } else this.#doubt(waiting)
  }

  /** What begins soon all the same, or had begun before, need not have failed. */
  #doubt(waiting: Waiting): void {
    waiting.failed = true
    if (waiting === this.#response && this.#replies.answer !== undefined) return
    this.#machine.later(DOUBT_MS, () => {
      if (waiting.failed) waiting.settle('failed')
    })
  }

  #hearOther(event: ServerEvent, at: number): void {
    const { type } = event
    if (type === 'session.updated') this.#updated(event, at)
    else if (type === 'session.update.done') this.#updateDone(event, at)
    else if (type === 'session.closed') {
      this.#closed = true
      this.#settleAll('cut')
    } else if (type === 'error' && this.#replies.isNameless(event)) this.#mayBe = failureOf(event)
    else if (type === 'error' && this.#update !== undefined && this.#replies.names(event, this.#update.eventId)) {
      this.#movedAt = at
      if (failureOf(event) === 'rejected') this.#update.settle('rejected')
      else this.#doubt(this.#update)
    }
  }

  #updated({ event_id: eventId, session }: ServerEvent, at: number): void {
    const waiting = this.#update
    if (waiting === undefined || eventId !== waiting.eventId) {
      if (this.#wasUpdated(eventId)) this.#replies.flaw('updated-again')
      return
    }
    this.#updates += 1
    const shown = objectOf(session)['active_avatar_id']
    this.#differing = typeof shown === 'string' && shown !== this.#avatar ? eventId : undefined
    this.#record('update', waiting, at)
    waiting.settle('answered')
  }

  /** Whether it is an update that was acknowledged before: of this connection, or of these turns. */
  #wasUpdated(eventId: unknown, from = this.#turns.from, to = from + this.#updates): boolean {
    for (let turn = from; turn < to; turn += 1) if (eventId === `${this.#machine.name}-u${turn}`) return true
    return false
  }

  #updateDone({ request_event_id: eventId, status }: ServerEvent, at: number): void {
    const left = this.#openUpdates.filter((open) => open !== eventId)
    if (left.length === this.#openUpdates.length) {
      // "Not retained or replayed" (6.2), on a new connection neither.
      const heardTo = this.#turns.heard === true ? this.#turns.from : 0
      if (this.#wasUpdated(eventId) || this.#wasUpdated(eventId, 0, heardTo)) this.#replies.flaw('update-done-again')
      return
    }
    if (eventId === this.#differing && status === 'completed') this.#replies.flaw('avatar-differs')
    this.#openUpdates = left
    this.#movedAt = at
    this.#machine.tally.count('updates', 'done')
    if (status === 'completed' || status === 'failed') this.#machine.tally.count('updates', status)
    if (this.#update?.eventId === eventId) this.#replies.flaw('update-done-early')
    // The last turn waits for what is still owed.
    if (left.length === 0 && this.#update?.eventId === LAST) this.#update.settle('answered')
  }

  #record(what: 'update' | 'created' | 'first_delta' | 'response', { sentAt, intended }: Waiting, at: number): void {
    const { tally } = this.#machine
    tally.time(`${what}_ms`).record(at - sentAt)
    tally.time(`${what}_intended_ms`).record(at - intended)
  }

  /** Ends the turn when nothing moves for too long, or when all of it takes too long. */
  #watch(): void {
    this.#callOff()
    const end = this.#timeUp + OVERTIME_MS
    const left = Math.min(this.#movedAt + this.#machine.workload.patience_ms, end) - this.#machine.now()
    if (left > 0) this.#callOff = this.#machine.later(left, () => this.#watch())
    // What still moves is not silent: the workload ended it.
    else this.#settleAll(this.#machine.now() >= end ? 'overtime' : (this.#mayBe ?? 'silent'))
  }

  #settleAll(outcome: Outcome): void {
    this.#update?.settle(outcome)
    this.#response?.settle(outcome)
  }
}
