import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { packageRoot } from '#spec/package-root'
import { eventsOf, type Measured, measuredK6 } from '../measured-k6.ts'
import { BARE, perSecond, type Rig, say, scaleOf } from '../rig.ts'
import { withTarget } from '../target-process.ts'

interface Cost {
  readonly us: number
  readonly start_s: number
  readonly per_s: number
}

interface Pair {
  readonly bare: Cost
  readonly library: Cost
  /** CPU an event of a bare Node client, in µs. */
  readonly node: number
}

const [users, turns, characters] = [10, 8, 1_500]

/**
 * CPU an event is the slope from a small run to a large one, so that what starting costs stays out; it is told beside it.
 * The two large runs of a pair go on at the same time, each with a target of its own: what else the machine does slows both.
 */
export async function cost({ k6, library, pairs }: Rig): Promise<void> {
  const rows: Pair[] = []
  for (let pair = 0; pair < pairs; pair += 1) rows.push(await onePair(k6, library))
  const bare = rows.map((row) => row.bare)
  const own = rows.map((row) => row.library)
  const ratio = (of: (cost: Cost) => number): number[] => rows.map((row) => of(row.library) / of(row.bare))
  say(
    'CPU an event, bare',
    bare.map(({ us }) => us),
    'µs',
  )
  say(
    'CPU an event, library',
    own.map(({ us }) => us),
    'µs',
  )
  say(
    'CPU an event, library / bare (goal ≤ 1.05)',
    ratio(({ us }) => us),
  )
  say(
    'CPU to start, bare',
    bare.map(({ start_s }) => start_s),
    's',
  )
  say(
    'CPU to start, library',
    own.map(({ start_s }) => start_s),
    's',
  )
  say(
    'events a second beside each other, library',
    own.map(({ per_s }) => per_s),
  )
  say(
    'events a second beside each other, library / bare (goal ≥ 0.95)',
    ratio(({ per_s }) => per_s),
  )
  say(
    'events a second of CPU, library / bare Node client',
    rows.map(({ node, library: { us } }) => node / us),
  )
}

async function onePair(k6: string, library: string): Promise<Pair> {
  const run = (script: string, port: string, scale: object): Promise<Measured> =>
    measuredK6({ k6, script, port, scale, numbersInLines: true })
  return withTarget({}, async (port) =>
    withTarget({}, async (other) => {
      const small = scaleOf(users, 1, 10)
      const large = scaleOf(users, turns, characters)
      const few = [await run(BARE, port, small), await run(library, other, small)] as const
      const many = await Promise.all([run(BARE, port, large), run(library, other, large)])
      return { bare: costOf(few[0], many[0]), library: costOf(few[1], many[1]), node: await nodeClient(port) }
    }),
  )
}

function costOf(small: Measured, large: Measured): Cost {
  const events = eventsOf(large.part) - eventsOf(small.part)
  return {
    us: ((large.cpu_s - small.cpu_s) / events) * 1e6,
    start_s: small.cpu_s,
    per_s: perSecond(eventsOf(large.part), large),
  }
}

async function nodeClient(port: string): Promise<number> {
  const script = join(packageRoot(), 'src/bench/load/node-client.ts')
  const { stdout } = await promisify(execFile)(process.execPath, [script, port, '60', '1500'])
  return (JSON.parse(stdout) as { us: number }).us
}
