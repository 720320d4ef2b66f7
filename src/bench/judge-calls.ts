import { Session } from 'node:inspector/promises'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { judge } from '#judge/judge'
import { register } from '#judge/register'
import { loadRules } from '#scenario/plan/load-rules'
import { readTrace } from '#trace/reader'
import { readWords } from './command-line.ts'
import { lengthened } from './judge-speed.ts'

// What the judge spends its time on: `npm run bench -- judge-calls <trace>`. Time differs from run to run on a machine with
// other work; how often each function is called for an entry of the trace does not, nor whether that grows with its length.

/** How often the trace is told again, for the two traces that are compared. */
const lengths = [2, 8] as const
const shown = 60

/** Calls an entry, by function. */
type Calls = ReadonlyMap<string, number>

async function main(file: string): Promise<void> {
  const read = readTrace(file)
  const rules = await loadRules()
  const session = new Session()
  session.connect()
  await session.post('Profiler.enable')
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
  const [short, long] = [new Map<string, number>(), new Map<string, number>()]
  for (const [place, into] of [short, long].entries()) {
    const entries = lengthened(read.entries, lengths[place] ?? 1)
    await session.post('Profiler.takePreciseCoverage')
    judge({ ...read, entries }, register(), rules)
    const { result } = await session.post('Profiler.takePreciseCoverage')
    for (const { url, functions } of result) {
      if (!/\/(?:src|suites)\//.test(url)) continue
      for (const { functionName, ranges } of functions) {
        const name = `${functionName || 'a function'} ${url}@${ranges[0]?.startOffset ?? 0}`
        into.set(name, (ranges[0]?.count ?? 0) / entries.length)
      }
    }
  }
  tell(short, long)
}

function tell(short: Calls, long: Calls): void {
  const sum = (calls: Calls): string => [...calls.values()].reduce((all, one) => all + one, 0).toFixed(1)
  console.log(`${sum(long)} calls an entry; ${sum(short)} where the trace is a quarter as long`)
  const most = [...long].toSorted(([, one], [, other]) => other - one).slice(0, shown)
  for (const [name, calls] of most) {
    const growth = calls / (short.get(name) ?? calls)
    console.log(`${calls.toFixed(2).padStart(8)}  ×${growth.toFixed(2)}  ${placeOf(name)}`)
  }
}

/** The place of a function as an editor opens it. */
function placeOf(name: string): string {
  const [, called = '', url = '', offset = ''] = /^(.*) (\S+)@(\d+)$/.exec(name) ?? []
  const file = fileURLToPath(url)
  const line = readFileSync(file, 'utf8').slice(0, Number(offset)).split('\n').length
  return `${called} ${file.replace(/^.*\/(?=(?:src|suites)\/)/, '')}:${line}`
}

const [trace] = readWords('npm run bench -- judge-calls <trace>', '')
await main(trace)
