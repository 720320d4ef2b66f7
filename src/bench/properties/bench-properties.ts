import { parseArgs } from 'node:util'
import { loadScenarios } from '#scenario/plan/catalogue'
import { deviations } from '#target/deviations'
import { seriesBehindProxy } from './behind-proxy.ts'
import { alarmFigures, killFigures } from './figures.ts'
import { defectRuns, variationRuns } from './jobs.ts'
import { Progress } from './progress.ts'
import { runAll } from './walk-run.ts'
import { statefulAmong, walksAmong } from './walk-scenarios.ts'

// What the walks alone find, and whether they ever cry wolf: `npm run bench:properties [-- --seeds 10] [--requests 300]
// [--only <part of an id>] [--series kills,variations,proxy] [--at-once 12]`.
const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '10' },
    requests: { type: 'string', default: '300' },
    only: { type: 'string', multiple: true, default: [] },
    series: { type: 'string', default: 'kills,variations,proxy' },
    'at-once': { type: 'string', default: '12' },
  },
})
const wanted = (id: string): boolean => values.only.length === 0 || values.only.some((part) => id.includes(part))
const series = { budget: Number(values.requests), seeds: Number(values.seeds) }
const atOnce = Number(values['at-once'])
const { defects, variations } = deviations()
const walks = walksAmong(await loadScenarios())

const all: { readonly [name: string]: () => Promise<readonly string[]> } = {
  kills: async () => {
    const stateful = statefulAmong(defects, walks).filter(({ defect }) => wanted(defect.id))
    return killFigures(await runAll(defectRuns(stateful, series), atOnce, new Progress('kills').add))
  },
  variations: async () => {
    const ids = variations.map(({ id }) => id).filter(wanted)
    return alarmFigures(
      'variations',
      await runAll(variationRuns(ids, walks, series), atOnce, new Progress('variations').add),
    )
  },
  proxy: () => seriesBehindProxy(walks, series, new Progress('proxy')),
}

for (const name of values.series.split(',')) {
  const told = await all[name]?.()
  if (told === undefined) throw new Error(`there is no series ${name}: ${Object.keys(all).join(', ')}`)
  console.log([`== ${name}`, ...told].join('\n'))
}
