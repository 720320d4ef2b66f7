import { appendFileSync } from 'node:fs'
import { loadScenarios } from '#scenario/plan/catalogue'
import { deviations } from '#target/deviations'
import { seriesBehindProxy } from './behind-proxy.ts'
import { alarmFigures, killFigures } from './figures.ts'
import { defectRuns, variationRuns } from './jobs.ts'
import { Progress } from './progress.ts'
import { runAll, type WalkResult } from './walk-run.ts'
import { leftOutAmong, statefulAmong, walksAmong } from './walk-scenarios.ts'
import { readOptions } from '../command-line.ts'

// What the walks alone find, and whether they ever cry wolf: `npm run bench:properties [-- --seeds 10] [--requests 300]
// [--every 1] [--from 0] [--only <part of an id>] [--models <part of a name>] [--series kills,variations,proxy] [--walks <part of an id>]
// [--at-once 12] [--runs <file: a line for each run>]`.
const values = readOptions(
  'npm run bench:properties [-- --seeds 10 --first-seed 1 --requests 300 --every 1 --from 0 --only <part of an id> --models <part of a name> --series kills,variations,proxy --walks <part of an id> --at-once 12 --runs <file>]',
  {
    seeds: { type: 'string', default: '10' },
    'first-seed': { type: 'string', default: '1' },
    requests: { type: 'string', default: '300' },
    every: { type: 'string', default: '1' },
    from: { type: 'string', default: '0' },
    only: { type: 'string', multiple: true, default: [] },
    models: { type: 'string', multiple: true, default: [] },
    series: { type: 'string', default: 'kills,variations,proxy' },
    'at-once': { type: 'string', default: '12' },
    walks: { type: 'string', multiple: true, default: [] },
    runs: { type: 'string' },
  },
)
const names = (parts: readonly string[], name: string): boolean =>
  parts.length === 0 || parts.some((part) => name.includes(part))
const wanted = (id: string): boolean => names(values.only, id)
/** A sample through all subjects, since deviations of one subject stand beside each other. */
const sampled = (_: unknown, place: number): boolean => (place - Number(values.from)) % Number(values.every) === 0
const series = { budget: Number(values.requests), seeds: Number(values.seeds), first: Number(values['first-seed']) }
const atOnce = Number(values['at-once'])
const { defects, variations } = deviations()
const walks = walksAmong(await loadScenarios()).filter(({ id }) => names(values.walks, id))

/** Tells of each run, and writes it down where that is wanted. */
function noting(name: string): (result: WalkResult, all: number) => void {
  const progress = new Progress(name)
  return (result, count) => {
    progress.add(result, count)
    if (values.runs !== undefined) appendFileSync(values.runs, `${JSON.stringify(result)}\n`)
  }
}

const all: { readonly [name: string]: () => Promise<readonly string[]> } = {
  kills: async () => {
    const stateful = statefulAmong(defects, walks)
      .filter(({ defect, model }) => wanted(defect.id) && names(values.models, model))
      .filter(sampled)
    const figures = killFigures(await runAll(defectRuns(stateful, series), atOnce, noting('kills')))
    const others = [...leftOutAmong(defects)].map(([why, count]) => `  ${count}: ${why}`)
    return [...figures, 'defects of the same subjects that do not count as stateful:', ...others]
  },
  variations: async () => {
    const ids = variations
      .map(({ id }) => id)
      .filter(wanted)
      .filter(sampled)
    return alarmFigures('variations', await runAll(variationRuns(ids, walks, series), atOnce, noting('variations')))
  },
  proxy: () => seriesBehindProxy(walks, series, new Progress('proxy')),
}

for (const name of values.series.split(',')) {
  const told = await all[name]?.()
  if (told === undefined) throw new Error(`there is no series ${name}: ${Object.keys(all).join(', ')}`)
  console.log([`== ${name}`, ...told].join('\n'))
}
