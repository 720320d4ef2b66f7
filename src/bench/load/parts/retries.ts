import { seeded } from '../../../../load/core/random.ts'
import { decide } from '../../../../load/core/retry.ts'
import { readRetryAfter } from '../../../../load/core/retry-after.ts'

const retries = 10_000
const now = Date.UTC(2026, 10, 23, 12, 0, 0)

/** When clients come back that were refused together: never before what they were asked, and evenly. */
export function retried(): void {
  const random = seeded('retries')
  const date = new Date(now).toUTCString()
  const inSeconds = (seconds: number): string[] => [String(seconds), new Date(now + seconds * 1_000).toUTCString()]
  const headers = [0, 1, 3, 17, 60, 89].flatMap(inSeconds)
  let early = 0
  for (let retry = 0; retry < retries; retry += 1) {
    const retryAfter = headers[retry % headers.length]
    const { wait_ms } = decide({ refusal: 'rate', attempts: 1, retryAfter, date, now }, random())
    if (wait_ms === undefined || wait_ms < (readRetryAfter(retryAfter, date, now) ?? Number.NaN)) early += 1
  }
  console.log(`${retries} retries that were told when: ${early} before that (goal 0)`)
  for (const refusal of ['capacity', 'concurrency'] as const) {
    const waits = Array.from({ length: retries }, () => {
      const { wait_ms } = decide({ refusal, attempts: 3, retryAfter: undefined, date, now }, random())
      return wait_ms ?? 0
    })
    console.log(
      `full jitter after ${refusal}: largest 100 ms bin ${share(waits).toFixed(2)} of the uniform share (goal ≤ 2)`,
    )
  }
}

/** The largest bin, in shares of what each would hold if all held the same. */
function share(waits: readonly number[]): number {
  const bins = new Map<number, number>()
  for (const wait of waits) bins.set(Math.floor(wait / 100), (bins.get(Math.floor(wait / 100)) ?? 0) + 1)
  const reached = Math.ceil(Math.max(...waits) / 100)
  return Math.max(...bins.values()) / (waits.length / reached)
}
