import { createReadStream } from 'node:fs'
import { JSONParser } from '@streamparser/json'
import { isObject, type JsonObject } from '#trace/json'

/** One piece of a HAR (HTTP Archive 1.2), as Chrome writes it. Messages of a WebSocket come before their entry. */
export type HarPiece =
  | { readonly kind: 'message'; readonly entry: number; readonly message: JsonObject }
  | { readonly kind: 'entry'; readonly entry: number; readonly value: JsonObject }

/** The file is no HAR. */
export class HarError extends Error {
  override readonly name = 'HarError'
}

/**
 * Reads a HAR of any size piece by piece.
 *
 * @throws HarError for what is no HAR; the system's error for what cannot be read
 */
export async function* readHar(file: string): AsyncGenerator<HarPiece> {
  const pieces: HarPiece[] = []
  let entries = 0
  const parser = new JSONParser({
    paths: ['$.log.entries.*', '$.log.entries.*._webSocketMessages.*'],
    keepStack: false,
    stringBufferSize: 64 * 2 ** 10,
  })
  parser.onValue = ({ value, key, parent, stack }) => {
    const isMessage = stack.length > 4
    if (isMessage && isObject(value)) pieces.push({ kind: 'message', entry: entries, message: value })
    else if (!isMessage) {
      if (isObject(value)) pieces.push({ kind: 'entry', entry: entries, value })
      entries += 1
    }
    // A connection may have more messages than memory holds, and an archive more entries.
    if (Array.isArray(parent) && typeof key === 'number') parent[key] = null
  }
  let end = false
  parser.onEnd = () => {
    end = true
  }
  try {
    for await (const chunk of createReadStream(file, { highWaterMark: 2 ** 20 })) {
      if (end) break
      parser.write(chunk as Buffer)
      yield* pieces.splice(0)
    }
  } catch (error) {
    if (error instanceof Error && 'code' in error && typeof error.code === 'string') throw error
    throw new HarError('it is not JSON')
  }
  if (!end) throw new HarError('it ends early: a HAR is one JSON object')
  if (entries === 0) throw new HarError('it has no log.entries, or none in them')
}
