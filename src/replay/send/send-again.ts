import { randomInt } from 'node:crypto'
import { collectFindings } from '#judge/findings'
import type { Rule } from '#judge/rule'
import { indexTrace } from '#judge/trace-index'
import { type DriveOptions, type Driven, driveTarget } from '#scenario/run/drive'
import type { Entry } from '#trace/entry'
import type { Length, Replay } from '../replay-file.ts'
import { replayScenario } from './replay-scenario.ts'

/** What came of one sending. */
export type Outcome =
  | { readonly is: 'reproduced'; readonly expected: string; readonly got: string }
  | { readonly is: 'not-reproduced' }
  | { readonly is: 'undecided'; readonly reason: string }

export interface Sent {
  readonly outcome: Outcome
  /** Which of the two sequences the outcome is of. */
  readonly length: Length
  /** Traces of what was sent, the last one last. */
  readonly traces: readonly Driven['trace'][]
}

export interface SendOptions
  extends Pick<DriveOptions, 'profile' | 'environment' | 'signal' | 'simulatedTime' | 'max_requests' | 'journal'> {
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
  const first = await sendOnce(replay, 'short', options)
  const same = replay.short.length === replay.steps.length
  if (first.outcome.is === 'reproduced' || same || options.signal?.aborted === true) return first
  const second = await sendOnce(replay, 'whole', options)
  const better = second.outcome.is !== 'undecided' ? second : first
  return { ...better, traces: [...first.traces, ...second.traces] }
}

async function sendOnce(replay: Replay, length: Length, { rules, uploads, ...options }: SendOptions): Promise<Sent> {
  const { requirement, run } = replay
  const id = `replay.${requirement}`
  let otherWay: string | undefined
  const tools = { ids: freshIds(run), uploads, tookAnotherWay: (how: string) => void (otherWay ??= how) }
  const scenario = replayScenario(id, replay, length, tools)
  const { trace, end, outcomes } = await driveTarget({
    ...options,
    tier: 'standard',
    scenarios: [scenario],
    at_once: 1,
  })
  const blocked = outcomes.find(({ outcome }) => outcome !== 'completed')?.reason
  const reason = blocked ?? (end === 'completed' ? undefined : `the run ended ${end}`)
  const outcome = outcomeIn(trace.entries, requirement, rules, reason)
  // What was expected then was expected of what had come until then: on another way it may be wrong to expect it.
  const other =
    otherWay !== undefined && outcome.is === 'reproduced' ? { is: 'undecided' as const, reason: otherWay } : outcome
  return { outcome: other, length, traces: [trace] }
}

/** What the judge says of a requirement in a trace. @param reason why not everything was sent, where it was not */
export function outcomeIn(
  entries: readonly Entry[],
  requirement: string,
  rules: readonly Rule[],
  reason: string | undefined,
): Outcome {
  const { rows } = collectFindings(indexTrace(entries), rules, () => true)
  const row = rows.get(requirement)
  const [breach] = row?.breaches ?? []
  if (breach !== undefined) return { is: 'reproduced', expected: breach.expected, got: breach.got }
  if (row !== undefined && row.held > 0) return { is: 'not-reproduced' }
  return { is: 'undecided', reason: reason ?? row?.open[0]?.why ?? 'nothing was observed that speaks about it' }
}

const alphabet = 'abcdefghijkmnpqrstuvwxyz23456789'

/** As long as the id of the run that it stands for, so that nothing becomes longer or shorter by it. */
export function freshIds(run: string): string {
  return Array.from({ length: run.length }, () => alphabet[randomInt(alphabet.length)]).join('')
}
