import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Profile } from '../law/profile.ts'
import { requirements } from '../law/register.ts'
import type { EndEntry, Tier } from '../trace/entry.ts'
import type { Trace } from '../trace/reader.ts'
import { parseTrace, readTrace } from '../trace/reader.ts'
import type { Redactor } from '../trace/redact.ts'
import type { MemoryTrace } from '../trace/writer.ts'
import { memoryTrace, openTrace } from '../trace/writer.ts'
import { loadScenarios } from './catalogue.ts'
import type { Journal } from './journal.ts'
import { beginJournal } from './journal.ts'
import type { Outcome } from './outcome.ts'
import { cleanUp } from './run-cleanup.ts'
import type { OpenRun } from './run-open.ts'
import { openRun } from './run-open.ts'
import type { RunPlan } from './run-plan.ts'
import { beginOf, headerOf, planRun } from './run-plan.ts'
import type { Preflight } from './run-preflight.ts'
import { preflight } from './run-preflight.ts'
import { executorOf } from './run-scenarios.ts'
import type { Environment } from './run-secrets.ts'
import { presentKeys, readSecrets } from './run-secrets.ts'
import type { Scenario } from './scenario.ts'
import type { Skipped } from './selection.ts'
import { select } from './selection.ts'

export interface DriveOptions {
  readonly profile: Profile
  /** Holds the values that the profile names. */
  readonly environment: Environment
  /** Default `standard`. */
  readonly tier?: Tier
  readonly only?: readonly string[]
  readonly seed?: number
  readonly max_requests?: number
  /** Scenarios side by side. */
  readonly at_once?: number
  /** File of the trace; in memory where missing. */
  readonly out?: string
  /** File of the journal; a temporary one where missing. */
  readonly journal?: string
  readonly signal?: AbortSignal
  /** Default: all of all parts. */
  readonly scenarios?: readonly Scenario[]
  /** How long cleanup may take in the end. */
  readonly cleanup_ms?: number
}

export interface Driven {
  readonly trace: Trace
  readonly end: EndEntry['outcome']
  readonly outcomes: readonly Outcome[]
  readonly skipped: readonly Skipped[]
}

const defaultCleanup_ms = 60_000

/**
 * A whole run in this process, without vitest: header, preflight, scenarios, cleanup, end.
 *
 * @throws UnknownSelection, UnsafeTarget, TraceWriteError
 */
export async function driveTarget(options: DriveOptions): Promise<Driven> {
  const { profile, environment, tier = 'standard', only = [], seed, max_requests, at_once } = options
  const scenarios = options.scenarios ?? (await loadScenarios())
  const keys = presentKeys(readSecrets(profile, environment))
  const selection = select({ scenarios, profile, keys, tier, only, requirements: [...requirements.keys()] })
  const bounds = {
    ...(max_requests === undefined ? {} : { max_requests }),
    ...(at_once === undefined ? {} : { at_once }),
  }
  const plan = planRun({ profile, tier, only, selected: selection.selected, seed, ...bounds })
  const folder = options.journal === undefined ? mkdtempSync(join(tmpdir(), 'greenroom-')) : undefined
  const journal = beginJournal(options.journal ?? join(folder ?? '', 'run.journal'), beginOf(plan))
  const record = recorder(plan, options.out)
  const signal = options.signal ?? never
  const open = openRun({ plan, environment, signal, write: record.write, reserve: () => journal.pending })
  try {
    open.trace.write(headerOf(plan, selection, environment))
    const driven = await drive(open, journal, { ...options, scenarios, signal })
    return { ...driven, trace: record.read(), skipped: selection.skipped }
  } finally {
    await open.close()
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true })
  }
}

type Driving = DriveOptions & Required<Pick<DriveOptions, 'scenarios' | 'signal'>>

async function drive(open: OpenRun, journal: Journal, { scenarios, signal, cleanup_ms }: Driving) {
  let outcomes: readonly Outcome[] = []
  let found: Preflight | undefined
  try {
    found = await preflight(open.client.scope())
    if (found.kind === 'ok') outcomes = await executorOf({ open, journal, scenarios, signal }).runAll()
  } catch (error) {
    if (!signal.aborted) throw error
  } finally {
    await cleanUp(open, journal, cleanup_ms ?? defaultCleanup_ms)
  }
  const end = endOf(found, signal)
  open.trace.write({ kind: 'end', ...end })
  return { end: end.outcome, outcomes }
}

function endOf(found: Preflight | undefined, signal: AbortSignal): Pick<EndEntry, 'outcome' | 'reason'> {
  if (signal.aborted || found === undefined) return { outcome: 'interrupted' }
  return found.kind === 'ok' ? { outcome: 'completed' } : { outcome: 'unreachable', reason: found.reason }
}

/** Where the trace goes, and how it is read again. */
function recorder({ epoch }: RunPlan, out: string | undefined) {
  if (out !== undefined) {
    return { write: (redactor: Redactor) => openTrace(out, epoch, redactor), read: () => readTrace(out) }
  }
  let memory: MemoryTrace | undefined
  return {
    write: (redactor: Redactor) => (memory = memoryTrace(epoch, redactor)),
    read: () => parseTrace(memory?.text() ?? ''),
  }
}

const never = new AbortController().signal
