import { type AskedResponse, BESIDE, BESIDE_MS, momentsOf, newlyAsked, wentOnFor } from './asked-response.ts'
import { Chain, countFlaw, type Flaw, type Flaws, flawsIn } from './chain.ts'
import { failureOf } from './errors.ts'
import { foreignNamed, type Names, namedIn } from './foreign.ts'
import { objectOf } from '../envelope.ts'
import type { ServerEvent } from './frames.ts'

/** What is sent is heard after so many times the time that a response took to begin, of which the service says nothing. */
const HEARD_TIMES = 3
/** An interrupted response that goes on for so long while no other one begins is not waited for any longer. */
const ENDLESS_MS = 20_000

/** So many deltas have told the name with which a text begins, also where each has one character. */
const TELLING = 100

/** What is known of the connection before a part of it begins. */
export interface Before {
  /** What was asked for, did not begin, and must not begin any more. */
  readonly cleared: readonly string[]
  /** What was asked for, failed, and may begin late. */
  readonly failures: readonly string[]
  /** How many responses were asked for and never began: they may end all the same, and late. */
  readonly unbegun: number
  /** Whether the time of the opening is over, which speaks by itself before the first response of its session. */
  readonly opened: boolean
}

const nothingBefore: Before = { cleared: [], failures: [], unbegun: 0, opened: false }

/** Follows many responses of one control connection at once: those that interrupt each other, and one that waits. */
export class ResponseTracker {
  readonly asked: AskedResponse[] = []
  readonly flaws: Flaws = {}
  /** Errors that name no cause, which is optional (6.2), and those of them that tell of a step of the service. */
  namelessErrors = 0
  #namelessFailures = 0
  /** Whether responses came without their id, which is optional (2.10): of several, nobody knows then which is which. */
  blind = false
  #opened: boolean
  readonly #chains: Chain[] = []
  readonly #name: string
  readonly #names: Names
  readonly #cleared: readonly string[]
  readonly #failures: readonly string[]
  readonly #unbegun: number

  /**
   * @param name every event id that is asked with begins with it, and no other's does
   * @param names what those of the whole connection begin with, of which this is a part, and those of the run
   */
  constructor(
    name: string,
    names: Names = { own: name, run: name },
    { cleared, failures, unbegun, opened }: Before = nothingBefore,
  ) {
    this.#name = name
    this.#opened = opened
    this.#names = names
    this.#cleared = cleared
    this.#failures = failures
    this.#unbegun = unbegun
  }

  ask(eventId: string, text: string, sentAt: number, waits = false): AskedResponse {
    const asked = newlyAsked({ eventId, text, sentAt, waits, errorsBefore: this.namelessErrors })
    this.asked.push(asked)
    return asked
  }

  take(event: ServerEvent, at: number): void {
    const { type } = event
    if (type === 'response.output_text.delta') this.#delta(event, at)
    else if (type === 'response.created') this.#created(event, at)
    else if (type === 'response.output_text.done')
      this.#chain(event['response_id']).textDone(event['item_id'], event['output_index'], event['text'])
    else if (type === 'response.output_item.done')
      this.#chain(event['response_id']).itemDone(objectOf(event['item'])['id'], event['output_index'])
    else if (type === 'response.done') this.#done(event, at)
    else if (type === 'error') this.#failed(event)
    if (type === 'response.created' || type === 'response.done')
      this.blind ||= typeof objectOf(event['response'])['id'] !== 'string'
  }

  /** Whether nothing more is to come of it. One that was interrupted before it began need not begin any more. */
  isOver(asked: AskedResponse): boolean {
    const { doneAt, rejected, chain, waits, beside } = asked
    if (doneAt !== undefined || rejected || beside?.told === true) return true
    const later = this.asked.slice(this.asked.indexOf(asked) + 1)
    return chain === undefined && !waits && later.some((one) => !one.waits && one.chain !== undefined)
  }

  /** What was waited for in vain may be what failed, where an error told of that without a name, and `second` what was rejected. */
  blameNameless(silent: readonly (AskedResponse | undefined)[], second: AskedResponse | undefined): void {
    const unheard = silent.filter((one) => one !== undefined && one.chain === undefined && !one.rejected)
    for (const one of unheard.slice(0, this.#namelessFailures)) if (one !== undefined) one.failed = true
    const isTold = this.namelessErrors > this.#namelessFailures
    if (second !== undefined && second.chain === undefined && !second.failed) second.rejected ||= isTold
  }

  /**
   * "Clears any pending `after_current_response`" (4.4): what waited for a response that was cut by the next one did not begin
   * before, since that one was still going on, and must not begin any more.
   */
  judgeCleared(active: AskedResponse, waited: AskedResponse): void {
    const cut = active.named && active.chain?.status === 'cancelled'
    if (cut && waited.named) this.#flaw('cleared-ran')
  }

  /**
   * What was asked for while another response went on for long, and waited for its end: an `interrupt`, which never waits, or
   * a second one beside `waiting`, which is to be rejected. A service may be slow to hear, but not that slow, and what was
   * heard late is done late: only what began after the end of the other did wait.
   */
  judgeWaits(waiting: AskedResponse | undefined, second: AskedResponse | undefined): void {
    if (this.blind) return
    for (const [index, one] of this.asked.entries()) {
      const { doneAt, chain } = one
      const ms = wentOnFor(one)
      if (ms < BESIDE_MS) continue
      const began = (other: AskedResponse | undefined): boolean =>
        other?.named === true &&
        !other.failed &&
        chain?.status === 'completed' &&
        (other.createdAt ?? 0) >= (doneAt ?? Infinity)
      const rivals = this.asked.slice(index + 1).filter(({ waits }) => !waits)
      const isEndless = ms >= ENDLESS_MS && this.namelessErrors === one.errorsBefore
      const untold = rivals.filter(({ rejected, failed, chain: other }) => !rejected && !failed && other === undefined)
      if (rivals.some(began) || (isEndless && rivals.length > 0 && untold.length === rivals.length))
        this.#flaw('interrupt-waited')
      if (rivals.length === 0 && second?.errorsBefore === this.namelessErrors && began(waiting) && began(second))
        this.#flaw('second-waited')
    }
  }

  /** Of all chains that began here, and of events that belong to none. */
  allFlaws(): Flaws {
    const all = { ...this.flaws }
    if (this.blind) return all
    for (const chain of this.#chains)
      if (chain.started) for (const [flaw, count] of flawsIn(chain.flaws)) countFlaw(all, flaw, count)
    const others = this.#endsOfOthers()
    if (others > 0) countFlaw(all, 'created-missing', others)
    return all
  }

  /** How many that were asked for have not begun so far. */
  get unbegun(): number {
    return this.#unbegun + this.asked.filter(({ chain }) => chain === undefined).length
  }

  /** What was interrupted before it began may end all the same, and so may an opening; more ends than that are of another session. */
  #endsOfOthers(): number {
    const ends = this.#chains.filter(({ started, status }) => !started && status !== undefined).length
    return Math.max(0, ends - this.unbegun - (this.#opened ? 0 : 1))
  }

  #flaw(flaw: Flaw): void {
    countFlaw(this.flaws, flaw)
  }

  #delta(event: ServerEvent, at: number): void {
    const chain = this.#chain(event['response_id'])
    chain.delta(event['item_id'], event['output_index'], event['delta'])
    // Whose it is shows soon, and looking at it costs more with every delta.
    if (chain.deltas <= TELLING) this.#spokenBy(chain)
    const index = this.asked.findIndex((one) => one.chain === chain)
    const asked = this.asked[index]
    if (asked === undefined) return
    if (chain.deltas === 1) asked.firstDeltaAt = at
    asked.lastDeltaAt = at
    this.#goesOn(asked, at)
    // Which is which is only sure where the target says it.
    const later = asked.named ? this.asked.slice(index + 1).filter(({ named }) => named) : []
    if (later.length === 0) return
    const { waits } = this.asked[index + 1] ?? {}
    if (waits === true && later[0] === this.asked[index + 1] && asked.beside === undefined) this.#flaw('pending-early')
    asked.beside ??= { count: 0, from: at, told: false }
    const { beside } = asked
    beside.count += 1
    if (beside.told || beside.count < BESIDE || at - beside.from < BESIDE_MS) return
    beside.told = true
    this.#flaw('two-at-once')
  }

  #goesOn(asked: AskedResponse, at: number): void {
    const sentLast = this.asked.at(-1)
    if (!asked.named || asked.createdAt === undefined || sentLast === undefined || sentLast === asked) return
    if (at < sentLast.sentAt + HEARD_TIMES * (asked.createdAt - asked.sentAt)) return
    asked.on ??= { count: 0, from: at }
    asked.on.count += 1
  }

  #created(event: ServerEvent, at: number): void {
    const chain = this.#chain(objectOf(event['response'])['id'])
    chain.created()
    const named = namedIn(event['request_event_id'])
    const asked = this.#answeredBy(named)
    // What named no request, and was taken for its answer, may have been the opening.
    const isSecond = asked?.chain !== undefined && asked.chain !== chain
    if (isSecond && (asked.named || !this.#isOpening(asked))) this.#flaw('request-answered-again')
    if (asked === undefined || asked.chain !== undefined) return
    if (asked.rejected && asked.waits) this.#flaw('rejected-ran')
    asked.chain = chain
    asked.named = named !== undefined
    asked.createdAt = at
  }

  /** `request_event_id` is optional: without it, responses begin in the order in which they were asked for. */
  #answeredBy(named: string | undefined): AskedResponse | undefined {
    if (named === undefined)
      return this.asked.find((one) => one.chain === undefined && !one.rejected && !one.failed && !one.cleared)
    const other = foreignNamed(this.#names, named)
    if (other !== undefined) this.#flaw(other)
    // What was asked before this part began is over.
    else if (!named.startsWith(this.#name) && !this.#failures.includes(named))
      this.#flaw(this.#cleared.includes(named) ? 'cleared-ran' : 'request-answered-again')
    return this.asked.find(({ eventId }) => eventId === named)
  }

  #done(event: ServerEvent, at: number): void {
    const response = objectOf(event['response'])
    const chain = this.#chain(response['id'])
    chain.done(response['status'])
    const asked = this.#spokenBy(chain)
    if (asked === undefined || asked.doneAt !== undefined) return
    asked.doneAt = at
    if (chain.status === 'completed') chain.expect(asked.text)
  }

  /**
   * Where responses don't name their requests, one that was interrupted may never have begun, and one that was cleared may
   * have, since what was asked for is heard late: the text tells whose it is.
   */
  #spokenBy(chain: Chain): AskedResponse | undefined {
    const taken = this.asked.find((one) => one.chain === chain)
    if (this.blind || taken?.named === true) return taken
    const text = chain.text()
    if (text === '' || taken?.text.startsWith(text) === true) return taken
    const isFree = (one: AskedResponse): boolean => one.doneAt === undefined || one.chain?.text() === ''
    const meant = this.asked.find((one) => !one.named && isFree(one) && one.text.startsWith(text))
    if (meant === undefined) return this.#isOpening(taken) ? undefined : taken
    const [own, other] = [momentsOf(taken), momentsOf(meant)]
    Object.assign(meant, own, { chain })
    // What ended without a word may have been any of those that were interrupted.
    const speechless = other.doneAt !== undefined
    const cleared = speechless ? this.asked.find((one) => one.cleared && one.chain === undefined) : undefined
    if (cleared !== undefined) Object.assign(cleared, other)
    if (taken !== undefined) Object.assign(taken, speechless ? momentsOf(undefined) : other)
    return meant
  }

  /** Once, what was taken for the first response and speaks another text may be the opening. */
  #isOpening(taken: AskedResponse | undefined): boolean {
    if (this.#opened || taken === undefined || taken !== this.asked.find((one) => !one.rejected && !one.failed))
      return false
    const text = taken.chain?.text() ?? ''
    if (text !== '' && taken.text.startsWith(text)) return false
    Object.assign(taken, momentsOf(undefined))
    return (this.#opened = true)
  }

  #failed(event: ServerEvent): void {
    const eventId = namedIn(objectOf(event['error'])['event_id'])
    const isRejection = failureOf(event) === 'rejected'
    if (eventId === undefined) this.namelessErrors += 1
    if (eventId === undefined && !isRejection) this.#namelessFailures += 1
    const asked = this.asked.find((one) => one.eventId === eventId)
    // What has begun may have trouble of another kind.
    if (asked === undefined || asked.chain !== undefined) return
    asked.rejected ||= isRejection
    asked.failed ||= !isRejection
  }

  #chain(id: unknown): Chain {
    const known = this.#chains.find((chain) => chain.id === id)
    if (known !== undefined) return known
    const chain = new Chain()
    chain.id = id
    this.#chains.push(chain)
    return chain
  }
}
