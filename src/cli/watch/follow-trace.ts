import { closeSync, openSync, readSync } from 'node:fs'
import { StringDecoder } from 'node:string_decoder'
import type { Entry } from '#trace/entry'

/** Reads what was added to a trace since the last look. A file that is not there yet is empty. */
export interface TraceFollower {
  look(): readonly Entry[]
}

const chunkSize = 1 << 16

/** @param wanted kinds of entries that are parsed; the first member of an entry is its kind, so others cost little */
export function followTrace(path: string, wanted: ReadonlySet<Entry['kind']>): TraceFollower {
  const decoder = new StringDecoder('utf8')
  const state = { position: 0, partial: '' }
  const read = (line: string): readonly Entry[] => {
    const kind = /^\{"kind":"([a-z-]+)"/.exec(line)?.[1]
    return wanted.has(kind as Entry['kind']) ? [JSON.parse(line) as Entry] : []
  }
  return {
    look: () => {
      const found: Entry[] = []
      for (const chunk of newBytes(path, state)) {
        const lines = (state.partial + decoder.write(chunk)).split('\n')
        state.partial = lines.pop() ?? ''
        found.push(...lines.flatMap(read))
      }
      return found
    },
  }
}

function* newBytes(path: string, state: { position: number }): Generator<Buffer> {
  const file = tryOpen(path)
  if (file === undefined) return
  try {
    const buffer = Buffer.alloc(chunkSize)
    for (;;) {
      const count = readSync(file, buffer, 0, chunkSize, state.position)
      if (count === 0) return
      state.position += count
      yield buffer.subarray(0, count)
    }
  } finally {
    closeSync(file)
  }
}

function tryOpen(path: string): number | undefined {
  try {
    return openSync(path, 'r')
  } catch {
    return undefined
  }
}
