import { judge } from '#judge/judge'
import { register } from '#judge/register'
import type { Results } from '#judge/results'
import { isLeftOpen } from '#judge/verdict'
import { loadRules } from '#scenario/plan/load-rules'
import { type Driven, type DriveOptions, driveTarget } from '#scenario/run/drive'

/** Drives a target in this process, and judges what passed. */
export async function judgedRun(options: DriveOptions): Promise<Driven & { readonly results: Results }> {
  const driven = await driveTarget({ seed: 1, ...options })
  return { ...driven, results: judge(driven.trace, register(), await loadRules()) }
}

/** What was called wrong, and why. */
export function wrongIn({ requirements }: Results): readonly string[] {
  const wrong = requirements.filter(({ verdict }) => verdict === 'fail' || verdict === 'warn')
  return wrong.map(({ verdict, id, reason }) => `${verdict} ${id}: ${reason}`)
}

/** What was not judged since something stood in the way, and what that was. */
export function blockedIn({ requirements }: Results): readonly string[] {
  const blocked = requirements.filter((row) => isLeftOpen({ ...row, level: 'must' }, []))
  return blocked.map(({ id, reason }) => `${id}: ${reason}`)
}
