import { parseArgs } from 'node:util'
import { killSeries } from './kill-series.ts'
import { pacedRun } from './paced-run.ts'
import { sameVerdicts, twoAtOnce } from './repetition.ts'

// Long series that `npm test` runs once each: `npm run soak [-- --only repeat|jitter|twins|kills|paced]`.
const { values } = parseArgs({ options: { only: { type: 'string', multiple: true, default: [] } } })

const series: { readonly [name: string]: () => Promise<string> } = {
  repeat: () => sameVerdicts(30, []),
  jitter: () =>
    sameVerdicts(
      10,
      ['slow', 'allocation-slow', 'updates-slow'].flatMap((id) => ['--variation', id]),
    ),
  twins: () => twoAtOnce(10),
  kills: () => killSeries(20),
  paced: () => pacedRun(60),
}

let failed = 0
for (const [name, run] of Object.entries(series)) {
  if (values.only.length > 0 && !values.only.includes(name)) continue
  const began = performance.now()
  try {
    console.log(`${name}: ${await run()} (${Math.round((performance.now() - began) / 1_000)} s)`)
  } catch (error) {
    failed += 1
    console.log(`${name}: FAILED: ${error instanceof Error ? error.message : String(error)}`)
  }
}
process.exitCode = failed === 0 ? 0 : 1
