import type { Exchange } from '#client/types'
import { drawPlans } from '#arbitraries/plan'
import type { Context, OpenSession } from '#scenario/author/context'
import { scenario } from '#scenario/author/scenario'
import { volley } from '#scenario/author/volley'
import { lookWhetherOpen } from '#scenario/author/sessions/sight'
import { takeWalks } from '#scenario/author/walk'
import type { JsonObject } from '#trace/json'
import { textChat } from '../bodies.ts'
import { gone } from '../gone.ts'
import { PlacesTour } from './places-tour.ts'
import { type Move, optionsOf, pairs, priceOf, propertyId, type Roster, walkKey, walkName } from '../model/moves.ts'

const once = { key: walkKey, retry: 'never' } as const
/** Steps and requests of one walk, and how many there are: more found nothing more. */
const [steps, budget, walks] = [30, 8, 1]
/** With more places a walk spends all that it may on filling them. */
const most = 4

/** How often a walk looks whether more sessions are open than there are places. */
const mostLooks = 2

/** What the walk knows of the sessions that it made. */
interface Known {
  readonly session: OpenSession
  readonly body: JsonObject
}

/** Makes the moves of one walk in a workspace that is its own meanwhile. */
class Walker {
  readonly #c: Context
  #open: readonly Known[] = []
  #last: OpenSession | undefined
  #looks = 0

  constructor(c: Context) {
    this.#c = c
  }

  async make(move: Move, roster: Roster): Promise<Roster> {
    const { cap } = roster
    await this.#do(move, roster)
    // More than there are places for: are they open, all of them?
    if (this.#open.length > cap && this.#looks < mostLooks) await this.#lookAtAll()
    return { open: this.#open.length, cap, closed: this.#last !== undefined }
  }

  async drain(): Promise<void> {
    for (const { session } of this.#open) await this.#close(session)
  }

  async #do(move: Move, roster: Roster): Promise<unknown> {
    const [oldest] = this.#open
    switch (move) {
      case 'create':
        return this.#create()
      case 'create-at-once':
        return volley(
          this.#c,
          walkKey,
          Array.from({ length: priceOf(move, roster) }, () => () => this.#create()),
        )
      case 'create-invalid':
        return this.#create({ ...textChat(this.#c.id('invalid')), max_duration_seconds: 3 })
      case 'create-again':
        return oldest === undefined ? undefined : this.#create(oldest.body)
      case 'close-again':
        return this.#last === undefined ? undefined : this.#closing(this.#last)
      case 'close':
        if (oldest === undefined) return undefined
        await this.#close(oldest.session)
        return gone(this.#c, oldest.session)
      case 'close-beside-create':
        if (oldest === undefined) return undefined
        return volley(this.#c, walkKey, [() => this.#create(), () => this.#close(oldest.session), () => this.#create()])
    }
  }

  async #create(body = textChat(this.#c.id('place'))): Promise<Exchange> {
    const answer = await this.#c.attempt(body, once)
    if (!answer.ok) return answer
    const session = this.#c.adopt(answer, walkKey)
    if (!this.#open.some((one) => one.session.id === session.id)) this.#open = [...this.#open, { session, body }]
    return answer
  }

  #close(session: OpenSession): Promise<Exchange> {
    this.#open = this.#open.filter((one) => one.session.id !== session.id)
    this.#last = session
    return this.#c.close(session)
  }

  #closing({ id }: OpenSession): Promise<Exchange> {
    return this.#c.call('close-avatar-session', { ...once, params: { session_id: id } })
  }

  async #lookAtAll(): Promise<void> {
    this.#looks += 1
    await this.#c.wait(this.#c.timeouts.lag_ms, 'lag')
    for (const { session } of this.#open) await lookWhetherOpen(this.#c, session)
  }
}

/** A workspace is filled and emptied in any order and at once: never are there more open sessions than places. */
export const placesProperty = scenario({
  id: propertyId,
  tier: 'full',
  runs: 'alone',
  needs: { keys: [walkKey] },
  observes: [
    'limits.concurrency.volley-within-cap',
    'limits.concurrency.exceeding-refused',
    'limits.concurrency.slot-free-when-closed',
    'limits.concurrency.refused-create-holds-nothing',
    'limits.concurrency.refused-create-makes-nothing',
  ],
  price: { requests: { [walkKey]: 110, capacity_exhausted: 8 }, typical: 62, sessions: { [walkKey]: 1 }, waits: 15 },
  async drive(c) {
    const cap = c.profile.limits?.[walkKey]?.concurrent_sessions
    if (cap === undefined || cap > most) return c.block('model_choice', 'the profile declares no small cap')
    await new PlacesTour(c, cap).take()
    const plans = drawPlans(c.random(2 ** 31), walks, steps)
    const fill = { name: walkName, pairs, options: optionsOf, walker: () => new Walker(c) }
    await takeWalks(c, fill, { tour: [], plans, budget }, { open: 0, cap, closed: false })
  },
})
