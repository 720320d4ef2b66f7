import { expect, test } from 'vitest'
import { tallyFor } from '../core/common-measures.ts'
import { flaws } from '../core/events/chain.ts'
import type { Findings } from '../core/findings.ts'
import { workloads } from '../workloads.ts'
import { scenarios } from './scenarios.ts'

const words = { serverEvents: [], errorCodes: [] }

/** What is said of two flaws, one of which is told by a clock, where the generator once stood still for so long. */
function found(name: string, halted_ms: number): Findings {
  const scenario = scenarios.get(name)
  if (scenario === undefined) throw new Error(`there is no scenario ${name}`)
  const measures = scenario.measures(words)
  const tally = tallyFor({ ...measures, counts: { ...measures.counts, flaws } }, words)
  for (const flaw of ['two-at-once', 'events-of-another']) tally.count('flaws', flaw, 2)
  for (let pulse = 0; pulse < 1_000; pulse += 1) tally.time('timer_lag_ms').record(pulse === 0 ? halted_ms : 1)
  const asked = {
    workloadName: 'smoke',
    workload: workloads.smoke,
    keys: [],
    iterations: 5,
    dropped: 0,
    scenarios: 1,
  } as const
  return scenario.judge(tally, asked)
}

const textsOf = (findings: Findings['broken']): string => findings.map(({ text }) => text).join('\n')

test.each(['interrupt-storm', 'reconnect-storm', 'control-throughput', 'soak'])(
  "%s: what a clock tells is the target's only where the generator did not stand still itself",
  (scenario) => {
    const [well, halted] = [found(scenario, 700), found(scenario, 3_000)]
    expect(textsOf(well.broken)).toMatch(/2 times two-at-once: .*\n2 times events-of-another: /)
    expect(textsOf(well.invalid)).not.toContain('two-at-once')
    expect(textsOf(halted.broken)).toMatch(/^2 times events-of-another: /)
    expect(textsOf(halted.invalid)).toMatch(/2 times two-at-once: .* still for up to 3\.0 s, which may be the cause/)
  },
)
