import { DOUBT_MS } from '../../core/events/errors.ts'
import type { ServerEvent } from '../../core/events/frames.ts'
import type { AskedResponse } from '../../core/events/asked-response.ts'
import { type Before, ResponseTracker } from '../../core/events/response-tracker.ts'
import { ENDING_MS } from '../avatar-session.ts'
import type { ControlChannel } from '../control-channel.ts'
import { type AskedRound, countFlaws, countRound, hasFailed, isCutShort, isFine, isOfOrder } from './interrupt-count.ts'
import type { InterruptMachine } from './interrupt-machine.ts'
import { namesOf } from '../machine.ts'
import { scriptText, SHORTER } from '../script-text.ts'

/** The numbers of the others come behind those of what is interrupted, which are this many at most. */
const INTERRUPTED = 3

/** What is interrupted has to be longer than an interruption may take to show, also where a text is out in no time. */
const LONG_TEXT = 12_000

/**
 * Of a text that comes a character or two at a time so much is enough: a generator that has to read thousands of deltas a second
 * would be what is measured. Nor is a response of more characters than this made to go on for long.
 */
const FINER = 1 / 4
const MOST_FINE = 1_000

/** The last response of a round has to go on for so long to show whether more than one can wait for it. */
const LONG_MS = 4_000

/**
 * `cut`: the connection was, `ended`: by the service, which ended the session. `blind`: responses came without ids, so that
 * nobody knows which is which. `overtime`: it still went on when the time of the iteration was over. `unordered`: what was
 * sent at once may have been handled in another order.
 */
type Outcome = 'whole' | 'silent' | 'overtime' | 'cut' | 'ended' | 'blind' | 'unordered'

/** What nothing answers has been heard after so many times as long as the first response took to begin, within these bounds. */
const HEARD_TIMES = 4
const HEARD_MS = { least: 300, most: 1_000 } as const
/** What should have been answered has been heard after so long. */
const UNANSWERED_MS = 3_000

interface RoundOptions {
  readonly name: string
  readonly end: number
  /** What is known from the rounds before this one. */
  readonly before: Before
  /** Characters of the last response, if not as many as the workload says. */
  readonly longest: number
  /** How many responses are interrupted. */
  readonly interrupted: number
  /** Characters of the others at most. */
  readonly most: number
  /** Whether each is sent once the one before was heard: what is sent at once may be handled in any order. */
  readonly oneByOne: boolean
  hasEnded(): Promise<boolean>
}

/**
 * One round on an idle connection: responses that interrupt each other, the first as soon as it speaks, the others at once;
 * then one that waits for the last of them, and another one, for which there is no room. One that waits for the first is
 * cleared by the second.
 */
export class InterruptRound {
  readonly #machine: InterruptMachine
  readonly #channel: ControlChannel
  readonly #tracker: ResponseTracker
  readonly #name: string
  readonly #end: number
  readonly #longest: number
  readonly #hasEnded: () => Promise<boolean>
  /** What waits for the first response, and is cleared by the second. */
  #waited: AskedResponse | undefined
  #last: AskedResponse | undefined
  readonly #oneByOne: boolean
  readonly #interrupted: number
  #isUnordered = false
  #isBounded = false
  #characters: number
  #movedAt: number
  #wanted: () => boolean = () => true
  #settle: (outcome: Outcome) => void = () => undefined
  #isCut = false

  /**
   * @param round `end`: when the time of the iteration is over, since its session has to be closed before k6 breaks it off;
   * `hasEnded` tells whether the service itself has ended the session
   */
  constructor(
    machine: InterruptMachine,
    channel: ControlChannel,
    { name, end, before, longest, interrupted, most, oneByOne, hasEnded }: RoundOptions,
  ) {
    this.#machine = machine
    this.#channel = channel
    this.#name = name
    this.#end = end
    this.#longest = longest
    this.#oneByOne = oneByOne
    this.#interrupted = interrupted
    this.#characters = Math.min(most, machine.workload.characters)
    this.#hasEnded = hasEnded
    this.#tracker = new ResponseTracker(name, namesOf(machine), before)
    this.#movedAt = machine.now()
  }

  async play(): Promise<Outcome> {
    const { first, spoke } = await this.#speak()
    if (isFine(first)) this.#characters = Math.ceil(FINER * this.#characters)
    const cleared = this.#ask('after_current_response', INTERRUPTED + 4)
    this.#waited = cleared
    if (cleared !== undefined) cleared.cleared = true
    await this.#untilHeard(first)
    const interrupted = [first]
    for (let index = 1; index < this.#interrupted; index += 1) interrupted.push(await this.#interrupt(index))
    const last = await this.#interrupt(INTERRUPTED, this.#longest)
    this.#last = last
    const pending = this.#ask('after_current_response', INTERRUPTED + 1)
    await this.#untilHeard(first)
    const second = this.#ask('after_current_response', INTERRUPTED + 2)
    const all = [...interrupted, last, pending]
    // Also after a silence: what is said of those that were asked for last has been waited for.
    const ended = await this.#untilSure(
      () => all.every((one) => this.#isOver(one) || hasFailed(one)) && this.#isTold(second),
      all,
    )
    if (ended === 'whole' && !this.#isOver(second)) await this.#settleDoubt(second)
    if (ended === 'silent') this.#tracker.blameNameless([last, pending], second)
    // What took its place begins now, if it should have been cleared.
    if (pending?.rejected === true || hasFailed(pending)) await this.#machine.wait(DOUBT_MS)
    if (first !== undefined && cleared !== undefined) this.#tracker.judgeCleared(first, cleared)
    this.#tracker.judgeWaits(pending, second)
    const seen = this.#tracker.blind ? 'blind' : ended === 'whole' ? spoke : ended
    const isShort = [last, pending].some((one) => isCutShort(one))
    if (isShort && !this.#isCut) await this.#machine.wait(ENDING_MS)
    const outcome = (seen === 'cut' || isShort) && (await this.#hasEnded()) ? 'ended' : seen
    return this.#count({ interrupted, last, pending, second }, outcome)
  }

  /** Asks for the first response, shorter where that is too long, until it speaks. */
  async #speak(): Promise<{ readonly first: AskedResponse | undefined; readonly spoke: Outcome }> {
    const names = [0, INTERRUPTED + 3, INTERRUPTED + 5]
    let first: AskedResponse | undefined
    let spoke: Outcome = 'whole'
    for (const [tries, name] of names.entries()) {
      first = this.#ask('interrupt', name, tries === 0 ? LONG_TEXT : 0)
      spoke = await this.#untilSure(() => this.#speaks(first), [first])
      if (!this.#isRefused(first)) break
      // The target takes no text of that length.
      this.#isBounded = true
      if (tries === 1) this.#characters = Math.ceil(SHORTER * this.#characters)
    }
    return { first, spoke }
  }

  /** What interrupts comes at once, or once the one before was heard. */
  async #interrupt(index: number, atLeast = 0): Promise<AskedResponse | undefined> {
    const asked = this.#ask('interrupt', index, atLeast)
    if (!this.#oneByOne) return asked
    const until = this.#machine.now() + UNANSWERED_MS
    const isHeard = (): boolean => asked?.chain !== undefined || this.#isTold(asked)
    while (!isHeard() && !this.#isCut && this.#machine.now() < until) await this.#machine.wait(HEARD_MS.least / 10)
    return asked
  }

  /** One by one: until what was sent last, and is not answered, has been heard. */
  async #untilHeard(first: AskedResponse | undefined): Promise<void> {
    const { createdAt = 0, sentAt = 0 } = first ?? {}
    const ms = Math.min(HEARD_MS.most, Math.max(HEARD_MS.least, HEARD_TIMES * (createdAt - sentAt)))
    if (this.#oneByOne && !this.#isCut) await this.#machine.wait(ms)
  }

  /** What could not be sent is over, too. */
  #isOver(asked: AskedResponse | undefined): boolean {
    return asked === undefined || this.#tracker.isOver(asked)
  }

  #speaks(asked: AskedResponse | undefined): boolean {
    return asked?.firstDeltaAt !== undefined || this.#isOver(asked) || this.#isTold(asked)
  }

  /** Whether its rejection was told, by an error that names it or may mean it: "`error.event_id` optional" (6.2). */
  #isRefused(asked: AskedResponse | undefined): boolean {
    if (asked === undefined || asked.chain !== undefined) return false
    return asked.rejected || asked.failed || this.#tracker.namelessErrors > asked.errorsBefore
  }

  #isTold(asked: AskedResponse | undefined): boolean {
    return this.#isOver(asked) || this.#isRefused(asked)
  }

  /** An error may have meant something else: what begins all the same is waited for. */
  async #settleDoubt(asked: AskedResponse | undefined): Promise<void> {
    await this.#machine.wait(DOUBT_MS)
    if (this.#isRefused(asked) && asked !== undefined) asked.rejected = !asked.failed
    else await this.#until(() => this.#isOver(asked))
  }

  /** What was cleared before it began. */
  get cleared(): readonly string[] {
    const one = this.#waited
    return one === undefined || one.chain !== undefined || this.#isUnordered ? [] : [one.eventId]
  }

  /** How many never began, here and before. */
  get unbegun(): number {
    return this.#tracker.unbegun
  }

  /** What failed before it began, or nobody knows of what became of it, and may begin late. */
  get failures(): readonly string[] {
    const { asked } = this.#tracker
    const unknown = asked.filter((one) => (this.#isUnordered ? one.chain === undefined : hasFailed(one)))
    return unknown.map(({ eventId }) => eventId)
  }

  /** So many characters take the target `LONG_MS`, as its last response here showed. */
  get longText(): number {
    const { text, firstDeltaAt, lastDeltaAt } = this.#last ?? {}
    if (this.#isBounded || text === undefined || firstDeltaAt === undefined || lastDeltaAt === undefined) return 0
    const long = Math.min(LONG_TEXT, Math.ceil((text.length * LONG_MS) / Math.max(1, lastDeltaAt - firstDeltaAt)))
    return isFine(this.#last) && long > MOST_FINE ? 0 : long
  }

  /** So many characters were spoken here in `LONG_MS`, where anything went on for a while. */
  get paced(): number {
    const spans = this.#tracker.asked.map(({ firstDeltaAt = 0, lastDeltaAt = 0 }) => lastDeltaAt - firstDeltaAt)
    const span = Math.max(...spans)
    const spoken = this.#tracker.asked[spans.indexOf(span)]?.chain?.text().length ?? 0
    return span < HEARD_MS.most ? Number.POSITIVE_INFINITY : Math.ceil((spoken * LONG_MS) / span)
  }

  take(event: ServerEvent, at: number): void {
    this.#movedAt = at
    this.#tracker.take(event, at)
    if (this.#wanted()) this.#settle('whole')
  }

  cut(): void {
    this.#isCut = true
    this.#settle('cut')
  }

  /** @returns undefined when the connection is gone */
  #ask(scheduling_policy: string, index: number, atLeast = 0): AskedResponse | undefined {
    const eventId = `${this.#name}${index}`
    const text = scriptText(`Script ${eventId}`, Math.max(atLeast, this.#characters))
    const response = { scheduling_policy, script: { vocal: { type: 'speech', text } } }
    const sentAt = this.#channel.send({ type: 'response.create', event_id: eventId, response })
    const waits = scheduling_policy === 'after_current_response'
    return sentAt === undefined ? undefined : this.#tracker.ask(eventId, text, sentAt, waits)
  }

  /** Waits as long as something moves and there is time. */
  async #until(wanted: () => boolean): Promise<Outcome> {
    if (this.#isCut) return 'cut'
    if (wanted()) return 'whole'
    this.#wanted = wanted
    this.#movedAt = this.#machine.now()
    let callOff = (): void => undefined
    const watch = (): void => {
      const now = this.#machine.now()
      const left = Math.min(this.#movedAt + this.#machine.workload.patience_ms, this.#end) - now
      if (left > 0) callOff = this.#machine.later(left, watch)
      else this.#settle(now >= this.#end ? 'overtime' : 'silent')
    }
    const outcome = await new Promise<Outcome>((resolve) => {
      this.#settle = resolve
      watch()
    })
    callOff()
    this.#wanted = () => true
    this.#settle = () => undefined
    return outcome
  }

  /** What failed may begin all the same, and is waited for then. */
  async #untilSure(wanted: () => boolean, among: readonly (AskedResponse | undefined)[]): Promise<Outcome> {
    const outcome = await this.#until(wanted)
    if (outcome !== 'whole' || !among.some(hasFailed)) return outcome
    const until = this.#machine.now() + DOUBT_MS
    while (among.some(hasFailed) && this.#machine.now() < until) await this.#machine.wait(DOUBT_MS / 25)
    return this.#until(wanted)
  }

  async #count(asked: AskedRound, outcome: Outcome): Promise<Outcome> {
    const flaws = this.#tracker.allFlaws()
    const isSure = outcome !== 'whole' && outcome !== 'silent'
    this.#isUnordered = !this.#oneByOne && !isSure && isOfOrder(asked, flaws)
    if (this.#isUnordered) {
      await this.#until(() => this.#tracker.asked.every((one) => one.chain === undefined || one.doneAt !== undefined))
      await this.#machine.wait(DOUBT_MS)
    }
    countFlaws(this.#machine, flaws, this.#oneByOne ? undefined : asked)
    if (this.#isUnordered) return this.#isCut ? 'cut' : 'unordered'
    // What a lost connection left open says nothing, nor does what had no time to end, or what nobody can tell apart.
    if (!isSure) countRound(this.#machine, asked)
    return outcome
  }
}
