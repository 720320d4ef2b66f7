import type { KeyName, Profile } from '#spec/profile'
import { requirements } from '#spec/register'
import type { HeaderEntry } from '#trace/entry'
import { loadScenarios } from './catalogue.ts'
import { manifestOf, skippedOf } from './plan.ts'
import { select } from './selection.ts'

/** Says what a whole run drives and leaves out that has the profile, keys and tier of this header. */
export type PlanAnew = (header: HeaderEntry) => Pick<HeaderEntry, 'manifest' | 'skipped'>

export async function plansAnew(): Promise<PlanAnew> {
  const scenarios = await loadScenarios()
  const ids = [...requirements.keys()]
  return ({ profile, keys, tier }) => {
    const whole = { profile: profile as unknown as Profile, keys: keys as readonly KeyName[], tier, only: [] }
    const { selected, skipped, left_out } = select({ scenarios, requirements: ids, ...whole })
    return { manifest: manifestOf(selected, left_out), skipped: skippedOf(skipped) }
  }
}
