import { createReadStream } from 'node:fs'
import { text } from 'node:stream/consumers'
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

/** The file descriptor of the process that drives the scenarios on which it is told of the run, whole and once. */
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
 * @throws where whoever started this process ends before it tells
 */
export async function readPart(): Promise<RunPart> {
  // The descriptor is the process's own: a thread of it may not close it.
  return JSON.parse(await text(createReadStream('', { fd: partDescriptor, autoClose: false }))) as RunPart
}
