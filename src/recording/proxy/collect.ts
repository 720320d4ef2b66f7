/** A body as far as it was held. */
export interface Collected {
  /** Undefined for one that is too long. */
  readonly whole: Uint8Array | undefined
  /** All of it, once: what was held, then the rest as it comes. */
  pieces(): AsyncIterable<Uint8Array>
}

/** Reads a body up to a bound. @throws the stream's error */
export async function collect(stream: AsyncIterable<Uint8Array>, bound: number): Promise<Collected> {
  const rest = stream[Symbol.asyncIterator]()
  const held: Uint8Array[] = []
  let length = 0
  for (;;) {
    const next = await rest.next()
    if (next.done === true) break
    held.push(next.value)
    length += next.value.length
    if (length > bound) return { whole: undefined, pieces: () => heldThenRest(held, rest) }
  }
  const whole = held.length === 1 && held[0] !== undefined ? held[0] : Buffer.concat(held)
  return { whole, pieces: () => heldThenRest([whole], rest) }
}

async function* heldThenRest(held: readonly Uint8Array[], rest: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield* held
  for (;;) {
    const next = await rest.next()
    if (next.done === true) return
    yield next.value
  }
}
