import { spawn } from 'node:child_process'
import { getCompileCacheDir } from 'node:module'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import type { ProgressLine } from './run-join.ts'
import { progressVariable } from './run-join.ts'
import type { RunPart } from './run-part.ts'
import { partVariable, writePart } from './run-part.ts'
import type { Environment } from './run-secrets.ts'

export interface ChildOptions extends RunPart {
  /** Of the child; holds the values that the profile names. */
  readonly environment: Environment
  /** Ends the child at once; what it left open is in the journal. */
  readonly signal: AbortSignal
  readonly onProgress?: ((line: ProgressLine) => void) | undefined
}

export interface ChildEnd {
  /** No test failed, and none was missing. */
  readonly fine: boolean
  /** What the child said about mistakes of ours; secrets taken out. */
  readonly complaint: string
}

const longestComplaint = 4_000

/** Runs the scenarios of a plan as vitest tests, in a process of their own. Never rejects. */
export async function runChild(options: ChildOptions): Promise<ChildEnd> {
  const { plan, trace, journal, suites, allure, environment, signal } = options
  const part = { plan, trace, journal, ...(suites === undefined ? {} : { suites }) }
  const { file, remove } = writePart(allure === undefined ? part : { ...part, allure })
  const extension = import.meta.url.slice(import.meta.url.lastIndexOf('.'))
  const entry = fileURLToPath(new URL(`../vitest/start-vitest${extension}`, import.meta.url))
  const child = spawn(process.execPath, [entry], {
    env: { ...ownEnvironment(environment), ...compileCache(), [partVariable]: file, [progressVariable]: '3' },
    stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'ipc'],
  })
  const kill = (): void => void child.kill('SIGKILL')
  signal.addEventListener('abort', kill, { once: true })
  if (signal.aborted) kill()
  follow(child.stdio[3] as Readable, options)
  try {
    return await ended(child)
  } finally {
    signal.removeEventListener('abort', kill)
    remove()
  }
}

function follow(stream: Readable, options: ChildOptions): void {
  createInterface({ input: stream }).on('line', (line) => options.onProgress?.(JSON.parse(line) as ProgressLine))
}

function ended(child: ReturnType<typeof spawn>): Promise<ChildEnd> {
  let complaint = ''
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    complaint = (complaint + text).slice(0, longestComplaint)
  })
  const { promise, resolve } = Promise.withResolvers<ChildEnd>()
  child.once('error', (error) => resolve({ fine: false, complaint: error.message }))
  child.once('close', (code) => resolve({ fine: code === 0, complaint: complaint.trim() }))
  return promise
}

/** The child keeps its compiled code where this process keeps its own; each version of Node has a folder below. */
function compileCache(): Environment {
  const folder = getCompileCacheDir()
  return folder === undefined ? {} : { NODE_COMPILE_CACHE: dirname(folder) }
}

/** A vitest that runs Greenroom must not be taken for the one that Greenroom runs. */
function ownEnvironment(environment: Environment): Environment {
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !/^(VITEST|JEST_)/.test(name)))
}
