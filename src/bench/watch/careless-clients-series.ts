import { copyFileSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { judge } from '#judge/judge'
import { register } from '#judge/register'
import { startRecording } from '#recording/watch'
import { loadRules } from '#scenario/plan/load-rules'
import { deviations } from '#target/deviations'
import { environmentOf, profileOf } from '#target/profile'
import { createRandom } from '#target/random'
import { startTarget } from '#target/start'
import { useCarelessly } from '#testing/clients/careless-clients'
import { inFolder } from '#testing/new-folder'
import { failuresOf, redRows } from '#testing/recording/watched-run'
import { readTrace } from '#trace/reader'
import { readOptions } from '../command-line.ts'

// What the rules say of a correct service that clients use as no scenario does (`src/testing/clients/`), through the
// recording proxy. No client may make a correct service wrong:
// `npm run bench -- watch-clients [--rounds 10] [--seed 1] [--seconds 10] [--together 6] [--keep folder]`.
// `--together` variations of the reference target, drawn anew for each round, are what the service does otherwise; `--keep`
// keeps the traces of rounds with an alarm.
const values = readOptions(
  'npm run bench -- watch-clients [--rounds 10] [--seed 1] [--seconds 10] [--together 6] [--keep <folder>]',
  {
    rounds: { type: 'string', default: '10' },
    seed: { type: 'string', default: '1' },
    seconds: { type: 'string', default: '10' },
    together: { type: 'string', default: '6' },
    keep: { type: 'string' },
  },
)
const rules = await loadRules()
const known = deviations().variations
const counts = { rounds: 0, alarms: 0 }

for (let round = 0; round < Number(values.rounds); round += 1) await runRound(Number(values.seed) + round)
console.log(`${counts.rounds} rounds of careless clients at correct services: ${counts.alarms} with an alarm`)
process.exitCode = counts.alarms === 0 ? 0 : 1

async function runRound(seed: number): Promise<void> {
  const random = createRandom(seed)
  const drawn = Array.from({ length: Number(values.together) }, () => known[random.below(known.length)])
  const together = [...new Set(drawn.filter((one) => one !== undefined))]
  const ids = together.map(({ id }) => id)
  await inFolder(async (folder) => {
    const file = join(folder, `clients-${seed}.ndjson`)
    await record(file, seed, ids)
    const results = judge(readTrace(file), register(), rules)
    const warned = new Set(together.flatMap(({ warns = [] }) => warns))
    const red = redRows(results).filter((row) => !warned.has(row))
    counts.rounds += 1
    console.log(`seed ${seed}, ${ids.join('+')}: ${results.summary.pass} held, red: ${red.join(' ') || 'none'}`)
    for (const line of failuresOf(results, red)) console.log(`  ${line}`)
    if (red.length === 0) return
    counts.alarms += 1
    if (values.keep === undefined) return
    mkdirSync(values.keep, { recursive: true })
    copyFileSync(file, join(values.keep, `clients-${seed}.ndjson`))
  })
}

async function record(trace: string, seed: number, variations: readonly string[]): Promise<void> {
  const target = await startTarget({ tls: false, seed, variations: [...variations] })
  try {
    const { timeouts: _, ...profile } = profileOf(target)
    const environment = environmentOf(target)
    const recording = await startRecording({ source: 'watch', profile, environment, port: 0, trace })
    const { primary: key } = target.keys
    await useCarelessly({ base_url: recording.base_url, key, seed, seconds: Number(values.seconds) })
    await recording.end()
  } finally {
    await target.stop()
  }
}
