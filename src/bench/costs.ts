import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { inFolder } from '#testing/new-folder'
import { judgeSpeed } from './judge-speed.ts'
import { runBin } from './run-bin.ts'
import { median } from './stopwatch.ts'
import { readOptions } from './command-line.ts'

// What Greenroom costs, on the embedded reference target: `npm run bench [-- --full]`.
const { full } = readOptions('npm run bench [-- --full]', { full: { type: 'boolean', default: false } })
const tiers = full ? ['smoke', 'standard', 'full'] : ['smoke', 'standard']
const rounds = 3

await inFolder(async (folder) => {
  for (const tier of tiers) await benchTier(tier, folder)
  await benchHelp()
  const { entries, perSecond } = await judgeSpeed(join(folder, 'standard', 'trace.ndjson'), 20)
  console.log(`judge: ${perSecond} trace entries a second (${entries} entries)`)
})

async function benchTier(tier: string, folder: string): Promise<void> {
  const runs = []
  for (let round = 0; round < (tier === 'full' ? 1 : rounds); round += 1) {
    const out = join(folder, tier)
    runs.push({ ...(await runBin(['check', '--tier', tier, '--out', out])), out })
  }
  const last = runs.at(-1)
  const results = JSON.parse(readFileSync(join(last?.out ?? '', 'results.json'), 'utf8'))
  const keys = Object.entries(results.traffic.by_key as { [key: string]: { rest_requests: number } })
  const most = Math.max(...keys.map(([, count]) => count.rest_requests))
  const seconds = median(runs.map((run) => run.seconds))
  console.log(
    `check --tier ${tier}: ${seconds.toFixed(1)} s (median of ${runs.length}), ${results.traffic.rest_requests} REST requests (at most ${most} on one key), ${results.traffic.sessions_created} sessions, exit ${last?.code}`,
  )
}

async function benchHelp(): Promise<void> {
  const runs = []
  for (let round = 0; round < 7; round += 1) runs.push((await runBin(['--help'])).seconds)
  console.log(`--help: ${median(runs).toFixed(2)} s (median of ${runs.length})`)
}
