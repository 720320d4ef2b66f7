import { totalmem } from 'node:os'
import { join } from 'node:path'
import { Timeline } from '../results/timeline.ts'
import type { K6Line, Numbers } from './lines.ts'
import { type K6Ran, type K6Run, runK6 } from './run.ts'
import { segmentsOf, WHOLE } from './segments.ts'

export interface AllRuns extends Omit<K6Run, 'partFile' | 'segment' | 'take'> {
  readonly processes: number
  /** Where parts are written; the caller's, who also removes it. */
  readonly folder: string
  /** Gets every line of every process, as it comes. */
  readonly take: (line: K6Line) => void
}

/** One process that has ended. */
export interface EndedProcess extends K6Ran {
  /** As k6 writes it. */
  readonly segment: string
  /** What it said while it ran, by scenario: all numbers. */
  readonly said: ReadonlyMap<string, Numbers>
}

/**
 * Runs the k6 processes of one run side by side, each with its segment of the load.
 *
 * @throws the system's error when k6 cannot be started; the others are stopped then
 */
export async function runAll({ processes, folder, take, signal, ...run }: AllRuns): Promise<readonly EndedProcess[]> {
  const trouble = new AbortController()
  const both = AbortSignal.any([signal, trouble.signal])
  const running = segmentsOf(processes).map(async (segment, place): Promise<EndedProcess> => {
    const said = new Map<string, Timeline>()
    const listen = (line: K6Line): void => {
      if (line.kind === 'window') remember(said, line)
      take(line)
    }
    const partFile = join(folder, `part-${place + 1}.json`)
    const environment = { ...goSettings(processes), ...run.environment }
    const ran = await runK6({ ...run, environment, partFile, segment, signal: both, take: listen })
    return { ...ran, segment: segment?.own ?? WHOLE, said: sumsOf(said) }
  })
  try {
    return await Promise.all(running)
  } catch (error) {
    trouble.abort()
    await Promise.allSettled(running)
    throw error
  }
}

/** All processes together may take this share of the memory before Go saves memory instead of time. */
const memoryShare = 0.5

/**
 * Go collects garbage half as often as it does unless told, which saves a sixth of what a generator takes. Whoever has set
 * these variables is taken at their word.
 */
function goSettings(processes: number): { readonly [name: string]: string } {
  const { GOGC = '200', GOMEMLIMIT } = process.env
  const constrained = process.constrainedMemory()
  const memory = constrained > 0 ? Math.min(constrained, totalmem()) : totalmem()
  const each = Math.floor((memoryShare * memory) / processes / 1024 ** 2)
  return { GOGC, GOMEMLIMIT: GOMEMLIMIT ?? `${each}MiB` }
}

function remember(said: Map<string, Timeline>, line: Extract<K6Line, { kind: 'window' }>): void {
  const known = said.get(line.scenario) ?? new Timeline()
  said.set(line.scenario, known)
  known.add(line)
}

function sumsOf(said: ReadonlyMap<string, Timeline>): ReadonlyMap<string, Numbers> {
  return new Map([...said].map(([scenario, { sums }]) => [scenario, sums]))
}
