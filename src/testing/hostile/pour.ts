import type { Writable } from 'node:stream'

/** Writes chunk after chunk, no faster than they are taken, until `next` returns undefined; then ends. */
export function pour(sink: Writable, next: () => Uint8Array | undefined): void {
  const step = (): void => {
    while (!sink.destroyed) {
      const chunk = next()
      if (chunk === undefined) {
        sink.end()
        return
      }
      if (!sink.write(chunk)) {
        sink.once('drain', step)
        return
      }
    }
  }
  step()
}

/** Writes a chunk now and then again every `ms`, skipping turns while the reader lags, until the sink closes. */
export function drip(sink: Writable, ms: number, next: () => Uint8Array | string): void {
  const turn = (): void => {
    if (!sink.destroyed && !sink.writableNeedDrain) sink.write(next())
  }
  const timer = setInterval(turn, ms)
  sink.once('close', () => clearInterval(timer))
  turn()
}

/** One byte of `text` after the other, then spaces for ever. */
export function byteByByte(text: string | Uint8Array): () => Uint8Array {
  const bytes = Buffer.from(text)
  let place = 0
  return () => {
    const byte = bytes[place] ?? 0x20
    place += 1
    return Buffer.of(byte)
  }
}
