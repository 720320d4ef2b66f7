import type { KeyName, Profile } from '#spec/profile'
import type { AnyContext } from '#scenario/author/context'
import type { Scenario } from '#scenario/author/scenario'
import { cleanUp } from '#scenario/cleanup/run-cleanup'
import { beginJournal, type Journal } from '#scenario/journal/journal'
import { beginOf, headerOf, planRun } from '#scenario/plan/run-plan'
import { type OpenRun, openRun } from '#scenario/run/run-open'
import { preflight } from '#scenario/run/run-preflight'
import { executorOf } from '#scenario/run/run-scenarios'
import type { Entry } from '#trace/entry'
import { parseTrace } from '#trace/reader'
import { type MemoryTrace, memoryTrace } from '#trace/writer'
import { newJournal } from '../check/journal-place.ts'
import { whyUnreachable } from '../check/unreachable.ts'
import type { Shell } from '../shell.ts'

/** Requests that questions to a target may take, whatever comes. Seeing to it that nothing stays open goes beyond it. */
const mostRequests = 12

const preflight_ms = 8_000
const cleanup_ms = 30_000

export interface AskOptions {
  readonly profile: Profile
  readonly environment: Shell['env']
  readonly signal: AbortSignal
  /** Sends what there is to ask; all that it makes is journalled, and ended. */
  readonly ask: (context: AnyContext, tools: AskTools) => Promise<void>
}

export interface AskTools {
  /** Keys that have a value. */
  readonly keys: readonly KeyName[]
  /** Makes a target's words fit to be shown. */
  readonly redact: (text: string) => string
  /** Requests that may still be sent. */
  readonly left: () => number
}

/** What came of it. */
export interface Asked {
  /** Why there was nobody to ask, in words that say what to do. */
  readonly unreachable: string | undefined
  /** What stood in the way of asking all. */
  readonly stopped: string | undefined
  readonly entries: readonly Entry[]
  readonly requests: number
  /** What could not be ended. */
  readonly leaked: readonly string[]
}

/** A short look at a target, in this process: the run's own machinery, nothing judged. @throws UnsafeTarget */
export async function askTarget({ profile, environment, signal, ask }: AskOptions): Promise<Asked> {
  let tools: AskTools = { keys: [], redact: (text) => text, left: () => 0 }
  const scenario: Scenario = {
    id: 'probe.target',
    proves: [],
    tier: 'smoke',
    price: { requests: { primary: mostRequests } },
    drive: (context) => ask(context, tools),
  }
  const plan = planRun({ profile, tier: 'smoke', only: [], selected: [scenario], max_requests: mostRequests })
  let trace: MemoryTrace | undefined
  const write = (redactor: Parameters<typeof memoryTrace>[1]) => (trace = memoryTrace(plan.epoch, redactor))
  const open = openRun({ plan, environment, signal, write })
  const left = () => mostRequests - open.client.traffic().rest_requests
  tools = { keys: open.keys, redact: open.redact, left }
  const journal = beginJournal(newJournal(environment, undefined, plan.run), beginOf(plan))
  const entries = () => parseTrace(trace?.text() ?? '').entries
  try {
    open.trace.write(headerOf(plan, { selected: [scenario], skipped: [] }, environment))
    const found = await preflight(open.client.scope(), preflight_ms, { base_url: profile.base_url })
    const outcomes =
      found.kind === 'ok' ? await executorOf({ open, journal, scenarios: [scenario], signal }).runAll() : []
    const leaked = await finish(open, journal, signal)
    const [outcome] = outcomes
    return {
      unreachable: found.kind === 'ok' ? undefined : whyUnreachable(found.reason, entries()),
      stopped: outcome?.outcome === 'completed' ? undefined : outcome?.reason,
      entries: entries(),
      requests: open.client.traffic().rest_requests,
      leaked,
    }
  } finally {
    await open.close()
  }
}

/** Ends what is still open, and looks whether what was ended is over; where nothing was made, nothing more is asked. */
async function finish(open: OpenRun, journal: Journal, signal: AbortSignal): Promise<readonly string[]> {
  const { leaked } = await cleanUp(open, journal, cleanup_ms, { hurried: signal.aborted })
  return leaked.map(({ id }) => id)
}

/** How many were sent, in words that hold to what was promised. */
export function countOf(requests: number): string {
  const more = requests - mostRequests
  const counted = `${Math.min(requests, mostRequests)} requests of at most ${mostRequests}`
  return more > 0 ? `${counted}, and ${more} more to see that nothing stays open` : counted
}
