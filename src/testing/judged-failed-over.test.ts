import { expect, test } from 'vitest'
import { loadScenarios } from '#scenario/plan/catalogue'
import { cheapest } from '#scenario/plan/cheapest'
import { readFinds } from '#scenario/plan/finds'
import { select } from '#scenario/plan/selection'
import { presentKeys, readSecrets } from '#scenario/run/run-secrets'
import { WHOLE_RUN_MS } from './hang.ts'
import { judgedRun } from './judged-run.ts'
import { onSimulatedTarget } from './simulated-target.ts'

test(
  'a failure over the same request each time is found where nothing else is written meanwhile',
  async () => {
    const row = 'errors.code-30004.avatars-empty'
    await onSimulatedTarget({ defects: [`${row}~failure`] }, async (driven) => {
      const { profile, environment } = driven
      const keys = presentKeys(readSecrets(profile, environment))
      const only = [row]
      const scenarios = await loadScenarios()
      const all = select({ scenarios, profile, keys, tier: 'standard', only, requirements: only })
      const { selected, left_out = {} } = cheapest(all, { only, finds: readFinds(), profile })
      const { results } = await judgedRun({ ...driven, only, scenarios: selected, left_out })
      expect(results.requirements.find(({ id }) => id === row)).toMatchObject({ verdict: 'fail' })
    })
  },
  WHOLE_RUN_MS,
)
