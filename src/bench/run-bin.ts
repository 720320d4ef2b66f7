import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Results } from '#judge/results'
import { packageRoot } from '#spec/package-root'
import { stopwatch } from './stopwatch.ts'

export interface Ran {
  readonly code: number | null
  readonly seconds: number
  readonly output: string
  readonly results: Results | undefined
}

export interface Wishes {
  readonly env?: { readonly [name: string]: string }
  /** Called with the process right after its start. */
  readonly started?: (child: ChildProcess) => void
}

/** Runs the bin as a user does, in a process group of its own; `check` leaves its results behind for us. */
export async function runBin(args: readonly string[], wishes: Wishes = {}): Promise<Ran> {
  const folder = mkdtempSync(join(tmpdir(), 'greenroom-bench-'))
  const out = args[0] === 'check' && !args.includes('--out') ? ['--out', folder] : []
  const seconds = stopwatch()
  try {
    const child = spawn(process.execPath, [join(packageRoot(), 'src/bin.js'), ...args, ...out], {
      env: { ...process.env, ...wishes.env, NO_COLOR: '1' },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    })
    wishes.started?.(child)
    let output = ''
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => (output += chunk.toString()))
    const { promise, resolve } = Promise.withResolvers<number | null>()
    // What a signal ends before it listens to any is told by shells as 128 and the signal's number.
    child.on('close', (exit, signal) => resolve(signal === 'SIGINT' ? 130 : exit))
    const code = await promise
    return { code, seconds: seconds(), output, results: resultsIn(folder) }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function resultsIn(folder: string): Results | undefined {
  try {
    return JSON.parse(readFileSync(join(folder, 'results.json'), 'utf8'))
  } catch {
    return undefined
  }
}
