import { Socket } from 'node:net'
import { createInterface } from 'node:readline'
import type { RunPlan } from '../plan/run-plan.ts'
import type { ScenarioOutcome } from '../runner/outcome.ts'
import type { Environment } from './run-secrets.ts'

/** What the process that drives the scenarios of a run is told of it. */
export interface RunPart {
  readonly plan: RunPlan
  /** Files that exist already. */
  readonly trace: string
  readonly journal: string
  /** Holds the values that the profile names. */
  readonly environment: Environment
}

/**
 * The file descriptor of the process that drives the scenarios on which it is told of the run, in one line. A second one says
 * why nothing more is to be begun. Its end says that the run was interrupted, or that whoever started the process is gone.
 */
export const partDescriptor = 4

/** A line of progress: a scenario starts or has ended, after so many requests of this process. */
export interface ProgressLine {
  readonly scenario: string
  readonly state: 'started' | ScenarioOutcome['outcome']
  readonly requests: number
}

/** The environment variable with the number of the file descriptor that takes progress lines. */
export const progressVariable = 'GREENROOM_PROGRESS_FD'

/** The environment variable with the URL of the folder of the suites, where they aren't Greenroom's own. */
export const suitesVariable = 'GREENROOM_SUITES'

/** The environment variable with the folder in which allure-vitest records the tests, where it is asked to. */
export const allureVariable = 'GREENROOM_ALLURE'

/**
 * Waits for the run that this process is to take part in.
 *
 * @returns with the signals that are aborted once the run is interrupted, and once nothing more is to be begun
 * @throws where whoever started this process ends before it tells
 */
export async function readPart(): Promise<
  RunPart & { readonly interrupted: AbortSignal; readonly enough: AbortSignal }
> {
  const told = Promise.withResolvers<string>()
  const [interrupt, enough] = [new AbortController(), new AbortController()]
  let lines = 0
  const socket = new Socket({ fd: partDescriptor, readable: true, writable: false })
  createInterface({ input: socket })
    .on('line', (line) => {
      lines += 1
      if (lines === 1) told.resolve(line)
      else enough.abort(line)
    })
    .once('close', () => {
      interrupt.abort()
      told.reject(new Error('whoever started this process is gone'))
    })
  const part = JSON.parse(await told.promise) as RunPart
  // Whether it was interrupted is of interest only as long as there is something else to do.
  socket.unref()
  return { ...part, interrupted: interrupt.signal, enough: enough.signal }
}
