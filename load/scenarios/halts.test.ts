import { expect, test } from 'vitest'
import { tallyFor } from '../core/common-measures.ts'
import { flaws } from '../core/events/chain.ts'
import type { Findings } from '../core/findings.ts'
import { workloads } from '../workloads.ts'
import { scenarios } from './scenarios.ts'

const words = { serverEvents: [], errorCodes: [] }

/** What is said where the generator once stood still for so long: of two flaws, one of which is told by a clock. */
function found(name: string, halted_ms: number, silent?: { readonly count: string; readonly key: string }): Findings {
  const scenario = scenarios.get(name)
  if (scenario === undefined) throw new Error(`there is no scenario ${name}`)
  const measures = scenario.measures(words)
  const counts: Readonly<Record<string, readonly string[]>> = { ...measures.counts, flaws }
  const tally = tallyFor({ ...measures, counts }, words)
  for (const flaw of ['two-at-once', 'events-of-another']) tally.count('flaws', flaw, 2)
  if (silent !== undefined) tally.count(silent.count, silent.key, 1)
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

test.each([
  ['interrupt-storm', 'interrupted', 'undone'],
  ['reconnect-storm', 'last_update', 'undone'],
  ['control-throughput', 'responses', 'unended'],
  ['soak', 'closed_status', 'closing'],
])(
  "%s: what never came is the target's only where the generator did not stand still itself for most of the time",
  (scenario, count, key) => {
    const of = (halted_ms: number) => found(scenario, halted_ms, { count, key })
    const silence = /^1 (?:interrupted response|update|response|session) /m
    expect(textsOf(of(100).broken)).toMatch(silence)
    expect(textsOf(of(2_500).trouble)).toMatch(scenario === 'soak' ? /^/ : silence)
    const halted = of(60_000)
    expect(textsOf([...halted.broken, ...halted.trouble])).not.toMatch(silence)
    expect(textsOf(halted.invalid)).toMatch(/^1 .*still for up to 59\.\d s, which may be the cause/m)
  },
)
