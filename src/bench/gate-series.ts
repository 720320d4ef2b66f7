import { startTarget } from '#target/start'
import { inFolder } from '#testing/new-folder'
import { sideBySide } from '#testing/side-by-side'
import { runBin } from './run-bin.ts'
import { median } from './stopwatch.ts'
import { servedBy, targetFile } from './target-file.ts'
import { readWords } from './command-line.ts'

// Whether `check --within` keeps its word on one key at 60 requests a minute:
// `npm run bench:gate -- 60s 20` runs it twenty times, each on a target of its own, and a few side by side.
const usage = 'npm run bench:gate -- [time, such as 60s or 2m [times [side by side]]]'
const [within, times, beside] = readWords(usage, '60s', '20', '4')
const seconds: number[] = []
let [late, bad] = [0, 0]

await sideBySide(
  Array.from({ length: Number(times) }, (_, place) => Number(times) - place),
  Number(beside),
  tell,
)
console.log(
  `--within ${within}: ${seconds.length} runs, ${late} of them late, ${bad} not conformant; ${Math.min(...seconds).toFixed(0)} to ${Math.max(...seconds).toFixed(0)} s, median ${median(seconds).toFixed(0)} s`,
)

async function tell(seed: number): Promise<void> {
  const ran = await gated(seed)
  seconds.push(ran.seconds)
  if (ran.seconds > secondsIn(within)) late += 1
  if (ran.code !== 0) bad += 1
  const said = ran.output.split('\n').find((line) => line.includes('seeded mistakes')) ?? ''
  console.log(`${ran.seconds.toFixed(1)} s, exit ${ran.code}, sent ${ran.results?.traffic.rest_requests}: ${said}`)
  if (ran.code !== 0) console.log(ran.output.slice(-1_500))
}

async function gated(seed: number) {
  const target = await startTarget({ requestsPerMinute: 60, seed })
  try {
    return await inFolder(async (folder) => {
      const { profile, ...served } = servedBy(target)
      const { primary } = profile.keys
      const { primary: limits = {} } = profile.limits ?? {}
      const oneKey = { ...profile, keys: { primary }, limits: { primary: limits } }
      const { file, env } = targetFile(folder, { ...served, profile: oneKey })
      return runBin(['check', '--target', file, '--within', within, '--seed', String(seed)], { env })
    })
  } finally {
    await target.stop()
  }
}

function secondsIn(text: string): number {
  const [, minutes = '0', rest = '0'] = /^(?:(\d+)m)?(?:(\d+)s)?$/.exec(text) ?? []
  return Number(minutes) * 60 + Number(rest)
}
