import { setTimeout as sleep } from 'node:timers/promises'
import { at, type Json, type JsonObject } from '#trace/json'
import type { Dice } from './dice.ts'

/** A session as a client keeps it. */
export interface OpenSession {
  readonly id: string
  readonly control_url: string
  readonly secret: string
  /** Items that it heard of. */
  readonly items: string[]
}

/** What a careless client does over REST, and what it remembers of it. */
export class Client {
  readonly dice: Dice
  readonly sessions: OpenSession[] = []
  readonly characters: string[] = []
  readonly files: string[] = []
  readonly voices: string[] = []
  readonly worlds: string[] = []
  readonly keys: string[] = []
  readonly #base: string
  readonly #key: string

  constructor(base: string, key: string, dice: Dice) {
    this.dice = dice
    this.#base = base
    this.#key = key
  }

  /** Data of the answer; nothing where it was refused, or was not waited for. */
  async ask(method: string, path: string, body?: Json, { hurry = false } = {}): Promise<Json | undefined> {
    return this.#send(path, {
      method,
      headers: { ...this.#authorization(), 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      ...(hurry ? { signal: AbortSignal.timeout(this.dice.number(1, 30)) } : {}),
    })
  }

  async upload(field: string, bytes: Uint8Array, type: string): Promise<Json | undefined> {
    const form = new FormData()
    form.set(field, new Blob([Uint8Array.from(bytes)], { type }), 'a.wav')
    return this.#send('/v1/files/audios', { method: 'POST', headers: this.#authorization(), body: form })
  }

  /** An idempotency key in some creates; one of before now and then. */
  key(): JsonObject {
    return this.dice.maybe(40, () => {
      const earlier = this.dice.percent(30) ? this.dice.one(this.keys) : undefined
      const idempotency_key = earlier ?? `key-${this.dice.number(1, 1_000_000_000)}`
      this.keys.push(idempotency_key)
      return { idempotency_key }
    })
  }

  keep(data: Json | undefined): void {
    const [id, url, secret] = ['/session_id', '/control/url', '/control/client_secret'].map((place) => at(data, place))
    if (typeof id !== 'string' || typeof url !== 'string' || typeof secret !== 'string') return
    this.sessions.push({ id, control_url: url, secret, items: [] })
  }

  #authorization(): Record<string, string> {
    if (this.dice.percent(1)) return {}
    return { authorization: `Bearer ${this.dice.percent(1) ? 'no-such-key' : this.#key}` }
  }

  async #send(path: string, init: RequestInit): Promise<Json | undefined> {
    try {
      const answer = await fetch(this.#base + path, init)
      return at((await answer.json()) as Json, '/data')
    } catch {
      // Given up, or answered with what is no JSON: a careless client goes on.
      return undefined
    }
  }
}

/** Does these things in any order until the time is over, several at once. */
export async function busy(acts: readonly (() => Promise<unknown>)[], dice: Dice, until: number): Promise<void> {
  const worker = async (): Promise<void> => {
    while (performance.now() < until) {
      await dice.one(acts)?.()
      await sleep(dice.pick(0, 5, 30, 100))
    }
  }
  await Promise.all(Array.from({ length: 5 }, worker))
}
