import type { Judging } from '#certificate/judged-run'
import { judge } from '#judge/judge'
import { register } from '#judge/register'
import { loadRules } from '#scenario/plan/load-rules'
import { plansAnew } from '#scenario/plan/plan-anew'
import { version } from '#scenario/plan/run-plan'

/** How this Greenroom judges the runs of a certificate. */
export async function judging(): Promise<Judging> {
  const rules = await loadRules()
  return {
    judge: (trace) => judge(trace, register(), rules),
    planAnew: await plansAnew(),
    register: register(),
    greenroom: version(),
    tier: 'full',
  }
}
