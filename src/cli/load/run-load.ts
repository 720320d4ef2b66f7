import { secondsOf } from '../../../load/core/arrivals.ts'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { performance } from 'node:perf_hooks'
import { messageOf } from '#trace/message-of'
import { longestRun } from '../../../load/scenarios/longest-run.ts'
import { UnsafeTarget } from '#client/errors'
import type { K6 } from '#load/k6/binary'
import { writeBundle } from '#load/k6/bundle'
import { environmentOf, outputVariables } from '#load/k6/environment'
import type { K6Line } from '#load/k6/lines'
import { type EndedProcess, runAll } from '#load/k6/run-all'
import type { Broke } from '#load/load-report'
import { Samples } from '#load/results/samples'
import { SharedIds } from '#load/results/shared-ids'
import { Timeline } from '#load/results/timeline'
import { cleanUp, cleanUpAfter } from '#scenario/cleanup/run-cleanup'
import { nothingSwept, type Swept } from '#scenario/cleanup/sweep'
import { beginJournal, type Journal, JournalBusy } from '#scenario/journal/journal'
import { beginOf } from '#scenario/plan/run-plan'
import { type OpenRun, openRun } from '#scenario/run/run-open'
import { type Preflight, preflight } from '#scenario/run/run-preflight'
import { memoryTrace } from '#trace/writer'
import { journalsOfTheDead } from '../check/journal-place.ts'
import type { Subject } from '../check/subject.ts'
import { unstoppableJournal } from '../check/unstoppable.ts'
import { makeFolder } from '../make-folder.ts'
import type { Shell } from '../shell.ts'
import { fileTrouble, usage } from '../stop.ts'
import { LoadJournal } from './load-journal.ts'
import { Climb, isClimb } from './climb.ts'
import type { LoadPlan } from './plan-load.ts'
import { type LoadState, showLoad } from './progress.ts'

/** One run of k6, in however many processes. */
export interface LoadRun {
  readonly plan: LoadPlan
  readonly subject: Subject
  readonly k6: K6
  /** File of the journal. */
  readonly journal: string
  readonly shell: Shell
  readonly signal: AbortSignal
}

/** What a run brought, before anything is said of it. */
export interface LoadOutcome {
  readonly processes: readonly EndedProcess[]
  readonly timeline: Timeline
  readonly samples: Samples
  readonly ids: SharedIds
  /** Where the target broke, which ended the run. */
  readonly broke: Broke | undefined
  /** Milliseconds since 1970. */
  readonly started: number
  readonly elapsed_ms: number
  readonly before: Preflight
  /** Whether the target still answered afterwards. */
  readonly answers: boolean
  readonly swept: Swept
  /** What kept us from noting down everything, in words. */
  readonly troubles: readonly string[]
}

/** A target that never answers is told within ten seconds. */
const preflightMs = 8_000
const afterwardsMs = 5_000
/** How long ending what is left may take; whoever sends a signal does not wait as long. */
const cleanupMs = { whole: 120_000, interrupted: 20_000, dead: 3_000, earlier: 30_000 }
/** Time that k6 needs beside its schedule: to start, and to write its result. */
const graceMs = 30_000
/** How often it is looked whether the target broke. */
const lookMs = 1_000

/**
 * Asks whether the target is there, runs k6, and ends what is left, whatever happened on the way.
 *
 * @throws Stop before anything is sent; the system's error when k6 cannot be started
 */
export async function runLoad(run: LoadRun): Promise<LoadOutcome> {
  const journal = beginJournalOf(run)
  const troubles = new Set<string>()
  const noted = unstoppableJournal(journal, (error) => void troubles.add(`the journal: ${fileTrouble(error)}`))
  const heard = new Heard(new LoadJournal(noted))
  const before = await askBefore(run)
  let processes: readonly EndedProcess[] = []
  const began = performance.now()
  heard.started = Date.now()
  let swept = nothingSwept
  let answers = before.kind === 'ok'
  try {
    if (answers && !run.signal.aborted) processes = await withK6(run, heard)
  } finally {
    answers = answers && (await withClient(run, (open) => stillAnswers(open, run)).catch(() => false))
    swept = await withClient(run, (open) => sweepAll(open, noted, run, answers), answers ? undefined : cleanupMs.dead)
  }
  const { timeline, samples, ids, broke, started } = heard
  const elapsed_ms = performance.now() - began
  return {
    processes,
    timeline,
    samples,
    ids,
    broke,
    started,
    elapsed_ms,
    before,
    answers,
    swept,
    troubles: [...troubles],
  }
}

/** How long a run lasts; one that doesn't go by a schedule lasts so long at most. */
interface Foretold {
  readonly seconds: number
  readonly at_most: boolean
}

function foretoldOf({ scenarios, workload }: LoadPlan): Foretold {
  const at_most = scenarios.every(({ arrival }) => arrival.kind === 'together')
  return { seconds: at_most ? longestRun(scenarios, workload) / 1_000 : secondsOf(workload), at_most }
}

/** What k6 said so far. */
class Heard {
  readonly timeline = new Timeline()
  readonly samples = new Samples()
  readonly ids = new SharedIds()
  readonly journal: LoadJournal
  started = 0
  broke: Broke | undefined
  /** Creates of sessions that were not answered yet: files and characters are made, too, and nobody waits for their end. */
  readonly #asked = new Set<string>()
  /** Sessions that were made and not ended yet; a repeated create tells of the same again. */
  readonly #open = new Set<string>()
  /** When k6 began to send, in milliseconds since 1970: it takes its time to start. */
  #first: number | undefined

  constructor(journal: LoadJournal) {
    this.journal = journal
  }

  look({ seconds, at_most }: Foretold): LoadState | undefined {
    const first = this.#first
    if (first === undefined) return undefined
    const now = Date.now()
    return {
      ...this.timeline.live(now / 1_000),
      open: this.#open.size,
      at_most,
      seconds_left: seconds - (now - first) / 1_000,
    }
  }

  /** @returns whether the target was seen to break, or the generator */
  looksBroken(climb: Climb): boolean {
    this.broke = this.#first === undefined ? undefined : climb.brokeIn(this.timeline, this.started, this.#first)
    return this.broke !== undefined
  }

  take(line: K6Line): void {
    this.#first ??= Date.now()
    this.#follow(line)
    this.ids.take(line)
    if (line.kind === 'window') this.timeline.add(line)
    else if (line.kind === 'sample') this.samples.add(line)
    else this.journal.take(line)
  }

  #follow(line: K6Line): void {
    if (line.kind === 'create') {
      const { resource } = line.intent
      if (typeof resource === 'string' && resource.endsWith('-session')) this.#asked.add(line.create)
    } else if (line.kind === 'created' && this.#asked.delete(line.create)) this.#open.add(line.id)
    else if (line.kind === 'none') this.#asked.delete(line.create)
    else if (line.kind === 'ended') this.#open.delete(line.id)
  }
}

function beginJournalOf({ journal, plan }: LoadRun): Journal {
  try {
    makeFolder(dirname(resolve(journal)))
    return beginJournal(journal, beginOf(plan.run))
  } catch (error) {
    if (error instanceof JournalBusy) throw usage(`--journal: ${error.message}; give another file`)
    throw usage(`the journal ${journal} cannot be written (${fileTrouble(error)}); give another place with --journal`)
  }
}

/** A client that leaves no trace: what it asks is not what is measured. @param limitMs it gives up after so long */
async function withClient<T>(
  { plan, subject, signal }: LoadRun,
  action: (open: OpenRun) => Promise<T>,
  limitMs?: number,
): Promise<T> {
  const { run } = plan
  const write = memoryTrace.bind(undefined, run.epoch)
  const done = new AbortController()
  const late = limitMs === undefined ? [] : [AbortSignal.timeout(limitMs)]
  const ends = AbortSignal.any([signal, done.signal, ...late])
  const open = openRun({ plan: run, environment: subject.environment, signal: ends, write })
  try {
    return await action(open)
  } finally {
    // What is still being tried again is no longer waited for.
    done.abort()
    await open.close()
  }
}

/** Sessions of runs that were killed hold quota that this one needs. */
async function askBefore(run: LoadRun): Promise<Preflight> {
  try {
    return await withClient(run, async (open) => {
      const found = await preflight(open.client.scope(), preflightMs)
      if (found.kind === 'ok') await sweepDead(open, run)
      return found
    })
  } catch (error) {
    if (error instanceof UnsafeTarget) throw usage(error.message)
    if (!run.signal.aborted) throw error
    return { kind: 'unreachable', reason: 'the run was interrupted' }
  }
}

async function sweepDead(open: OpenRun, { subject, journal, shell }: LoadRun): Promise<void> {
  const dead = journalsOfTheDead(subject.state, journal, subject.profile.base_url)
  if (dead.length === 0) return
  const { closed } = await cleanUpAfter(dead, open, cleanupMs.earlier)
  shell.err(`greenroom: closed ${closed.length} sessions that an earlier run left open\n`)
}

async function withK6({ plan, subject, k6, shell, signal }: LoadRun, heard: Heard): Promise<readonly EndedProcess[]> {
  const { run, workload, keys, outputs } = plan
  heard.journal.begin(keys.map(({ name }) => name))
  const folder = mkdtempSync(join(tmpdir(), 'greenroom-load-'))
  const foretold = foretoldOf(plan)
  const progress = showLoad(shell, `${plan.name} · ${plan.workloadName}`, () => heard.look(foretold))
  const handed = { ...plan, run: run.run, seed: run.seed, profile: subject.profile }
  const enough = new AbortController()
  const climb = isClimb(plan) ? new Climb(plan, subject) : undefined
  const watch = setInterval(() => {
    if (climb === undefined || enough.signal.aborted || !heard.looksBroken(climb)) return
    enough.abort()
    shell.err(
      `greenroom: the ${heard.broke?.by === 'generator' ? 'generator gave way' : 'target broke'}: the load ends here\n`,
    )
  }, lookMs)
  const tell = (): void => {
    progress.stop()
    shell.err('greenroom: interrupted: closes what it opened; a second Ctrl-C leaves that to "npx greenroom cleanup"\n')
  }
  signal.addEventListener('abort', tell, { once: true })
  try {
    return await runAll({
      k6: k6.path,
      script: await writeBundle(plan.name, folder),
      environment: {
        ...environmentOf(handed, subject.environment),
        // Outputs of k6 want the numbers as well.
        ...(outputs.length === 0 ? { GREENROOM_NUMBERS_IN_LINES: 'true' } : outputVariables(shell.env)),
      },
      outputs,
      processes: plan.processes,
      folder,
      deadlineMs: longestRun(plan.scenarios, workload) + graceMs,
      signal: AbortSignal.any([signal, enough.signal]),
      take: (line) => heard.take(line),
    })
  } catch (error) {
    throw new Error(`k6 could not be run: ${messageOf(error)}`, { cause: error })
  } finally {
    clearInterval(watch)
    signal.removeEventListener('abort', tell)
    progress.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function stillAnswers(open: OpenRun, { signal }: LoadRun): Promise<boolean> {
  // Somebody waits for our end: nothing more is asked, and a target is not called dead unheard.
  if (signal.aborted) return true
  return (await preflight(open.client.scope(), afterwardsMs)).kind === 'ok'
}

async function sweepAll(open: OpenRun, journal: Journal, { signal }: LoadRun, answers: boolean): Promise<Swept> {
  if (!answers) return await cleanUp(open, journal, cleanupMs.dead, { hurried: true })
  return await cleanUp(open, journal, signal.aborted ? cleanupMs.interrupted : cleanupMs.whole, {
    hurried: signal.aborted,
  })
}
