import type { Context } from '#scenario/author/context'
import type { JsonObject } from '#trace/json'
import { textChat, videoAvatar } from '#scenario/author/bodies'

/** So long that none of the usual lengths cuts it off unseen. */
const length = 80

/** No timer of the platform ends a session while the walk goes on. */
const auto_close = { disconnected_timeout_seconds: 0 }

/**
 * Bodies of creates, one for each session of a walk, of kinds that take turns: in text; in video, over the other transport
 * and by the other model where the service has them; without an idempotency key. Keys come in pairs that differ behind all
 * that a service may cut off: in the case of one letter, in a blank, or in a letter that is not ASCII. By the id of its
 * avatar each session is known again.
 */
export class Bodies {
  readonly #c: Context
  #count = 0
  #pairs: number
  #lastKey: string | undefined

  /** @param pairs how many pairs of keys came before: each differs in another way */
  constructor(c: Context, pairs: number) {
    this.#c = c
    this.#pairs = pairs
  }

  next(): JsonObject {
    const kind = this.#count % 3
    this.#count += 1
    if (kind === 2) return this.#text()
    return { ...(kind === 1 && this.#mayShow() ? this.#video() : this.#text()), idempotency_key: this.#key() }
  }

  /** What stands in for a body that was refused: how long a key may be is not said. */
  plainer({ idempotency_key }: JsonObject): JsonObject | undefined {
    if (typeof idempotency_key !== 'string' || idempotency_key.length < length) return undefined
    this.#lastKey = undefined
    return { ...this.#text(), idempotency_key: this.#c.id('walk') }
  }

  #text(): JsonObject {
    return textChat({ avatars: [{ avatar_id: this.#c.id('walk') }], auto_close })
  }

  #video(): JsonObject {
    const body = videoAvatar(this.#c.profile)
    const avatars = (body['avatars'] as readonly JsonObject[]).map((one) => ({ ...one, avatar_id: this.#c.id('walk') }))
    return {
      ...body,
      avatars,
      auto_close,
      ...(this.#c.offers('lite_model') ? { model: 'svc-a1-stream-lite' } : {}),
      ...(this.#c.offers('rtc_b') ? { delivery: { media: { transport: 'rtc_b' } } } : {}),
    }
  }

  /** Whether the target shows avatars at an address that it can reach. */
  #mayShow(): boolean {
    return this.#c.offers('video') && this.#c.profile.media?.image_url !== undefined
  }

  /** Every second one differs from the one before it in what a service may overlook. */
  #key(): string {
    const last = this.#lastKey
    const fresh = `${this.#c.id('walk').padEnd(length, 'x')}a`
    this.#lastKey = last === undefined ? fresh : undefined
    if (last === undefined) return fresh
    const near = [`${last.slice(0, -1)}A`, `${last} `, `${last}é`]
    this.#pairs += 1
    return near[(this.#pairs - 1) % near.length] ?? fresh
  }
}
