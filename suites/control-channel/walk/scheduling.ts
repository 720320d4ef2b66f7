import { event } from '#trace/conditions'
import { at as pick, type JsonObject, textAt } from '#trace/json'
import { matchesOne } from '#trace/match'
import { pairOf, type Option } from '#scenario/author/steering'
import { type Walk } from '#scenario/author/walk'
import { speech } from '../bodies.ts'
import { errorAbout } from '../error-about.ts'
import { retrieve } from '../items/items.ts'
import { type BusySession, story } from '../responses/busy.ts'
import { outlast, quiet } from '../responses/responses.ts'
import type { Talk } from '../talk.ts'

/** How the response came to start that was heard of last, or that it was ended before its time. */
type Last = 'at once' | 'in the place of another' | 'after waiting' | 'ended early'

/** What the walk believes of the session. */
export interface Stage {
  readonly busy: 'idle' | 'active' | 'active, one waits'
  readonly last: Last
}

type Operation = keyof typeof table

interface Row {
  readonly weight: number
  readonly at: readonly Stage['busy'][]
}

const busy = ['active', 'active, one waits'] as const
const always = ['idle', ...busy] as const

/** What can be done, and when. */
const table = {
  interrupt: { weight: 2, at: always },
  'no policy': { weight: 1, at: always },
  'reject if busy': { weight: 3, at: always },
  queue: { weight: 4, at: always },
  'out of band': { weight: 1, at: always },
  generate: { weight: 1, at: always },
  'generate a little': { weight: 1, at: ['idle'] },
  'generate out of band': { weight: 1, at: ['idle'] },
  'three at once': { weight: 1, at: ['idle'] },
  faulty: { weight: 1, at: always },
  update: { weight: 1, at: always },
  'cancel it': { weight: 1, at: busy },
  linger: { weight: 1, at: busy },
  'hear it out': { weight: 2, at: ['active'] },
  'hear the next': { weight: 2, at: ['active, one waits'] },
  'hear both out': { weight: 2, at: ['active, one waits'] },
} as const satisfies { readonly [operation: string]: Row }

const operations = Object.keys(table) as readonly Operation[]

const stateOf = ({ busy: now, last }: Stage): string =>
  now === 'idle' ? (last === 'ended early' ? 'idle, the last ended early' : 'idle') : `${now}, started ${last}`

/** An active response did not end. */
const lasts = ['at once', 'in the place of another', 'after waiting'] as const

const stages: readonly Stage[] = [
  { busy: 'idle', last: 'at once' },
  { busy: 'idle', last: 'ended early' },
  ...busy.flatMap((now) => lasts.map((last) => ({ busy: now, last }))),
]

/** What can be done at a stage. */
export function optionsAt(stage: Stage): readonly Option<Operation>[] {
  return operations
    .filter((operation) => (table[operation] as Row).at.includes(stage.busy))
    .map((operation) => ({
      state: stateOf(stage),
      operation,
      move: operation,
      weight: table[operation].weight,
      price: 0,
    }))
}

/** How long to wait for the end of what was cancelled, in milliseconds. */
const momentMs = 300

/** Responses of one session that interrupt, refuse, wait for and follow each other. Judged by the scheduler's model. */
export class Scheduling implements Walk<Stage, Operation> {
  readonly name = 'scheduling of responses'
  readonly pairs = stages.flatMap((stage) => optionsAt(stage).map(pairOf))
  readonly #talk: Talk
  readonly #busy: BusySession
  readonly #starts = new Map<string, Last>()
  /** Names both avatars in turn. */
  readonly #turn: () => string
  /** Id of what waits. */
  #waiting: string | undefined
  /** A response never came to its end: nothing more can be told of the session. */
  #stuck = false

  constructor(talk: Talk, session: BusySession, turn: () => string) {
    this.#talk = talk
    this.#busy = session
    this.#turn = turn
  }

  readonly options = (stage: Stage): readonly Option<Operation>[] => (this.#stuck ? [] : optionsAt(stage))

  readonly perform = async (operation: Operation, stage: Stage): Promise<Stage> => {
    await this.#make(operation, stage)
    return this.#look()
  }

  /** Hears all to its end. Nothing is active then, so that what must not run if anything is starts. */
  async drain(): Promise<void> {
    if (!this.#stuck) await this.#hearOut()
    if (this.#stuck) return
    await this.#ask('reject_if_busy', {})
    await this.#hearOut()
  }

  async #make(operation: Operation, stage: Stage): Promise<void> {
    const talk = this.#talk
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
      case 'generate':
        return this.#send({ scheduling_policy: 'after_current_response' })
      case 'generate a little':
        return this.#hear({ max_output_tokens: 5 })
      case 'generate out of band':
        return this.#hear({ conversation: 'none' })
      case 'three at once':
        return this.#volley()
      case 'faulty':
        return this.#fault(stage)
      case 'update':
        talk.send({
          type: 'session.update',
          event_id: talk.context.id('update'),
          session: { active_avatar_id: this.#turn() },
        })
        return this.#ping()
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

  /** A speech that goes on for a while. */
  #ask(scheduling_policy: string | undefined, extra: JsonObject): Promise<void> {
    const words = this.#words()
    return this.#send(speech(words, { ...extra, ...(scheduling_policy === undefined ? {} : { scheduling_policy }) }))
  }

  async #hear(response: JsonObject): Promise<void> {
    await this.#send(response)
    await this.#hearOut()
  }

  /** Waits for what comes of it where something must come at once. */
  async #send(response: JsonObject): Promise<void> {
    const talk = this.#talk
    const [id, before] = [talk.context.id('walk'), this.#look()]
    const frame = talk.send({ type: 'response.create', event_id: id, response })
    const policy = response['scheduling_policy'] ?? 'interrupt'
    const waits = policy === 'after_current_response' && before.busy !== 'idle'
    if (policy === 'interrupt') this.#waiting = undefined
    const place = before.busy === 'idle' ? 'at once' : waits ? 'after waiting' : 'in the place of another'
    this.#starts.set(id, place)
    if (waits && before.busy === 'active') this.#waiting = id
    await this.#ping()
    if (!waits) await talk.hear([createdBy(id), errorAbout(id)], frame, 'walk')
  }

  /** Texts of one length: what took one takes them all. */
  #words(): string {
    const { length } = this.#busy
    return story(this.#talk, length).slice(0, length)
  }

  async #volley(): Promise<void> {
    const talk = this.#talk
    const sent = [1, 2, 3].map(() => {
      const [id, words] = [talk.context.id('volley'), this.#words()]
      const response = speech(words, { scheduling_policy: 'reject_if_busy' })
      this.#starts.set(id, 'at once')
      return { id, frame: talk.send({ type: 'response.create', event_id: id, response }) }
    })
    await this.#ping()
    for (const { id, frame } of sent) await talk.hear([createdBy(id), errorAbout(id)], frame, 'walk')
  }

  /** A request that names nothing that exists is refused, and changes nothing. */
  async #fault({ busy: now }: Stage): Promise<void> {
    const talk = this.#talk
    const id = talk.context.id('faulty')
    const nothing = talk.context.id('nothing')
    const vocal = { type: 'speech_asset', speech_text_asset_id: nothing }
    const fault = now === 'active' ? { input: [{ type: 'item_reference', id: nothing }] } : { script: { vocal } }
    const scheduling_policy = now === 'idle' ? 'interrupt' : 'reject_if_busy'
    const frame = talk.send({ type: 'response.create', event_id: id, response: { ...fault, scheduling_policy } })
    await this.#ping()
    await talk.hear([createdBy(id), errorAbout(id)], frame, 'walk')
  }

  /** What was sent before was read. */
  async #ping(): Promise<void> {
    await retrieve(this.#talk, this.#busy.known)
  }

  async #hearNext(): Promise<void> {
    const id = this.#waiting
    if (id === undefined) return
    const begun = await outlast(this.#talk, createdBy(id), 0)
    // Where the service does not name it, or lost it, nothing waits any more.
    if (begun === undefined) this.#waiting = undefined
  }

  async #hearOut(): Promise<void> {
    if (this.#waiting !== undefined) await this.#hearNext()
    await quiet(this.#talk)
    this.#stuck = this.#look().busy !== 'idle'
  }

  /** What the events so far tell. */
  #look(): Stage {
    const { frames } = this.#talk.channel
    const created = frames.filter(({ type }) => type === 'response.created')
    const done = frames.filter(({ type }) => type === 'response.done')
    const newest = created.at(-1)
    const waiting = this.#waiting
    if (waiting !== undefined && frames.some(({ data }) => matchesOne(data, [createdBy(waiting), naming(waiting)]))) {
      this.#waiting = undefined
    }
    const last = this.#starts.get(textAt(newest?.data, '/request_event_id') ?? '') ?? 'at once'
    if (created.length > done.length) {
      return { busy: this.#waiting === undefined ? 'active' : 'active, one waits', last }
    }
    const early = pick(done.at(-1)?.data, '/response/status') !== 'completed' && done.length > 0
    if (this.#waiting !== undefined) return { busy: 'active, one waits', last }
    return { busy: 'idle', last: early ? 'ended early' : 'at once' }
  }
}

const createdBy = (id: string) => event('response.created', { '/request_event_id': id })
const naming = (id: string) => event('error', { '/error/event_id': id })
