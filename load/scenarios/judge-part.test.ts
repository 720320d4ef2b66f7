import { expect, test } from 'vitest'
import { refused } from '../testing/fake-avatars.ts'
import { runScenario } from '../testing/run-scenario.ts'
import { workloads } from '../workloads.ts'
import { bucketOf } from '../core/histogram.ts'
import { charactersPaging } from './characters-paging.ts'
import { controlThroughput } from './control-throughput.ts'
import { judgePart, judgesTimes } from './judge-part.ts'
import { soak } from './soak.ts'
import { worldSessions } from './world-sessions.ts'

const words = { serverEvents: [], errorCodes: ['20005'] }

test('of several scenarios in one run, each finding names its own', async () => {
  const { part } = await runScenario(controlThroughput, { upgrade: refused(401, 20_005) })
  const asked = { workloadName: 'smoke' as const, workload: workloads.smoke, keys: [] }
  const scenarios = [soak, controlThroughput]
  const texts = (judged: typeof scenarios): readonly string[] =>
    judgePart(part, judged, asked, words).findings.map(({ text }) => text)
  // Nothing came of soak, so that the run is invalid; what was seen is told as that.
  expect(texts(scenarios)).toContain(
    'seen all the same, to be confirmed by a run that is valid: control-throughput: 1 control channel did not open',
  )
  expect(texts([controlThroughput])).toContain('1 control channel did not open')
})

test('what went wrong beside a restart is no verdict on the service', async () => {
  const { part } = await runScenario(controlThroughput, { upgrade: refused(401, 20_005) })
  const asked = { workloadName: 'smoke' as const, workload: workloads.smoke, keys: [] }
  const said = (cuts: { readonly [moment: string]: number }): string | undefined => {
    const tallies = { ...part.tallies, soak: { cuts } }
    const { findings } = judgePart({ ...part, tallies }, [soak, controlThroughput], asked, words)
    return findings.find(({ text }) => text.includes('did not open'))?.text
  }
  expect(said({ '3 7': 4 })).toMatch(/1 control channel did not open \(.* as by a restart/)
  expect(said({ '3 7': 1 })).toMatch(/1 control channel did not open$/)
  expect(said({ '3 7': 4, '3 20': 1 })).toMatch(/1 control channel did not open$/)
})

test.each([
  [[worldSessions], {}, false],
  [[worldSessions], { times_matter: true }, true],
  [[worldSessions, controlThroughput], {}, true],
] as const)('times matter where a scenario or an objective judges them', (scenarios, asked, matter) => {
  expect(judgesTimes(scenarios, asked)).toBe(matter)
})

test('a generator that was a little late judges what rests on no times', async () => {
  const { part } = await runScenario(charactersPaging)
  const late = { ...part.tallies['characters-paging'], timer_lag_ms: { [bucketOf(150)]: 1, [bucketOf(1)]: 9 } }
  const asked = { workloadName: 'smoke' as const, workload: workloads.smoke, keys: [] }
  const said = (times_matter: boolean): string => {
    const tallies = { ...part.tallies, 'characters-paging': late }
    const { findings } = judgePart({ ...part, tallies }, [charactersPaging], { ...asked, times_matter }, words)
    return findings.map(({ text }) => text).join()
  }
  expect(said(true)).toContain('the generator was behind')
  expect(said(false)).not.toContain('the generator was behind')
})
