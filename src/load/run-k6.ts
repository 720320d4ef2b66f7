import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { LoadSummary } from '../../load/core/summary.ts'
import { packageRoot } from '../law/package-root.ts'

export interface K6Run {
  /** Path of k6. */
  readonly k6: string
  /** Below `load/`. */
  readonly script: string
  readonly environment: { readonly [name: string]: string }
  /** Where the script writes its summary. */
  readonly summaryFile: string
  /** Which part of the load, as k6 writes it (`0:1/2`), and all parts (`0,1/2,1`); undefined for all of it. */
  readonly segment: { readonly own: string; readonly all: string } | undefined
  /** After so many milliseconds k6 is stopped, and after ten seconds more it is killed. */
  readonly deadlineMs: number
  readonly signal: AbortSignal
}

export interface K6Ran {
  /** 99 where thresholds did not hold; null when it was killed. */
  readonly code: number | null
  /** All that it printed. */
  readonly output: string
  readonly summary: LoadSummary | undefined
}

/** Runs one k6 process to its end, whatever it does. */
export async function runK6(run: K6Run): Promise<K6Ran> {
  const { own, all } = run.segment ?? { own: undefined, all: undefined }
  const segment = own === undefined ? [] : ['--execution-segment', own, '--execution-segment-sequence', all]
  const script = join(packageRoot(), 'load', run.script)
  const child = spawn(run.k6, ['run', '--quiet', '--no-color', '--no-usage-report', ...segment, script], {
    env: { ...ownEnvironment(), ...run.environment, GREENROOM_SUMMARY: run.summaryFile },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()))
  const stop = (): void => void child.kill('SIGTERM')
  const timers = [setTimeout(stop, run.deadlineMs), setTimeout(() => child.kill('SIGKILL'), run.deadlineMs + 10_000)]
  run.signal.addEventListener('abort', stop, { once: true })
  if (run.signal.aborted) stop()
  const ended = Promise.withResolvers<number | null>()
  child.once('error', ended.reject)
  child.once('close', ended.resolve)
  try {
    const code = await ended.promise
    return { code, output, summary: summaryIn(run.summaryFile) }
  } finally {
    for (const timer of timers) clearTimeout(timer)
    run.signal.removeEventListener('abort', stop)
  }
}

/** k6 hands its whole environment to scripts and takes options from it: it gets nothing that it does not need. */
function ownEnvironment(): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(([name]) => /^(PATH|HOME|TMPDIR|TEMP|TMP|SYSTEMROOT)$/i.test(name))
  return { ...Object.fromEntries(kept), K6_AUTO_EXTENSION_RESOLUTION: 'false' }
}

function summaryIn(file: string): LoadSummary | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return undefined
  }
}
