import type { Exchange } from '#client/types'
import type { KeyName } from '#spec/profile'
import { draw } from '#arbitraries/draw'
import { worldSessions } from '#arbitraries/rest/world-sessions'
import type { Context } from '#scenario/author/context'
import { acceptance, rejection } from '#scenario/author/expectation'
import { volley, volleySize } from '#scenario/author/volley'
import { accepted, answer, different, value } from '#trace/conditions'
import type { JsonObject } from '#trace/json'
import { world as minimal } from '#scenario/author/bodies'
import { text } from '../bodies.ts'
import type { Move, Place, Roster } from '../model/moves.ts'
import { ask, keyed, sendCreate, settled, type World, worldOf } from '../send.ts'
import type { Refuse } from './refuse.property.ts'

/** Rows that the moves of a walk claim. */
export const walkRows = [
  'world-sessions.idempotency.retry-same-session',
  'world-sessions.idempotency.other-body-conflict',
  'world-sessions.idempotency.conflict-code',
  'world-sessions.idempotency.conflict-changes-nothing',
  'world-sessions.close.repeated-same-key',
] as const

type Row = (typeof walkRows)[number]

interface Known {
  readonly world: World
  /** Body of the create, with its key. */
  readonly body: JsonObject
  /** Keys of the last request for secrets, and of the close, which may be sent again. */
  readonly renewKey: string
  readonly closeKey: string
  /** The close that was accepted first. */
  closed: number | undefined
}

interface Settings {
  readonly key: KeyName
  readonly seed: number
  /** Bodies that are drawn at most. */
  readonly most: number
  readonly refuse?: Refuse | undefined
}

const once = { retry: 'never' } as const

/** Makes the moves of one walk against a target, by one key. */
export class Walker {
  readonly #c: Context<Row>
  readonly #settings: Settings
  readonly #drawn: Iterator<JsonObject>
  readonly #known: Known[] = []
  #others = 0

  constructor(c: Context<Row>, settings: Settings) {
    this.#c = c
    this.#settings = settings
    this.#drawn = draw(worldSessions, settings.seed, settings.most).values()
  }

  /** @returns the roster after the move */
  async make({ does, place }: Move, roster: Roster): Promise<Roster> {
    if (does === 'create' || does === 'create-at-once') return this.#create(does, roster)
    const known = this.#known[place]
    const stands = known === undefined ? undefined : await this.#visit(does, known)
    return stands === undefined ? roster : roster.with(place, { stands })
  }

  /** Closes what is open. */
  async drain(): Promise<void> {
    for (const known of this.#known) if (known.closed === undefined) await this.#close(known)
  }

  /** A body over the documented range. */
  #body(): JsonObject {
    const { value: drawn } = this.#drawn.next()
    return keyed(this.#c, drawn ?? minimal())
  }

  async #create(does: 'create' | 'create-at-once', roster: Roster): Promise<Roster> {
    const { key } = this.#settings
    const body = this.#body()
    const answers = does === 'create' ? [] : await this.#atOnce(body)
    const first = answers.find(({ ok }) => ok) ?? (await sendCreate(this.#c, body, { key }))
    const world = worldOf(first, key)
    if (world === undefined) return roster
    await settled(this.#c, world)
    const [renewKey, closeKey] = [this.#c.id('renew'), this.#c.id('close')]
    this.#known.push({ world, body, renewKey, closeKey, closed: undefined })
    return [...roster, { stands: 'active' }]
  }

  /** Four with one key: what the losers are told is left open. */
  async #atOnce(body: JsonObject): Promise<readonly Exchange[]> {
    const { key } = this.#settings
    const create = () => this.#c.call('create-world-session', { key, body, ...once })
    return volley(
      this.#c,
      key,
      Array.from({ length: volleySize }, () => create),
    )
  }

  async #visit(does: Move['does'], known: Known): Promise<Place['stands'] | undefined> {
    const { world, renewKey } = known
    switch (does) {
      case 'get':
        await ask(this.#c, 'get-world-session', world)
        return undefined
      case 'create-again':
        return this.#again(known)
      case 'create-other-body':
        return this.#otherBody(known)
      case 'create-refused':
        await this.#settings.refuse?.(this.#body(), world)
        return undefined
      case 'renew':
        return renewed(await ask(this.#c, 'create-client-secret', world), known)
      case 'renew-with-key':
      case 'renew-again':
        return renewed(await this.#renew(known, { idempotency_key: renewKey }), known)
      default:
        return this.#end(does, known)
    }
  }

  #renew({ world }: Known, body: JsonObject = {}): Promise<Exchange> {
    return ask(this.#c, 'create-client-secret', world, { body, ...once })
  }

  /** The same session while it is open; afterwards whatever the service likes. */
  async #again({ world, body, closed }: Known): Promise<undefined> {
    const { key } = this.#settings
    const rows = [
      'world-sessions.idempotency.retry-same-session',
      'world-sessions.idempotency.conflict-changes-nothing',
    ] as const
    const given = { given: [accepted(world.exchange)] }
    const sending = closed === undefined ? { key, expect: acceptance(rows, given) } : { key }
    const other = worldOf(await sendCreate(this.#c, body, sending), key)
    if (other !== undefined && other.id !== world.id) await ask(this.#c, 'close-world-session', other)
  }

  /** Another value for one field at a time: what is no part of the comparison shows. */
  #other(): JsonObject {
    const { image_url: url } = this.#c.profile.media ?? {}
    const fields: readonly JsonObject[] = [
      { continuation: { start_mode: 'manual', max_idle_ms: 41_000 } },
      ...(url === undefined ? [] : [{ opening_frame: { url: `${url}#${this.#c.id('other')}` } }]),
      { live_input: { audio: { enabled: false, language: 'auto' } } },
      { max_session_duration_seconds: 1234 },
      { initial_prompt: { content: [text(`Something else: ${this.#c.id('other')}.`)] } },
    ]
    this.#others += 1
    return fields[(this.#others - 1) % fields.length] ?? {}
  }

  async #otherBody({ world, body }: Known): Promise<'conflicted'> {
    const { key } = this.#settings
    const rows = 'world-sessions.idempotency.other-body-conflict'
    const coded = 'world-sessions.idempotency.conflict-code'
    const expect = rejection({ rows, coded, codes: [30004], control: world.exchange })
    const other = { ...body, ...this.#other() }
    const made = worldOf(await sendCreate(this.#c, other, { key, expect }), key)
    if (made !== undefined && made.id !== world.id) await ask(this.#c, 'close-world-session', made)
    return 'conflicted'
  }

  async #end(does: Move['does'], known: Known): Promise<Place['stands']> {
    const { world, body } = known
    if (does === 'close' || does === 'close-again') {
      await this.#close(known)
      return 'closed'
    }
    const { key } = this.#settings
    const beside =
      does === 'close-beside-renew'
        ? () => this.#renew(known)
        : () => this.#c.call('create-world-session', { key, body, ...once })
    const get = () => ask(this.#c, 'get-world-session', world)
    const [one, , two] = await volley(this.#c, key, [beside, () => this.#close(known), beside, get])
    for (const made of does === 'close-beside-create' ? [one, two] : []) {
      const other = made && worldOf(made, key)
      if (other !== undefined && other.id !== world.id) await ask(this.#c, 'close-world-session', other)
    }
    if (known.closed === undefined) await this.#close(known)
    return 'closed'
  }

  /** With its key; "repeating with the same key is safe" (4.5), also where it finds the session closed by now. */
  async #close(known: Known): Promise<Exchange> {
    const { world, closeKey: idempotency_key, closed } = known
    const repeats = acceptance('world-sessions.close.repeated-same-key', (again) => ({
      onlyIf: [accepted(closed ?? again), different(answer(again, '/code'), value(20005))],
    }))
    const expecting = closed === undefined ? {} : { expect: repeats }
    const received = await ask(this.#c, 'close-world-session', world, {
      body: { idempotency_key },
      ...expecting,
    })
    if (received.ok) known.closed ??= received.exchange
    return received
  }
}

/** Secrets of a closed session that come all the same leave it closed. */
function renewed({ ok }: Exchange, { closed }: Known): 'renewed' | undefined {
  return ok && closed === undefined ? 'renewed' : undefined
}
