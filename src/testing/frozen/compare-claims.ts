import { parseArgs } from 'node:util'
import { driveTarget } from '#scenario/run/drive'
import { environmentOf, profileOf } from '#target/profile'
import { startTarget } from '#target/start'
import type { Tier } from '#trace/entry'
import type { Trace } from '#trace/reader'
import { parseTrace } from '#trace/reader'
import { frozenTrace } from './frozen-traces.ts'

// Whether scenarios still write the claims that they wrote when the traces were frozen:
// node src/testing/frozen/compare-claims.ts [--only <id or part>]… [--tier full]
// Prints claims that are missing or new, by scenario; numbers of exchanges, channels and frames don't count.

const { values } = parseArgs({
  options: { only: { type: 'string', multiple: true, default: [] }, tier: { type: 'string', default: 'standard' } },
})
const tier: Tier = values.tier === 'full' ? 'full' : 'standard'

/** How often each claim is written, by scenario. */
type Claims = ReadonlyMap<string, ReadonlyMap<string, number>>

const target = await startTarget({ seed: 1, tls: false })
try {
  const [profile, environment] = [profileOf(target), environmentOf(target)]
  const { trace } = await driveTarget({ profile, environment, tier, seed: 1, only: values.only })
  const frozen = claimsIn(parseTrace(frozenTrace(tier === 'full' ? 'reference-full' : 'reference')))
  const now = claimsIn(trace)
  if (now.size === 0) throw new Error(`no claim was written: ${JSON.stringify(trace.entries.slice(0, 8))}`)
  const differences = [...now].flatMap(([scenario, claims]) => differing(scenario, frozen.get(scenario), claims))
  console.log(differences.length === 0 ? 'the claims are those of the frozen trace' : differences.join('\n'))
  process.exitCode = differences.length === 0 ? 0 : 1
} finally {
  await target.stop()
}

function claimsIn({ entries }: Trace): Claims {
  const claims = new Map<string, Map<string, number>>()
  for (const entry of entries) {
    if (entry.kind !== 'claim') continue
    const scenario = entry.scenario ?? ''
    const { requirement, condition, given, given_code } = entry
    const text = JSON.stringify({ requirement, condition, given, given_code }, alike)
    const counts = claims.get(scenario) ?? new Map<string, number>()
    counts.set(text, (counts.get(text) ?? 0) + 1)
    claims.set(scenario, counts)
  }
  return claims
}

function differing(
  scenario: string,
  before: ReadonlyMap<string, number> = new Map(),
  now: ReadonlyMap<string, number>,
) {
  const all = [...new Set([...before.keys(), ...now.keys()])]
  return all
    .filter((claim) => before.get(claim) !== now.get(claim))
    .map((claim) => `${scenario}: ${before.get(claim) ?? 0} before, ${now.get(claim) ?? 0} now: ${claim}`)
}

/** Leaves out what differs between two runs: numbers of entries, ids, and names that hold the run's mark. */
function alike(key: string, value: unknown): unknown {
  if (typeof value === 'number' && key !== 'within') return 0
  return typeof value === 'string' && key !== 'requirement' ? value.replaceAll(/\w*\d\w*/g, '0') : value
}
