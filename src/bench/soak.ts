import { messageOf } from '#trace/message-of'
import { brokenSeries, hostileSeries } from './broken-series.ts'
import { haltSeries } from './halt-series.ts'
import { interruptSeries } from './interrupt-series.ts'
import { killSeries } from './kill-series.ts'
import { legalChangeSeries } from './legal-change-series.ts'
import { nothingLeft } from './leftovers.ts'
import { pacedRun } from './paced-run.ts'
import { priceSeries } from './price-series.ts'
import { sameVerdicts, twoAtOnce } from './repetition.ts'
import { transportFailureSeries } from './transport-failure-series.ts'
import { badDay, restarts, slowLink } from '#testing/faulty-proxy/bad-day'
import { meddling, mishaps, outages, scattered } from '#testing/faulty-proxy/fault-plan'
import { readOptions } from './command-line.ts'
import { stopwatch } from './stopwatch.ts'

// Long series that `npm test` runs once each: `npm run soak [-- --only <name>] [--times 3]`; the names are those of the
// series below. `--keep DIR` keeps the traces of runs behind the faulty proxy.
const values = readOptions('npm run soak [-- --only <series> --times <n> --keep <folder>]', {
  only: { type: 'string', multiple: true, default: [] },
  times: { type: 'string' },
  keep: { type: 'string' },
})
const times = values.times === undefined ? undefined : Math.max(2, Math.trunc(Number(values.times)) || 0)
const slowly = ['slow', 'allocation-slow', 'updates-slow'].flatMap((id) => ['--variation', id])

const series: { readonly [name: string]: () => Promise<string> } = {
  repeat: () => sameVerdicts(times ?? 30, []),
  jitter: () => sameVerdicts(times ?? 10, slowly),
  'two-at-once': () => twoAtOnce(times ?? 10),
  kills: () => killSeries(times ?? 20),
  interrupts: () => interruptSeries(times ?? 20),
  halts: () => haltSeries(times ?? 5),
  paced: () => pacedRun(60),
  leftovers: () => nothingLeft(),
  price: () => priceSeries(times ?? 20),
  broken: () => brokenSeries(),
  hostile: () => hostileSeries(),
  'transport-failures': () => transportFailureSeries(times ?? 50, scattered, 0.8, values.keep),
  mishaps: () => transportFailureSeries(times ?? 10, mishaps, 0.8, values.keep),
  meddling: () => transportFailureSeries(times ?? 10, meddling, 0.8, values.keep),
  'legal-changes': () => legalChangeSeries(times ?? 2),
  'bad-day': () => transportFailureSeries(times ?? 50, badDay, 0.8, values.keep),
  'slow-link': () => transportFailureSeries(times ?? 3, slowLink, 0.8, values.keep),
  restarts: () => transportFailureSeries(times ?? 10, restarts, 0.8, values.keep),
  outages: () => transportFailureSeries(times ?? 10, outages, 0, values.keep),
}

let failed = 0
for (const [name, run] of Object.entries(series)) {
  if (values.only.length > 0 && !values.only.includes(name)) continue
  const seconds = stopwatch()
  try {
    console.log(`${name}: ${await run()} (${Math.round(seconds())} s)`)
  } catch (error) {
    failed += 1
    console.log(`${name}: FAILED: ${messageOf(error)}`)
  }
}
process.exitCode = failed === 0 ? 0 : 1
