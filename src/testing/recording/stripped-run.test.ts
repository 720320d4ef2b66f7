import { expect, test } from 'vitest'
import { loadScenarios } from '#scenario/plan/catalogue'
import { loadRules } from '#scenario/plan/load-rules'
import { deviations } from '#target/deviations'
import { WHOLE_RUN_MS } from '../hang.ts'
import { strippedRun } from './stripped-run.ts'
import { failuresOf, redRows } from './watched-run.ts'

const suites = { scenarios: await loadScenarios(), rules: await loadRules() }

/** Legal behaviour that was called wrong in recordings before; `src/bench/watch/stripped-series.ts` tries all of it. */
test.each([
  [['extra-fields', 'faulty-items-as-sent', 'starts-shorten-timeouts', 'sessions-ended-for-maintenance']],
  [['null-image-shown', 'minimal']],
  [['character-lists-late', 'resources-bare', 'sessions-ended-unannounced', 'tiny-replies-refused']],
])(
  'without claims and scenarios nothing is held against a service with %j',
  { timeout: WHOLE_RUN_MS },
  async (variations) => {
    const warned = deviations().variations.flatMap(({ id, warns = [] }) => (variations.includes(id) ? warns : []))
    const { results } = await strippedRun({ ...suites, variations })
    const red = redRows(results).filter((row) => !warned.includes(row))
    expect(failuresOf(results, red)).toEqual([])
    expect(red).toEqual([])
    expect(results.summary.pass).toBeGreaterThan(560)
  },
)
