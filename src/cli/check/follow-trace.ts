import { closeSync, openSync, readSync } from 'node:fs'
import { StringDecoder } from 'node:string_decoder'

/** What a trace that is being written shows of the run. */
export interface RunState {
  readonly requests: number
  readonly scenariosDone: number
  /** Started and not ended, the latest last. */
  readonly running: readonly string[]
}

/** Reads what was added to a trace since the last look. A file that is not there yet is empty. */
export interface TraceFollower {
  look(): RunState
}

const chunkSize = 1 << 16

export function followTrace(path: string): TraceFollower {
  const running = new Set<string>()
  const decoder = new StringDecoder('utf8')
  // One that was disturbed is driven twice.
  const done = new Set<string>()
  const state = { position: 0, partial: '', requests: 0 }
  const take = (line: string): void => {
    // The first member of an entry is its kind: most lines need no parsing.
    const kind = /^\{"kind":"([a-z-]+)"/.exec(line)?.[1]
    if (kind === 'request') state.requests += 1
    if (kind === 'scenario-start') running.add(scenarioOf(line))
    if (kind === 'scenario-end' && running.delete(scenarioOf(line))) done.add(scenarioOf(line))
  }
  return {
    look: () => {
      for (const chunk of newBytes(path, state)) {
        const lines = (state.partial + decoder.write(chunk)).split('\n')
        state.partial = lines.pop() ?? ''
        lines.forEach(take)
      }
      return { requests: state.requests, scenariosDone: done.size, running: [...running] }
    },
  }
}

function scenarioOf(line: string): string {
  const entry: { readonly scenario?: unknown } = JSON.parse(line)
  return String(entry.scenario)
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
