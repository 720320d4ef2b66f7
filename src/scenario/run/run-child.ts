import { type ChildProcess, spawn } from 'node:child_process'
import { getCompileCacheDir } from 'node:module'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createInterface } from 'node:readline'
import type { Readable, Writable } from 'node:stream'
import { createRedactor } from '#trace/redact'
import { ownFile } from '#spec/package-root'
import {
  allureVariable,
  partDescriptor,
  type ProgressLine,
  progressVariable,
  type RunPart,
  suitesVariable,
} from './run-part.ts'
import { type Environment, knownSecrets, readSecrets } from './run-secrets.ts'

export interface ChildSetup {
  /** Of the process; default: that of this one. */
  readonly environment?: Environment
  /** URL of the folder of the suites, where they aren't Greenroom's own. */
  readonly suites?: string
  /** Folder in which allure-vitest records the tests, where it is asked to. */
  readonly allure?: string
}

export interface ChildTask extends RunPart {
  /** Ends the child within moments; what it left open is in the journal. */
  readonly signal: AbortSignal
  /** Once it is aborted nothing more is begun; why, is its reason. */
  readonly enough?: AbortSignal | undefined
  readonly onProgress?: ((line: ProgressLine) => void) | undefined
}

export interface ChildEnd {
  /** No test failed, and none was missing or cut short. */
  readonly fine: boolean
  /** What the child said about mistakes of ours; secrets taken out. */
  readonly complaint: string
}

/** A process that gets ready to run scenarios as vitest tests, and runs those of one plan. */
export interface RunChild {
  /** Runs the scenarios of a plan. Never rejects. */
  run(task: ChildTask): Promise<ChildEnd>
  /** Ends the process at once, whatever it does. */
  stop(): void
}

const longestComplaint = 4_000
const progressDescriptor = 3

/**
 * So long, in milliseconds, answers that are on their way are waited for when a run is interrupted: that to a create is the
 * only place that names what it made, where no idempotency key can ask for it again.
 */
const lastAnswers_ms = 1_500

/** Starts the process before it is known what to run: getting ready takes it as long as planning takes this one. */
export function startChild({ environment = process.env, suites, allure }: ChildSetup = {}): RunChild {
  const entry = fileURLToPath(ownFile('../vitest/start-vitest', import.meta.url))
  const child = spawn(process.execPath, [entry], {
    env: {
      ...ownEnvironment(environment),
      ...compileCache(),
      [progressVariable]: String(progressDescriptor),
      ...(suites === undefined ? {} : { [suitesVariable]: suites }),
      ...(allure === undefined ? {} : { [allureVariable]: allure }),
    },
    stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'pipe', 'ipc'],
  })
  const end = ended(child)
  return { run: (task) => run(child, end, task), stop: () => stop(child) }
}

async function run(child: ChildProcess, end: Promise<ChildEnd>, task: ChildTask): Promise<ChildEnd> {
  const { signal, enough, onProgress, ...part } = task
  const input = tell(child, part)
  let late: NodeJS.Timeout | undefined
  const interrupt = (): void => {
    input.destroy()
    late = setTimeout(() => stop(child), lastAnswers_ms)
  }
  signal.addEventListener('abort', interrupt, { once: true })
  if (signal.aborted) stop(child)
  enough?.addEventListener('abort', () => input.write(`${String(enough.reason)}\n`), { once: true })
  createInterface({ input: child.stdio[progressDescriptor] as Readable }).on('line', (line) =>
    onProgress?.(JSON.parse(line) as ProgressLine),
  )
  try {
    const { fine, complaint } = await end
    const { profile, salt } = part.plan
    const redactor = createRedactor(knownSecrets(readSecrets(profile, part.environment)), salt)
    return { fine: fine && !signal.aborted, complaint: redactor.text(complaint) }
  } finally {
    signal.removeEventListener('abort', interrupt)
    clearTimeout(late)
  }
}

function tell(child: ChildProcess, part: RunPart): Writable {
  const input = child.stdio[partDescriptor] as Writable
  // Whether it still listens is told by how it ends.
  input.on('error', () => {})
  input.write(`${JSON.stringify(part)}\n`)
  return input
}

function stop(child: ChildProcess): void {
  child.kill('SIGKILL')
  // A pipe that nobody reads to its end would keep this process waiting.
  ;(child.stdio[progressDescriptor] as Readable | null | undefined)?.resume()
}

function ended(child: ChildProcess): Promise<ChildEnd> {
  let complaint = ''
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    complaint = (complaint + text).slice(0, longestComplaint)
  })
  const { promise, resolve } = Promise.withResolvers<ChildEnd>()
  child.once('error', (error) => resolve({ fine: false, complaint: error.message }))
  child.once('close', (code, signal) => {
    const isOthers = signal !== null && !child.killed
    resolve({ fine: code === 0, complaint: complaint.trim() || (isOthers ? endedBy(signal) : '') })
  })
  return promise
}

/** It says nothing itself then; who reads of it in a pipeline has nothing else to go by. */
function endedBy(signal: NodeJS.Signals): string {
  const why = signal === 'SIGKILL' ? ', as a system does that runs out of memory' : ''
  return `the process that runs the scenarios was ended by ${signal}${why}`
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
