import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { StringDecoder } from 'node:string_decoder'
import { packageRoot } from '#spec/package-root'
import { type K6Line, lineSplitter, readK6Line } from './lines.ts'
import type { Segment } from './segments.ts'

export interface K6Run {
  /** Path of k6. */
  readonly k6: string
  /** Below `load/`, or an absolute path. */
  readonly script: string
  readonly environment: { readonly [name: string]: string }
  /** Where the script writes its result. */
  readonly partFile: string
  /** Undefined for all of the load. */
  readonly segment: Segment | undefined
  /** Outputs of k6 itself, such as `experimental-prometheus-rw`. */
  readonly outputs?: readonly string[]
  /** Milliseconds after which k6 is stopped; ten seconds later it is killed. */
  readonly deadlineMs: number
  readonly signal: AbortSignal
  /** Gets every line that the script says about the run, as it comes. */
  readonly take?: (line: K6Line) => void
}

export interface K6Ran {
  /** 99 where thresholds did not hold; null when it was killed. */
  readonly code: number | null
  /** The end of what it printed beside our lines. */
  readonly output: string
  /** What the script wrote at its end; undefined where it came to none. */
  readonly part: unknown
}

/** Enough to see why k6 failed, however much it complains. */
const longestOutput = 64_000

/** k6's own loop ends within this once it was told to. */
const killAfterMs = 10_000

/** Runs one k6 process to its end, whatever it does. @throws the system's error when k6 cannot be started */
export async function runK6(run: K6Run): Promise<K6Ran> {
  // In a group of its own: Ctrl-C in a terminal reaches the whole group, and a second signal would end k6 without a result.
  const child = spawn(run.k6, argumentsOf(run), {
    env: { ...ownEnvironment(), ...run.environment, GREENROOM_SUMMARY: run.partFile },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  const output = tailOf(longestOutput)
  const splitters = [child.stdout, child.stderr].map((stream) => {
    const splitter = lineSplitter((line) => {
      const said = readK6Line(line)
      if (said === undefined) output.add(`${line}\n`)
      else run.take?.(said)
    })
    const decoder = new StringDecoder('utf8')
    stream.on('data', (chunk: Buffer) => splitter.add(decoder.write(chunk)))
    return splitter
  })
  const stopping = stopWhenDue(run, (signal) => void child.kill(signal))
  const ended = Promise.withResolvers<number | null>()
  child.once('error', ended.reject)
  child.once('close', ended.resolve)
  try {
    const code = await ended.promise
    for (const splitter of splitters) splitter.end()
    return { code, output: output.text(), part: partIn(run.partFile) }
  } finally {
    stopping.cancel()
  }
}

/** Keeps the last lines of a text, so many characters of them. */
function tailOf(most: number): { add(line: string): void; text(): string } {
  const lines: string[] = []
  let length = 0
  return {
    add: (line) => {
      lines.push(line)
      length += line.length
      while (length > most && lines.length > 1) length -= lines.shift()?.length ?? 0
    },
    text: () => lines.join('').slice(-most),
  }
}

function argumentsOf({ script, segment, outputs = [] }: K6Run): string[] {
  return [
    'run',
    '--quiet',
    '--no-color',
    '--no-usage-report',
    '--log-output=stdout',
    '--log-format=raw',
    ...outputs.flatMap((output) => ['--out', output]),
    ...(segment === undefined ? [] : ['--execution-segment', segment.own, '--execution-segment-sequence', segment.all]),
    resolve(join(packageRoot(), 'load'), script),
  ]
}

function stopWhenDue({ deadlineMs, signal }: K6Run, kill: (signal: 'SIGTERM' | 'SIGKILL') => void) {
  let last: NodeJS.Timeout | undefined
  const stop = (): void => {
    if (last !== undefined) return
    kill('SIGTERM')
    last = setTimeout(() => kill('SIGKILL'), killAfterMs)
  }
  const due = setTimeout(stop, deadlineMs)
  signal.addEventListener('abort', stop, { once: true })
  if (signal.aborted) stop()
  return {
    cancel: (): void => {
      clearTimeout(due)
      clearTimeout(last)
      signal.removeEventListener('abort', stop)
    },
  }
}

/** k6 hands its whole environment to scripts and takes options from it: it gets nothing that it does not need. */
function ownEnvironment(): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(([name]) => /^(PATH|HOME|TMPDIR|TEMP|TMP|SYSTEMROOT)$/i.test(name))
  return { ...Object.fromEntries(kept), K6_AUTO_EXTENSION_RESOLUTION: 'false' }
}

function partIn(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return undefined
  }
}
