import { randomInt } from 'node:crypto'
import type { Rule } from '#judge/rule'
import { type Outcome, outcomeIn } from '#judge/sent-again'
import { type DriveOptions, type Driven, driveTarget } from '#scenario/run/drive'
import type { Length, Replay } from '../replay-file.ts'
import { timeoutsFor } from '#spec/profile'
import { createInVain, type InVain } from './in-vain.ts'
import { replayScenario } from './replay-scenario.ts'

export interface Sent {
  readonly outcome: Outcome
  /** Which of the two sequences the outcome is of. */
  readonly length: Length
  /** Traces of what was sent, the last one last. */
  readonly traces: readonly Driven['trace'][]
}

export interface SendOptions
  extends Pick<DriveOptions, 'profile' | 'environment' | 'signal' | 'simulatedTime' | 'max_requests'> {
  /** Shows whoever watches what is waited for, in a clause. */
  readonly tell?: (what: string) => void
  /** Names a new file for the journal of each sequence; temporary ones where missing. */
  readonly newJournal?: () => string
  readonly rules: readonly Rule[]
  /** Folder of uploaded files. */
  readonly uploads: string
}

/**
 * Sends a failure again: its shortest sequence, and where that does not show it, all that its scenario had done. Whatever
 * it makes is ended again.
 *
 * @throws what `driveTarget` throws
 */
export async function sendAgain(replay: Replay, options: SendOptions): Promise<Sent> {
  const gone = new AbortController()
  const signal = options.signal === undefined ? gone.signal : AbortSignal.any([options.signal, gone.signal])
  const leave = (): void => gone.abort(new Error('nobody answers any more'))
  const vain = createInVain(timeoutsFor(options.profile).event_ms, leave, options.tell)
  const first = await sendOnce(replay, 'short', vain, { ...options, signal })
  const same = replay.short.length === replay.steps.length
  if (first.outcome.is === 'reproduced' || same || signal.aborted || vain.over !== undefined) return first
  const second = await sendOnce(replay, 'whole', vain, { ...options, signal })
  const better = second.outcome.is !== 'undecided' ? second : first
  return { ...better, traces: [...first.traces, ...second.traces] }
}

async function sendOnce(
  replay: Replay,
  length: Length,
  vain: InVain,
  { rules, uploads, newJournal, ...options }: SendOptions,
): Promise<Sent> {
  const { requirement, run } = replay
  const id = `replay.${requirement}`
  const scenario = replayScenario(id, replay, length, { ids: freshIds(run), uploads, vain })
  const { trace } = await driveTarget({
    ...options,
    ...(newJournal && { journal: newJournal() }),
    tier: 'standard',
    scenarios: [scenario],
    at_once: 1,
  })
  const outcome = outcomeIn(trace.entries, requirement, rules, replay.got)
  // What held until the target fell silent says nothing of what would have come.
  const open = vain.over !== undefined && outcome.is !== 'reproduced'
  return { outcome: open ? { is: 'undecided', reason: vain.over } : outcome, length, traces: [trace] }
}

const alphabet = 'abcdefghijkmnpqrstuvwxyz23456789'

/** As long as the id of the run that it stands for, so that nothing becomes longer or shorter by it. */
export function freshIds(run: string): string {
  return Array.from({ length: run.length }, () => alphabet[randomInt(alphabet.length)]).join('')
}
