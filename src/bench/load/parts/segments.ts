import { segmentsOf } from '#load/k6/segments'
import { measuredK6 } from '../measured-k6.ts'
import { type Rig, scaleOf } from '../rig.ts'
import { withTarget } from '../target-process.ts'

/** The same schedule, cut into so many processes. */
export async function segments({ k6, library: script }: Rig): Promise<void> {
  const scale = { ...scaleOf(16, 3, 60), start_rate: 8, stages: [{ seconds: 4, rate: 8 }] }
  const counts = await withTarget({ PIECE: '10' }, async (port) => {
    const all = []
    for (const processes of [1, 2, 4, 8]) {
      const runs = segmentsOf(processes).map((segment) => measuredK6({ k6, script, port, scale, segment }))
      all.push(countsIn((await Promise.all(runs)).map(({ part }) => part.tallies?.['control-throughput'] ?? {})))
    }
    return all
  })
  const [one = ''] = counts
  const equal = counts.every((count) => count === one)
  console.log(
    `counts of 1, 2, 4 and 8 processes: ${equal ? 'equal' : 'DIFFERENT'}\n  ${equal ? one : counts.join('\n  ')}`,
  )
}

/** Of several tallies, added up; times are left out, which no two runs share. */
function countsIn(tallies: readonly { readonly [name: string]: { readonly [key: string]: number } }[]): string {
  const sums = new Map<string, number>()
  for (const tally of tallies)
    for (const [name, keys] of Object.entries(tally))
      for (const [key, count] of Object.entries(keys))
        if (!name.endsWith('_ms')) sums.set(`${name} ${key}`, (sums.get(`${name} ${key}`) ?? 0) + count)
  return [...sums]
    .toSorted(([left], [right]) => (left < right ? -1 : 1))
    .map(([name, count]) => `${name}: ${count}`)
    .join(', ')
}
