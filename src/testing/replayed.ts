import { judge } from '#judge/judge'
import { register } from '#judge/register'
import { indexTrace } from '#judge/trace-index'
import { makeReplay } from '#replay/make-replay'
import type { Replay } from '#replay/replay-file'
import { loadRules } from '#scenario/plan/load-rules'
import { driveTarget } from '#scenario/run/drive'
import type { RunningTarget } from '#target/start'
import { type Driven, startSimulatedTarget } from './simulated-target.ts'

/** Has something done with a reference target with some defects, in this process. */
export async function onTarget<T>(
  defects: readonly string[],
  action: (target: Driven, running: RunningTarget) => Promise<T>,
): Promise<T> {
  const { target, driven } = await startSimulatedTarget({ seed: 1, defects })
  try {
    return await action(driven, target)
  } finally {
    await target.stop()
  }
}

/** Drives a scenario on a target with a defect, and cuts out what breaks the requirement. */
export async function replayOf(
  defect: string,
  { requirement, only, uploads }: { readonly requirement: string; readonly only: string; readonly uploads: string },
): Promise<Replay> {
  const rules = await loadRules()
  const { trace } = await onTarget([defect], (target) => driveTarget({ ...target, only: [only], uploads, seed: 1 }))
  const [header, ...rest] = trace.entries
  if (header?.kind !== 'header') throw new Error('a trace begins with its header')
  const whole = { ...trace, entries: [{ ...header, only: [] }, ...rest] }
  const results = judge(whole, register(), rules)
  const row = [...results.requirements, ...results.unscored].find(({ id }) => id === requirement)
  const source = { index: indexTrace(trace.entries), results, rules, register: register().rows }
  const replay = row === undefined ? undefined : makeReplay(row, source)
  if (replay === undefined) throw new Error(`${defect} does not break ${requirement}: ${row?.verdict} ${row?.reason}`)
  return replay
}
