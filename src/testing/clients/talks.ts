import { setTimeout as sleep } from 'node:timers/promises'
import { type RawData, WebSocket } from 'ws'
import { at, type Json } from '#trace/json'
import type { Client, OpenSession } from './client.ts'
import { eventOf } from './events.ts'

/** Connections that a client has open at most. */
const mostTalks = 14

/** The control connections of a careless client: several to one session, left in the middle, with what is no event between. */
export class Talks {
  readonly #client: Client
  readonly #until: number
  #open = 0

  constructor(client: Client, until: number) {
    this.#client = client
    this.#until = until
  }

  acts(): readonly (() => Promise<unknown>)[] {
    const one = (): Promise<void> => this.#talkOnce()
    return [one, one, one, one]
  }

  async #talkOnce(): Promise<void> {
    const { dice, sessions } = this.#client
    const session = dice.one(sessions)
    if (session === undefined || this.#open >= mostTalks) return
    const talks = Array.from({ length: dice.pick(1, 1, 2) }, () => this.#talk(session))
    if (dice.percent(50)) await Promise.all(talks)
  }

  async #talk(session: OpenSession): Promise<void> {
    const { dice } = this.#client
    this.#open += 1
    const socket = this.#connect(session)
    socket.on('error', () => {})
    socket.on('message', (data: RawData) => remember(session, data))
    await Promise.race([
      new Promise((resolve) => void socket.once('open', resolve).once('close', resolve)),
      sleep(3_000),
    ])
    for (let count = dice.number(1, 40); count > 0 && this.#goesOn(socket); count -= 1) {
      this.#say(socket, session)
      if (dice.percent(60)) await sleep(dice.pick(0, 1, 5, 20, 80, 200, 600))
    }
    if (dice.percent(70)) await sleep(dice.number(0, 800))
    if (dice.percent(40)) socket.terminate()
    else socket.close(dice.pick(1000, 1000, 4000))
    this.#open -= 1
  }

  #goesOn(socket: WebSocket): boolean {
    return socket.readyState === WebSocket.OPEN && performance.now() < this.#until
  }

  #connect({ control_url, secret }: OpenSession): WebSocket {
    const { dice } = this.#client
    const token = dice.percent(4) ? 'wrong' : secret
    if (dice.percent(50)) return new WebSocket(control_url, { headers: { authorization: `Bearer ${token}` } })
    return new WebSocket(`${control_url}&token=${encodeURIComponent(token)}`)
  }

  #say(socket: WebSocket, { items }: OpenSession): void {
    const { dice } = this.#client
    if (!dice.percent(3)) return socket.send(JSON.stringify(eventOf(dice, items)))
    const odd = dice.pick<string | Buffer>('no json', '[]', 'null', Buffer.from([1, 2, 3]))
    socket.send(odd)
  }
}

function remember({ items }: OpenSession, data: RawData): void {
  if (!Buffer.isBuffer(data)) return
  const event = JSON.parse(data.toString()) as Json
  const id = at(event, '/item/id') ?? at(event, '/item_id')
  if (typeof id === 'string' && !items.includes(id)) items.push(id)
  if (items.length > 30) items.shift()
}
