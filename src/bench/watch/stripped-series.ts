import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { judge } from '#judge/judge'
import { register } from '#judge/register'
import type { Results } from '#judge/results'
import { loadScenarios } from '#scenario/plan/catalogue'
import { loadRules } from '#scenario/plan/load-rules'
import { deviations } from '#target/deviations'
import { sideBySide } from '#testing/side-by-side'
import { strippedRun } from '#testing/recording/stripped-run'
import { parseTrace } from '#trace/reader'
import { failuresOf, redRows } from '#testing/recording/watched-run'
import { readOptions } from '../command-line.ts'

// What the rules say of correct services in a recording, without a proxy: every variation of the reference target is driven
// by a run, and the run's trace judged without its scenarios and claims. No legal behaviour may be reported:
// `npm run bench -- watch-variations [--at-once 4] [--tier standard] [--together 1] [--only id …] [--out folder] [--again folder]`.
// `--out` keeps the traces; `--again folder` judges kept traces anew and drives nothing.
const values = readOptions(
  'npm run bench -- watch-variations [--at-once 4] [--tier standard] [--together 1] [--only <id>] [--out <folder>] [--again <folder>]',
  {
    'at-once': { type: 'string', default: '4' },
    tier: { type: 'string', default: 'standard' },
    together: { type: 'string', default: '1' },
    only: { type: 'string', multiple: true, default: [] },
    out: { type: 'string' },
    again: { type: 'string' },
  },
)
const tier = values.tier === 'full' ? 'full' : 'standard'
const suites = { scenarios: await loadScenarios(), rules: await loadRules() }
const chosen = deviations().variations.filter(({ id }) => values.only.length === 0 || values.only.includes(id))
const runs = Math.ceil(chosen.length / Number(values.together))
const bundles = Array.from({ length: runs }, (_, run) => chosen.filter((_one, place) => place % runs === run))
const counts = { runs: 0, reported: 0, alarms: 0 }

await sideBySide(bundles, Number(values['at-once']), tell)
console.log(
  `${chosen.length} variations in ${counts.runs} runs: ${counts.reported} reported, ${counts.alarms} rows in all`,
)
process.exitCode = counts.reported === 0 ? 0 : 1

async function tell(bundle: (typeof bundles)[number]): Promise<void> {
  const warned = new Set(bundle.flatMap(({ warns = [] }) => warns))
  const id = bundle.map((variation) => variation.id).join('+')
  const results = await resultsOf(id)
  if (results === undefined) return
  const red = redRows(results).filter((row) => !warned.has(row))
  counts.runs += 1
  counts.alarms += red.length
  console.log(`${id}: ${results.summary.pass} held, red: ${red.join(' ') || 'none'}`)
  for (const line of failuresOf(results, red)) console.log(`  ${line}`)
  if (red.length > 0) counts.reported += 1
}

/** Undefined for a variation of which no trace is kept. */
async function resultsOf(id: string): Promise<Results | undefined> {
  if (values.again !== undefined) {
    const file = join(values.again, `${id}.ndjson.gz`)
    if (!existsSync(file)) return undefined
    return judge(parseTrace(gunzipSync(readFileSync(file)).toString()), register(), suites.rules)
  }
  const { results, trace } = await strippedRun({ ...suites, tier, variations: id.split('+') })
  if (values.out !== undefined) {
    mkdirSync(values.out, { recursive: true })
    writeFileSync(join(values.out, `${id}.ndjson.gz`), gzipSync(trace, { level: 1 }))
  }
  return results
}
