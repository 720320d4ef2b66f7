import { event } from '#trace/conditions'
import type { JsonObject } from '#trace/json'
import type { Option } from '#scenario/author/steering'
import type { Walk } from '#scenario/author/walk'
import { speech } from '../bodies.ts'
import { answersTo } from '../error-about.ts'
import { ownItem, retrieve } from '../items/items.ts'
import { speechAsset } from '../assets/additions.ts'
import { type BusySession, story } from '../responses/busy.ts'
import { outlast, quiet } from '../responses/responses.ts'
import type { Talk } from '../talk.ts'
import { askFor } from './ask-for.ts'
import { sendFaulty } from './faulty.ts'
import { plainOf } from './plain.ts'
import { askForCall, createdBy, newAsset, newAvatar, register, updateTo } from './requests.ts'
import { isAnswered, isRefused, stageOf } from './stage-of.ts'
import type { Sent, Stand } from './stand.ts'
import type { Asking } from './waiting.ts'
import { type End, type Operation, optionsAt, pairsWith, type Stage, type Start } from './stages.ts'

/** How long to wait for the end of what was cancelled, in milliseconds. */
const momentMs = 300

/** Responses of one session that interrupt, refuse, wait for and follow each other. Judged by the scheduler's model. */
export class Scheduling implements Walk<Stage, Operation> {
  readonly name = 'scheduling of responses'
  readonly pairs: readonly string[]
  readonly #stand: Stand
  readonly #talk: Talk
  readonly #busy: BusySession
  readonly #starts = new Map<string, Start>()
  /** What responses are that end out of the ordinary. */
  readonly #ends = new Map<string, End>()
  #beside: Talk | undefined
  #waiting: Sent | undefined
  /** Of these one waits, and the other is to be refused. */
  #owed: readonly Sent[] = []
  /** A response never came to its end: nothing more can be told of the session. */
  #stuck = false

  constructor(stand: Stand) {
    this.#stand = stand
    this.#talk = stand.talk
    this.#busy = stand.busy
    this.pairs = pairsWith(stand.offered)
  }

  readonly options = (stage: Stage): readonly Option<Operation>[] =>
    this.#stuck ? [] : optionsAt(stage, this.#stand.abilities)

  readonly perform = async (operation: Operation, stage: Stage): Promise<Stage> => {
    await this.#make(operation, stage)
    return this.#look()
  }

  /** Hears all to its end. Nothing is active then, so that what must not run if anything is starts. */
  async drain(): Promise<void> {
    if (!this.#stuck) await this.#hearOut()
    if (!this.#stuck) {
      await this.#ask('reject_if_busy', {})
      await this.#hearOut()
    }
    await this.#beside?.leave()
  }

  async #make(operation: Operation, stage: Stage): Promise<void> {
    const plain = plainOf(operation, this.#talk, this.#busy)
    if (plain !== undefined) return plain.heard ? this.#hear(plain.response, plain.end) : this.#send(plain.response)
    const asked = askFor(operation, this.#asking)
    if (asked !== undefined) return asked
    switch (operation) {
      case 'interrupt':
        return this.#ask('interrupt', {})
      case 'no policy':
        return this.#ask(undefined, {})
      case 'reject if busy':
        return this.#ask('reject_if_busy', {})
      case 'queue':
        return this.#ask('after_current_response', {})
      case 'out of band':
        return this.#ask('reject_if_busy', { conversation: 'none' })
      case 'queue out of band':
        return this.#ask('after_current_response', { conversation: 'none' })
      case 'speak a registered text':
        return this.#send(speechAsset(await register(this.#talk, this.#words())))
      case 'call a function':
        return this.#hear(await askForCall(this.#talk, this.#stand.words))
      case 'queue behind a call':
      case 'reject beside a call':
        return this.#meetCall(operation === 'queue behind a call' ? 'after_current_response' : 'reject_if_busy')
      case 'start on both connections':
        return this.#startOnBoth()
      case 'queue behind a short one':
        return this.#queueBehind()
      case 'queue on both connections':
        return this.#queueOnBoth()
      case 'three at once':
        return this.#volley()
      case 'join':
        return this.#join()
      case 'faulty':
      case 'faulty script':
      case 'faulty interruption':
        return sendFaulty(operation, stage, { talk: this.#talk, ping: () => this.#ping() })
      default:
        return this.#meanwhile(operation)
    }
  }

  /** What is done, or heard, while something is active. */
  async #meanwhile(operation: Operation): Promise<void> {
    const talk = this.#talk
    switch (operation) {
      case 'update':
        return this.#tell(updateTo(talk, this.#stand.turn()))
      case 'add an avatar':
        return this.#tell(newAvatar(talk))
      case 'add an asset':
        return this.#tell(newAsset(talk))
      case 'cancel it': {
        const frame = talk.send({ type: 'response.cancel', event_id: talk.context.id('cancel') })
        await this.#ping()
        return void (await talk.channel.next(event('response.done'), { after: frame, within_ms: momentMs }))
      }
      case 'linger':
        return talk.channel.watch(this.#busy.graceMs)
      case 'hear the next':
        return this.#hearNext()
      default:
        return this.#hearOut()
    }
  }

  get #asking(): Asking {
    return {
      talk: this.#talk,
      busy: this.#busy,
      acting: this.#stand.abilities.acting,
      words: () => this.#words(),
      send: (response, end) => this.#send(response, end),
      hearOut: () => this.#hearOut(),
    }
  }

  #tell(message: JsonObject): Promise<void> {
    this.#talk.send(message)
    return this.#ping()
  }

  /** A speech that goes on for a while. */
  #ask(scheduling_policy: string | undefined, extra: JsonObject): Promise<void> {
    const words = this.#words()
    return this.#send(speech(words, { ...extra, ...(scheduling_policy === undefined ? {} : { scheduling_policy }) }))
  }

  async #hear(response: JsonObject, end?: End): Promise<void> {
    await this.#send(response, end)
    await this.#hearOut()
  }

  /** Waits for what comes of it where something must come at once. */
  async #send(response: JsonObject, end?: End): Promise<void> {
    const { busy } = this.#look()
    const policy = response['scheduling_policy'] ?? 'interrupt'
    const waits = policy === 'after_current_response' && busy !== 'idle'
    if (policy === 'interrupt') this.#drop()
    const start = busy === 'idle' ? 'at once' : waits ? 'after waiting' : 'in the place of another'
    const sent = this.#put(response, start)
    if (end !== undefined) this.#ends.set(sent.id, end)
    if (waits && busy === 'active') this.#waiting = sent
    await this.#ping()
    if (!waits) await this.#hearAnswer(sent)
  }

  /** Whatever waits is never told to begin; of two of which one was refused nothing is owed any more. */
  #drop(): void {
    this.#waiting = undefined
    if (this.#owed.some(isRefused)) this.#owed = []
  }

  #put(response: JsonObject, start: Start, on: Talk = this.#talk): Sent {
    const id = on.context.id('walk')
    this.#starts.set(id, start)
    return { id, on, frame: on.send({ type: 'response.create', event_id: id, response }) }
  }

  #hearAnswer({ id, on, frame }: Sent): Promise<unknown> {
    return on.hear(answersTo(id), frame, 'walk')
  }

  /** What meets a call of a function, which is over soon. */
  async #meetCall(scheduling_policy: string): Promise<void> {
    await this.#hearAnswer(this.#put(await askForCall(this.#talk, this.#stand.words), 'at once'))
    const next = this.#put(speech(this.#words(), { scheduling_policy }), 'after waiting')
    if (scheduling_policy === 'after_current_response') this.#waiting = next
    await this.#ping()
    if (scheduling_policy !== 'after_current_response') await this.#hearAnswer(next)
    await this.#hearOut()
  }

  /** What waits for a response that may end incomplete. */
  async #queueBehind(): Promise<void> {
    // Had it not begun yet, what is sent behind it might be handled first, and be interrupted by it.
    await this.#hearAnswer(this.#put({ max_output_tokens: 5 }, 'at once'))
    this.#waiting = this.#put(speech(this.#words(), { scheduling_policy: 'after_current_response' }), 'after waiting')
    await this.#ping()
  }

  /** Two at the same moment: one of them may wait, and nobody knows which. */
  async #queueOnBoth(): Promise<void> {
    const beside = await this.#other()
    if (this.#stuck) return
    // What was active may be over by now.
    if (this.#look().busy === 'idle') await this.#ask('reject_if_busy', {})
    const sent = [this.#talk, beside].map((on) =>
      this.#put(speech(this.#words(), { scheduling_policy: 'after_current_response' }), 'after waiting', on),
    )
    for (const on of [beside, this.#talk]) await retrieve(on, await ownItem(on))
    this.#owed = sent
    this.#waiting = sent.find((one) => !isRefused(one))
  }

  async #other(): Promise<Talk> {
    if (this.#beside?.channel.state !== 'open') this.#beside = await this.#stand.connect()
    // An older connection may be closed by the service.
    this.#stuck = this.#talk.channel.state !== 'open'
    return this.#beside
  }

  /** Another connection opens beside what runs or waits, unless answers are still owed to the one that is there. */
  async #join(): Promise<void> {
    if (this.#owed.length > 0) return
    await this.#beside?.channel.close()
    await this.#other()
  }

  /** One of them starts. Both connections answer something behind that: whatever runs then runs beside the other one. */
  async #startOnBoth(): Promise<void> {
    const beside = await this.#other()
    if (this.#stuck) return
    const talks = [this.#talk, beside]
    const policy = { scheduling_policy: 'reject_if_busy' }
    const sent = talks.map((on) => this.#put(speech(this.#words(), policy), 'at once', on))
    for (const one of sent) await this.#hearAnswer(one)
    for (const on of talks) await retrieve(on, await ownItem(on))
    await this.#hearOut()
  }

  /** Texts of one length: what took one takes them all. */
  #words(): string {
    const { length } = this.#busy
    return story(this.#talk, length).slice(0, length)
  }

  async #volley(): Promise<void> {
    const policy = { scheduling_policy: 'reject_if_busy' }
    const sent = [1, 2, 3].map(() => this.#put(speech(this.#words(), policy), 'at once'))
    await this.#ping()
    for (const one of sent) await this.#hearAnswer(one)
  }

  /** What was sent before was read. */
  async #ping(): Promise<void> {
    await retrieve(this.#talk, await ownItem(this.#talk))
  }

  async #hearNext(): Promise<void> {
    const waiting = this.#waiting
    if (waiting === undefined) return
    const begun = await outlast(waiting.on, createdBy(waiting.id), 0)
    // Where the service does not name it, or lost it, nothing waits any more.
    if (begun === undefined) this.#waiting = undefined
  }

  async #hearOut(): Promise<void> {
    if (this.#waiting !== undefined) await this.#hearNext()
    await quiet(this.#talk)
    if (this.#beside !== undefined) await quiet(this.#beside)
    if (this.#owed.length > 0) await this.#hearOwed()
    this.#stuck = this.#look().busy !== 'idle'
  }

  /** One that should have been refused may be about to begin. */
  async #hearOwed(): Promise<void> {
    for (const one of this.#owed) {
      await this.#hearAnswer(one)
      await quiet(one.on)
    }
    this.#owed = []
  }

  /** What the events so far tell. */
  #look(): Stage {
    if (this.#waiting !== undefined && isAnswered(this.#waiting, this.#talk)) this.#waiting = undefined
    return stageOf(this.#talk.channel, { waits: this.#waiting !== undefined, starts: this.#starts, ends: this.#ends })
  }
}
