import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Profile } from '#spec/profile'
import { requirements } from '#spec/register'
import type { EndEntry, Tier } from '#trace/entry'
import type { Trace } from '#trace/reader'
import { parseTrace, readTrace } from '#trace/reader'
import { type MemoryTrace, memoryTrace, openTrace } from '#trace/writer'
import { loadScenarios } from '../plan/catalogue.ts'
import { readJournal } from '../journal/journal-state.ts'
import type { Journal } from '../journal/journal.ts'
import { beginJournal } from '../journal/journal.ts'
import { noteHalts } from './halts.ts'
import type { SimulatedTime } from './simulated-clock.ts'
import { Running, simulatedClock } from './simulated-clock.ts'
import type { ScenarioOutcome } from '../runner/outcome.ts'
import { cleanUp, cleanUpAlone } from '../cleanup/run-cleanup.ts'
import type { OpenRun } from './run-open.ts'
import { openRun } from './run-open.ts'
import { beginOf, headerOf, planRun } from '../plan/run-plan.ts'
import type { Preflight } from './run-preflight.ts'
import { preflight } from './run-preflight.ts'
import type { ScenarioRunOptions } from './run-scenarios.ts'
import { executorOf } from './run-scenarios.ts'
import type { Environment } from './run-secrets.ts'
import { presentKeys, readSecrets } from './run-secrets.ts'
import type { Scenario } from '../author/scenario.ts'
import type { LeftOut, Skipped } from '../plan/selection.ts'
import { select } from '../plan/selection.ts'

export interface DriveOptions {
  readonly profile: Profile
  /** Holds the values that the profile names. */
  readonly environment: Environment
  /** Default `standard`. */
  readonly tier?: Tier
  readonly only?: readonly string[]
  readonly left_out?: LeftOut
  readonly seed?: number
  readonly max_requests?: number
  /** Scenarios side by side. */
  readonly at_once?: number
  /** Folder in which uploaded files are kept; nowhere where missing. */
  readonly uploads?: string
  /** File of the trace; kept in memory where missing. */
  readonly out?: string
  /** File of the journal; a temporary one where missing. */
  readonly journal?: string
  readonly signal?: AbortSignal
  /** Default: all of all parts. */
  readonly scenarios?: readonly Scenario[]
  /** How long cleanup may take in the end; default a minute. */
  readonly cleanup_ms?: number
  /** Shared with a target in this process, for a trace in memory; default: all time goes by. */
  readonly simulatedTime?: SimulatedTime
}

export interface Driven {
  readonly trace: Trace
  readonly end: EndEntry['outcome']
  readonly outcomes: readonly ScenarioOutcome[]
  readonly skipped: readonly Skipped[]
}

/**
 * A whole run in this process, without vitest: header, preflight, scenarios, cleanup, end.
 *
 * @throws UnknownSelection, UnsafeTarget, JournalBusy, TraceWriteError
 */
export async function driveTarget(options: DriveOptions): Promise<Driven> {
  const {
    profile,
    environment,
    tier = 'standard',
    only = [],
    left_out = {},
    seed,
    max_requests,
    at_once,
    uploads,
  } = options
  const scenarios = options.scenarios ?? (await loadScenarios())
  const keys = presentKeys(readSecrets(profile, environment))
  const selection = select({ scenarios, profile, keys, tier, only, requirements: [...requirements.keys()] })
  const bounds = {
    ...(max_requests === undefined ? {} : { max_requests }),
    ...(at_once === undefined ? {} : { at_once }),
    ...(uploads === undefined ? {} : { uploads }),
  }
  const plan = planRun({ profile, tier, only, selected: selection.selected, left_out, seed, ...bounds })
  // One of its own for each run: whoever listens to it would keep the run in memory after its end.
  const { out, signal = new AbortController().signal, simulatedTime } = options
  const folder = options.journal === undefined ? mkdtempSync(join(tmpdir(), 'greenroom-')) : undefined
  const journal = options.journal ?? join(folder ?? '', 'run.journal')
  let inMemory: MemoryTrace | undefined
  const running = new Running()
  const open = openRun({
    plan,
    environment,
    signal,
    write: (redactor) =>
      out === undefined
        ? (inMemory = memoryTrace(plan.epoch, redactor, simulatedTime?.skippedMs))
        : openTrace(out, plan.epoch, redactor),
    ...(simulatedTime === undefined
      ? {}
      : { clock: (now: () => number) => simulatedClock(simulatedTime, now, running) }),
    reserve: () => begun?.pending ?? 0,
  })
  let begun: Journal | undefined
  try {
    begun = beginJournal(journal, beginOf(plan))
    open.trace.write(headerOf(plan, { ...selection, left_out }, environment))
    const driven = await drive(open, begun, {
      ...options,
      scenarios: scenarios.map((one) => ({ ...one, drive: (c) => running.within(one.id, () => one.drive(c)) })),
      signal,
      onStart: ({ id }) => running.start(id),
      onEnd: ({ scenario }) => running.end(scenario),
    })
    const trace = out === undefined ? parseTrace(inMemory?.text() ?? '') : readTrace(out)
    return { ...driven, trace, skipped: selection.skipped }
  } finally {
    await open.close()
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true })
  }
}

type Driving = DriveOptions &
  Required<Pick<DriveOptions, 'scenarios' | 'signal'> & Pick<ScenarioRunOptions, 'onStart' | 'onEnd'>>

async function drive(open: OpenRun, journal: Journal, options: Driving): Promise<Pick<Driven, 'end' | 'outcomes'>> {
  const { scenarios, signal, onStart, onEnd } = options
  let outcomes: readonly ScenarioOutcome[] = []
  let found: Preflight | undefined
  const endNoting = noteHalts(open.trace)
  try {
    found = await preflight(open.client.scope(), undefined, { base_url: options.profile.base_url })
    if (found.kind === 'ok') outcomes = await executorOf({ open, journal, scenarios, signal, onStart, onEnd }).runAll()
  } catch (error) {
    if (!signal.aborted) throw error
  } finally {
    endNoting()
    await finish(open, journal, options)
  }
  const end = endOf(found, signal)
  open.trace.write({ kind: 'end', ...end })
  return { end: end.outcome, outcomes }
}

/** Whoever interrupts a run waits for its end. */
const interruptedCleanup_ms = 10_000

/** What was made is ended also when the trace can't be written any more. */
async function finish(
  open: OpenRun,
  journal: Journal,
  { environment, signal, cleanup_ms: most_ms = 60_000 }: Driving,
): Promise<void> {
  const cleanup_ms = signal.aborted ? Math.min(most_ms, interruptedCleanup_ms) : most_ms
  try {
    await cleanUp(open, journal, cleanup_ms, { hurried: signal.aborted })
  } catch (error) {
    const state = existsSync(journal.file) ? readJournal(journal.file) : undefined
    if (state !== undefined) await cleanUpAlone(state, environment, cleanup_ms)
    throw error
  }
}

function endOf(found: Preflight | undefined, signal: AbortSignal): Pick<EndEntry, 'outcome' | 'reason'> {
  if (signal.aborted || found === undefined) return { outcome: 'interrupted' }
  return found.kind === 'ok' ? { outcome: 'completed' } : { outcome: 'unreachable', reason: found.reason }
}
