import { Histogram } from '../../../../load/core/histogram.ts'
import { measuredK6 } from '../measured-k6.ts'
import { type Rig, say, scaleOf } from '../rig.ts'
import { withTarget } from '../target-process.ts'

/**
 * Against a target that answers after a known time. It tells how long each of its answers took, from reading the request
 * to having written the answer: where the machine is busy, that is longer than asked, and no mistake of ours. What we
 * measure more than that is ours, or the way's. One user, so that no request waits for another's answer.
 */
export async function latency({ k6, library, pairs }: Rig): Promise<void> {
  for (const delay of [1, 5, 20, 100]) {
    const rounds: { p50: number; p99: number }[] = []
    for (let round = 0; round < pairs; round += 1) rounds.push(await biasAt(delay, k6, library))
    say(
      `latency, ${delay} ms known: p50 off by (goal within 0.2)`,
      rounds.map(({ p50 }) => p50),
      'ms',
      'rounds',
    )
    say(
      `latency, ${delay} ms known: p99 off by (goal within 1)`,
      rounds.map(({ p99 }) => p99),
      'ms',
      'rounds',
    )
  }
}

async function biasAt(delay: number, k6: string, script: string): Promise<{ p50: number; p99: number }> {
  return withTarget({ DELAY_MS: String(delay), PIECE: '100' }, async (port) => {
    const { part } = await measuredK6({ k6, script, port, scale: scaleOf(1, delay < 50 ? 200 : 60, 100) })
    const ours = new Histogram()
    for (const time of ['update_ms', 'created_ms'])
      for (const [bucket, count] of Object.entries(part.tallies?.['control-throughput']?.[time] ?? {}))
        ours.addTo(Number(bucket), count)
    const taken = (await (await fetch(`http://127.0.0.1:${port}/taken`)).json()) as number[]
    const sorted = taken.toSorted((left, right) => left - right)
    const off = (share: number): number =>
      (ours.quantile(share) ?? Number.NaN) - (sorted[Math.ceil(share * sorted.length) - 1] ?? Number.NaN)
    return { p50: off(0.5), p99: off(0.99) }
  })
}
