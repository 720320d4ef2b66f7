import { confirmationId, outcomeOf } from '#judge/confirmations'
import type { Rule } from '#judge/rule'
import type { Journal } from '#scenario/journal/journal'
import { mostOf } from '#scenario/plan/plan'
import type { OpenRun } from '#scenario/run/run-open'
import { executorOf } from '#scenario/run/run-scenarios'
import { timeoutsFor } from '#spec/profile'
import { type Entry, scenarioOf } from '#trace/entry'
import type { Length, Replay } from '../replay-file.ts'
import { createInVain, type InVain } from './in-vain.ts'
import { replayScenario } from './replay-scenario.ts'
import { freshIds } from './send-again.ts'

/** The failure of a row, and what sends it again, or why nothing does. */
export type FailureToConfirm = { readonly requirement: string } & (
  | {
      readonly replay: Replay
      /** Another failure of the row, asked for only where this one is not seen again. */
      readonly another: () => Replay | undefined
    }
  | { readonly obstacle: Obstacle }
)

/** Why a failure is not sent again. */
export interface Obstacle {
  readonly reason_code: 'budget' | 'prerequisite'
  /** A clause. */
  readonly reason: string
}

export interface ConfirmTools {
  /** The run that they failed in; it has not ended yet. */
  readonly open: OpenRun
  readonly journal: Journal
  readonly rules: readonly Rule[]
  /** Folder of uploaded files, by their sha256. */
  readonly uploads: string
  readonly signal: AbortSignal
  /** What the trace held when sending again began. */
  readonly earlier: readonly Entry[]
  /** What was added to it since the last look. */
  readonly more: () => readonly Entry[]
}

/**
 * Sends failures of a run again in the same run, one after the other and each once: its shortest sequence; where that does
 * not show it, all that its scenario had done; and where that does not either, another failure of the row. Whatever does
 * not fit into the budget is not begun, and the trace says so. What came of it is judged from the trace, with everything
 * else.
 *
 * @throws TraceWriteError
 */
export async function confirmFailures(failures: readonly FailureToConfirm[], tools: ConfirmTools): Promise<void> {
  const objection = objectionsOf(tools)
  let gone = false
  for (const failure of failures) {
    if (tools.signal.aborted) return
    if (gone) {
      leaveOut(confirmationId(failure.requirement, 'short'), nobody, tools)
      continue
    }
    if ('obstacle' in failure) {
      leaveOut(confirmationId(failure.requirement, 'short'), failure.obstacle, tools)
      continue
    }
    const vain = createInVain(timeoutsFor(tools.open.plan.profile).event_ms, () => (gone = true))
    await sendInTurn(failure, { ...tools, objection, vain })
  }
}

type Sending = ConfirmTools & { readonly objection: Objection; readonly vain: InVain }

/** The shortest sequence, the whole one, another failure: until one shows it, or the target says nothing any more. */
async function sendInTurn(
  { replay, another }: Extract<FailureToConfirm, { replay: Replay }>,
  sending: Sending,
): Promise<void> {
  const done = (): boolean => sending.signal.aborted || sending.vain.over !== undefined
  if ((await sendOnce(replay, 'short', sending)) !== 'not-shown' || done()) return
  if (replay.short.length < replay.steps.length) {
    if ((await sendOnce(replay, 'whole', sending)) === 'shown' || done()) return
  }
  const other = another()
  if (other !== undefined) await sendOnce(other, 'other', sending)
}

async function sendOnce(
  replay: Replay,
  what: Length | 'other',
  sending: Sending,
): Promise<'shown' | 'not-shown' | 'left-out'> {
  const { open, journal, rules, uploads, signal, earlier, more, objection, vain } = sending
  const { requirement, run } = replay
  const id = confirmationId(requirement, what)
  const length = what === 'other' ? 'short' : what
  const scenario = replayScenario(id, replay, length, { ids: freshIds(run), uploads, vain })
  const reason = objection(mostOf(scenario.price))
  if (reason !== undefined) {
    leaveOut(id, { reason_code: 'budget', reason }, sending)
    return 'left-out'
  }
  const alone = { ...open, plan: { ...open.plan, scenarios: [id] } }
  await executorOf({ open: alone, journal, scenarios: [scenario], signal }).runAll()
  const own = more().filter((entry) => scenarioOf(entry) === id)
  return outcomeOf(own, earlier[0], requirement, rules).is === 'reproduced' ? 'shown' : 'not-shown'
}

/** Why so many requests are too many for what the run may still spend, in a clause. */
type Objection = (requests: number) => string | undefined

/** Sending again may take as long as the run itself took, and at least so long, in milliseconds: whatever the target does, it ends. */
const shortest_ms = 60_000

const nobody: Obstacle = { reason_code: 'prerequisite', reason: 'the target had stopped answering by then' }

function objectionsOf({ open: { plan, client, trace }, earlier }: ConfirmTools): Objection {
  const { max_requests = Infinity, run_ms = Infinity } = plan
  const began = trace.now()
  const most_ms = Math.max(shortest_ms, began)
  const before = earlier.filter(({ kind }) => kind === 'request').length
  return (requests) => {
    const left = max_requests - before - client.traffic().rest_requests
    if (requests > left) {
      return `it takes up to ${requests} ${requests === 1 ? 'request' : 'requests'}, and of the ${max_requests} that the run may send ${left} were left`
    }
    if (trace.now() >= run_ms) return `the ${Math.round(run_ms / 1_000)} s that the run may take were over`
    if (trace.now() - began < most_ms) return undefined
    return `the ${Math.round(most_ms / 1_000)} s that sending again may take were over`
  }
}

function leaveOut(id: string, obstacle: Obstacle, { open }: ConfirmTools): void {
  open.trace.write({ kind: 'scenario-start', scenario: id })
  open.trace.write({ kind: 'scenario-end', scenario: id, outcome: 'blocked', ...obstacle })
}
