import type { Exchange } from '#client/types'
import type { KeyName } from '#spec/profile'
import type { Context, OpenSession } from '#scenario/author/context'
import type { JsonObject } from '#trace/json'
import { textAt } from '#trace/json'
import { lightChat, savedChat, textChat } from '../bodies.ts'
import { gone } from '../gone.ts'
import { lookWhetherOpen } from '#scenario/author/sessions/sight'
import { tellMade } from '#scenario/author/walk'
import { type Move, pairAt, walkKey, walkName } from '../model/moves.ts'

const scarce: KeyName = 'capacity_exhausted'
/** More places than these are not tried. */
const mostScarce = 2

const START = 'create-session-from-character'
const once = { key: walkKey, retry: 'never' } as const
/** The shortest duration (section 8), and time to notice that it is over. */
const [brief_s, moment_ms] = [4, 700]

/** Fills a workspace, and fills it again after all that might keep a place: the rules judge what it did. */
export class PlacesTour {
  readonly #c: Context
  readonly #cap: number
  readonly #open: OpenSession[] = []
  #closed: OpenSession | undefined

  constructor(c: Context, cap: number) {
    this.#c = c
    this.#cap = cap
  }

  async take(): Promise<void> {
    // Where all places are taken at once, nothing older holds one: what keeps one shows from then on.
    await this.#fill()
    await this.#enter()
    await this.#refill()
    await this.#closeAgain()
    await this.#exceed(() => this.#create(textChat(this.#c.id('place'))))
    await this.#refill()
    await this.#empty()
    await this.#repeat()
    await this.#expire()
    await this.#fill()
    await this.#empty()
    await this.#closeAgain()
    await this.#refuse()
    await this.#refill()
    await this.#characters()
    await this.#refuseInvalid()
    for (const session of this.#open.splice(0)) await this.#c.close(session)
    await this.#refuseInvalid()
    await this.#lack()
  }

  /**
   * What is refused for want of capacity (30008) takes no place either. More than a few are not tried; with them, a workspace
   * that is empty tells by 30006.
   */
  async #lack(): Promise<void> {
    const cap = this.#c.profile.limits?.[scarce]?.concurrent_sessions
    if (!this.#c.has(scarce) || cap === undefined || cap > mostScarce) return
    const key = { key: scarce, retry: 'never' } as const
    await this.#c.call('list-avatar-sessions', { key: scarce })
    const made: Exchange[] = []
    // Starts follow them, where there are any: the first one finds what creates took.
    const creates = this.#c.offers('characters') ? cap : cap + 1
    for (let place = 0; place < creates; place += 1) {
      made.push(await this.#c.attempt(textChat(this.#c.id('scarce')), key))
    }
    await this.#lackStarts(made, cap)
    // There was capacity, after all.
    for (const answer of made) {
      if (answer.ok && textAt(answer.data, '/session_id') !== undefined)
        await this.#c.close(this.#c.adopt(answer, scarce))
    }
  }

  async #lackStarts(made: Exchange[], cap: number): Promise<void> {
    if (!this.#c.offers('characters')) return
    const character_id = await this.#save(scarce, 'scarce', 'scarce')
    if (character_id === undefined) return
    for (let place = 0; place <= cap; place += 1) {
      const start = { character_id, idempotency_key: this.#c.id('start') }
      made.push(await this.#c.call(START, { key: scarce, retry: 'never', body: start }))
    }
  }

  /** A character that sessions start from. @returns its id */
  async #save(key: KeyName, avatar: string, name: string): Promise<string | undefined> {
    const body = savedChat(textChat(this.#c.id(avatar)), this.#c.id(name))
    return textAt((await this.#c.call('create-character', { key, body })).data, '/character_id')
  }

  /** As a walk would, in the state in which the workspace is now. */
  #did(operation: Move): void {
    tellMade(this.#c, walkName, pairAt({ open: this.#open.length, cap: this.#cap }, operation))
  }

  /** A create that is repeated with its key takes one place. */
  async #repeat(): Promise<void> {
    const body = textChat(this.#c.id('place'))
    if (!(await this.#create(body)).ok) return
    await this.#create(body, 'create-again')
    // Where it shows ids is learned from one that is known.
    await this.#list()
    await this.#empty(-1)
  }

  /** A session that ended by itself is closed as well: then at the latest its place is free. */
  async #expire(): Promise<void> {
    if (!(await this.#create({ ...textChat(this.#c.id('brief')), max_duration_seconds: brief_s })).ok) return
    await this.#c.wait(brief_s * 1_000 + moment_ms, 'timer')
    await this.#empty(-1)
  }

  /** By the lightweight model where it is offered, but for the last place. */
  async #fill(): Promise<void> {
    while (this.#open.length < this.#cap) {
      const light = this.#c.offers('lite_model') && this.#open.length < this.#cap - 1
      const body = () => (light ? lightChat : textChat)(this.#c.id('place'))
      if (!(await this.#fits(body))) return
    }
  }

  /** There is a place. Where none is given, once more when all has caught up, with lists that tell who else is there. */
  async #fits(body: () => JsonObject): Promise<boolean> {
    if ((await this.#create(body())).ok) return true
    await this.#c.wait(this.#c.timeouts.lag_ms, 'lag')
    await this.#list()
    const { ok } = await this.#create(body())
    if (!ok) await this.#list()
    return ok
  }

  /** One more than there are places for; what comes of it by mistake is looked at, with all others. */
  async #exceed(send: () => Promise<Exchange>): Promise<void> {
    if (this.#open.length < this.#cap) return
    const { ok } = await send()
    if (!ok) return this.#list()
    // Get may be behind: what it says tells of that long ago.
    await this.#c.wait(this.#c.timeouts.lag_ms, 'lag')
    for (const session of this.#open) await lookWhetherOpen(this.#c, session)
  }

  /** The place of the oldest, taken anew. */
  async #refill(): Promise<void> {
    await this.#empty()
    await this.#fill()
  }

  /** Somebody was connected to the oldest: its place is free as any other when it is closed. */
  async #enter(): Promise<void> {
    const [oldest] = this.#open
    if (oldest === undefined) return
    const channel = await this.#c.open(oldest)
    await channel.close()
  }

  /** Closes the oldest, or the newest, and waits until it is over. */
  async #empty(place: 0 | -1 = 0): Promise<void> {
    const session = this.#open.at(place)
    if (session === undefined) return
    this.#did('close')
    this.#open.splice(place, 1)
    this.#closed = session
    await this.#c.close(session)
    await gone(this.#c, session)
  }

  /** What is over frees no second place. */
  async #closeAgain(): Promise<void> {
    if (this.#closed === undefined) return
    this.#did('close-again')
    await this.#c.call('close-avatar-session', { ...once, params: { session_id: this.#closed.id } })
  }

  async #refuseInvalid(): Promise<void> {
    await this.#create({ ...textChat(this.#c.id('invalid')), max_duration_seconds: 3 }, 'create-invalid')
  }

  async #refuse(): Promise<void> {
    await this.#refuseInvalid()
    if (!this.#c.offers('characters')) return
    await this.#start({ character_id: `chr_${this.#c.id('nobody')}` })
  }

  /** At the cap a character starts no session; in a freed place it does, whatever was refused before. */
  async #characters(): Promise<void> {
    if (!this.#c.offers('characters')) return
    const character_id = await this.#save(walkKey, 'character', 'place')
    if (character_id === undefined) return
    await this.#exceed(() => this.#start({ character_id }))
    await this.#refill()
    await this.#empty()
    await this.#start({ character_id, max_duration_seconds: 3 })
    await this.#list()
    await this.#fill()
  }

  async #create(body: JsonObject, operation: Move = 'create'): Promise<Exchange> {
    this.#did(operation)
    return this.#keep(await this.#c.attempt(body, once))
  }

  async #start(body: JsonObject): Promise<Exchange> {
    const idempotency_key = this.#c.id('start')
    return this.#keep(await this.#c.call(START, { ...once, body: { ...body, idempotency_key } }))
  }

  #keep(answer: Exchange): Exchange {
    if (!answer.ok || textAt(answer.data, '/session_id') === undefined) return answer
    const session = this.#c.adopt(answer, walkKey)
    if (!this.#open.some(({ id }) => id === session.id)) this.#open.push(session)
    return answer
  }

  async #list(): Promise<void> {
    await this.#c.call('list-avatar-sessions', { key: walkKey })
  }
}
