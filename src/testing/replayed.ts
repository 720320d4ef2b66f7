import { ofAllRows } from '#trace/reader'
import { judge } from '#judge/judge'
import { register } from '#judge/register'
import { indexTrace } from '#judge/trace-index'
import { makeReplay } from '#replay/make-replay'
import type { Replay } from '#replay/replay-file'
import { loadRules } from '#scenario/plan/load-rules'
import { driveTarget } from '#scenario/run/drive'
import { onSimulatedTarget } from './simulated-target.ts'

/** Drives a scenario on a target with a defect, and cuts out what breaks the requirement. */
export async function replayOf(
  defect: string,
  { requirement, only, uploads }: { readonly requirement: string; readonly only: string; readonly uploads: string },
): Promise<Replay> {
  const rules = await loadRules()
  const { trace } = await onSimulatedTarget({ defects: [defect] }, (driven) =>
    driveTarget({ ...driven, only: [only], uploads, seed: 1 }),
  )
  const results = judge(ofAllRows(trace), register(), rules)
  const row = [...results.requirements, ...results.unscored].find(({ id }) => id === requirement)
  const source = { index: indexTrace(trace.entries), results, rules, register: register().rows }
  const replay = row === undefined ? undefined : makeReplay(row, source)
  if (replay === undefined) throw new Error(`${defect} does not break ${requirement}: ${row?.verdict} ${row?.reason}`)
  return replay
}
