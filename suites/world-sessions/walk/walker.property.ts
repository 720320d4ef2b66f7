import type { Exchange } from '#client/types'
import type { KeyName } from '#spec/profile'
import { draw } from '#arbitraries/draw'
import { worldSessions } from '#arbitraries/rest/world-sessions'
import type { Context } from '#scenario/author/context'
import { acceptance } from '#scenario/author/expectation'
import { late_ms } from '#scenario/author/retry-transient'
import { volley, volleySize } from '#scenario/author/volley'
import { accepted, answer, different, value } from '#trace/conditions'
import { type JsonObject, textAt } from '#trace/json'
import { world as minimal } from '#scenario/author/bodies'
import type { Move, Place, Roster } from '../model/moves.ts'
import { conflict, conflictRows, endOther } from '../idempotency/conflict.ts'
import { ask, sendCreate, settled, untilClosed, type World, worldOf } from '../send.ts'
import { createWithoutKey, giveUp, type Made, neighbourOf, run } from './creates.ts'
import type { Refuse } from './refuse.property.ts'
import type { Variants } from './variants.ts'

/** Rows that the moves of a walk claim. */
export const walkRows = [
  ...conflictRows,
  'world-sessions.idempotency.retry-same-session',
  'world-sessions.idempotency.conflict-changes-nothing',
  'world-sessions.close.repeated-same-key',
] as const

type Row = (typeof walkRows)[number]

interface Known {
  readonly world: World
  /** Body of the create, with its key. */
  readonly body: JsonObject
  /** Keys of the last request for secrets, and of the close, which may be sent again. */
  renewKey: string
  closeKey: string
  /** The close that was accepted first. */
  closed: number | undefined
}

interface Settings {
  readonly key: KeyName
  readonly seed: number
  /** Bodies that are drawn at most. */
  readonly most: number
  /** A long walk makes mistakes as well. */
  readonly refuse?: Refuse | undefined
  readonly variants: Variants
}

const once = { retry: 'never' } as const

const closes: ReadonlySet<Move['does']> = new Set(['close', 'close-oldest', 'close-again', 'close-with-used-key'])

/** Makes the moves of one walk against a target, by one key. */
export class Walker {
  readonly #c: Context<Row>
  readonly #settings: Settings
  readonly #drawn: Iterator<JsonObject>
  readonly #known: Known[] = []

  constructor(c: Context<Row>, settings: Settings) {
    this.#c = c
    this.#settings = settings
    this.#drawn = draw(worldSessions, settings.seed, settings.most).values()
  }

  /** @returns the roster after the move */
  async make({ does, place }: Move, roster: Roster): Promise<Roster> {
    if (does === 'create' || does === 'create-at-once') return this.#create(does, roster)
    if (does === 'create-without-key' || does === 'create-running') return this.#passing(does, roster)
    if (does === 'create-given-up') return this.#keep(await giveUp(this.#c, this.#body(), this.#settings.key), roster)
    const known = this.#known[place]
    if (does === 'create-neighbour' && known !== undefined) return this.#neighbour(known, roster)
    const stands = known === undefined ? undefined : await this.#visit(does, known)
    return stands === undefined ? roster : roster.with(place, { stands })
  }

  /** Closes what is open. */
  async drain(): Promise<void> {
    for (const known of this.#known) {
      if (known.closed !== undefined) continue
      await this.#close(known)
      if (this.#settings.refuse !== undefined) await this.#lookAside(known)
    }
  }

  /** A body over the documented range, with what variants of it are made of. */
  #body(): JsonObject {
    const { value: drawn } = this.#drawn.next()
    const body = this.#settings.variants.within(drawn ?? minimal())
    // Without its last character each is still like no other.
    return { ...body, idempotency_key: `${this.#c.id('world')}-a` }
  }

  async #passing(does: 'create-without-key' | 'create-running', roster: Roster): Promise<Roster> {
    const { key } = this.#settings
    if (does === 'create-running') await run(this.#c, key)
    else for (let times = 0; times < 2; times += 1) await createWithoutKey(this.#c, key)
    return roster
  }

  /** The same body with a key that is all but the same. */
  async #neighbour({ body }: Known, roster: Roster): Promise<Roster> {
    const { key } = this.#settings
    const other = { ...body, idempotency_key: neighbourOf(textAt(body, '/idempotency_key') ?? '', this.#known.length) }
    return this.#keep({ body: other, result: await sendCreate(this.#c, other, { key }) }, roster)
  }

  async #create(does: 'create' | 'create-at-once', roster: Roster): Promise<Roster> {
    const { key } = this.#settings
    const body = this.#body()
    const answers = does === 'create' ? [] : await this.#atOnce(body)
    const result = answers.find(({ ok }) => ok) ?? (await sendCreate(this.#c, body, { key }))
    return this.#keep({ body, result }, roster)
  }

  async #keep({ body, result }: Made, roster: Roster): Promise<Roster> {
    const world = worldOf(result, this.#settings.key)
    if (world === undefined) return roster
    await settled(this.#c, world)
    this.#settings.variants.learn(world)
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
    const { world } = known
    switch (does) {
      case 'get':
        await ask(this.#c, 'get-world-session', world)
        return undefined
      case 'create-again-late':
        // Longer than a client waits before it tries again.
        await this.#c.wait(late_ms, 'timer')
        return this.#again(known)
      case 'create-again':
        return this.#again(known)
      case 'create-other-body':
        return this.#otherBody(known)
      case 'create-refused':
        await this.#settings.refuse?.(this.#body(), world)
        return undefined
      case 'renew':
        return this.#renewed(await ask(this.#c, 'create-client-secret', world), known)
      case 'renew-with-key':
        known.renewKey = this.#c.id('renew')
        return this.#renewed(await this.#renew(known, { idempotency_key: known.renewKey }), known)
      case 'renew-again':
        return this.#renewed(await this.#renew(known, { idempotency_key: known.renewKey }), known)
      case 'await-closed':
        await untilClosed(this.#c, world)
        await ask(this.#c, 'close-world-session', world)
        return undefined
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
    await endOther(this.#c, world, await sendCreate(this.#c, body, sending))
  }

  async #otherBody({ world, body }: Known): Promise<'conflicted'> {
    const { body: other, row: of } = this.#settings.variants.of(body)
    await conflict(this.#c, other, { of, world })
    return 'conflicted'
  }

  async #end(does: Move['does'], known: Known): Promise<Place['stands']> {
    const { world, body } = known
    if (closes.has(does)) {
      if (does === 'close-with-used-key') await this.#closeLike(known)
      else await this.#close(known)
      await this.#lookAside(known)
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

  /** With the key of a close of another session: whether it may be refused is not said, but what is answered is done. */
  async #closeLike(known: Known): Promise<void> {
    const used = this.#known.find(({ closed }) => closed !== undefined)?.closeKey
    if (used === undefined) return void (await this.#close(known))
    const { ok, exchange } = await ask(this.#c, 'close-world-session', known.world, { body: { idempotency_key: used } })
    if (!ok) return void (await this.#close(known))
    known.closeKey = used
    known.closed = exchange
    await ask(this.#c, 'get-world-session', known.world)
  }

  /** At a session that is open still, when another one was closed. */
  async #lookAside(closed: Known): Promise<void> {
    const other = this.#known.find((one) => one !== closed && one.closed === undefined)
    if (other !== undefined) await ask(this.#c, 'get-world-session', other.world)
  }

  /** Secrets of a closed session that come all the same leave it closed; whether it is open where none come, Get tells. */
  async #renewed({ ok, code }: Exchange, { world, closed }: Known): Promise<'renewed' | undefined> {
    if (closed !== undefined) return undefined
    if (!ok && code !== undefined) await ask(this.#c, 'get-world-session', world)
    return ok ? 'renewed' : undefined
  }
}
