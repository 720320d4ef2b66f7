import { expect, test } from 'vitest'
import { judgePartOf, runScenario } from '../testing/run-scenario.ts'
import { soak } from './soak.ts'

const scale = { turns: 4, patience_ms: 1_000, turn_interval_ms: 500 }

test('a session is held over two connections, closed, and gone', async () => {
  const run = await runScenario(soak, {}, scale)
  expect(run.tally).toMatchObject({
    conversations: { begun: 2, whole: 2 },
    responses: { whole: 4 },
    open_status: { active: 1 },
    closed_status: { closed: 1 },
    old_secret: { refused: 1 },
    sessions: { opened: 1, closed: 1 },
  })
  expect(judgePartOf(soak, run)).toMatchObject({ verdict: 'pass', findings: [] })
})

test('turns keep to their schedule', async () => {
  const { ran } = await runScenario(soak, {}, { ...scale, turns: 10, turn_interval_ms: 2_000 })
  // One second to the first iteration, twice five turns, four seconds until it is gone.
  expect(ran.duration_ms).toBeGreaterThan(1_000 + 2 * 4 * 2_000 + 4_000)
  expect(ran.duration_ms).toBeLessThan(1_000 + 2 * 5 * 2_000 + 4_000)
})

test.each([0, 500, 1_000])(
  'an old secret that is let in and shut out %s ms later does not work',
  async (oldSecretsWork) => {
    const run = await runScenario(soak, { oldSecretsWork }, scale)
    expect(run.tally).toMatchObject({ old_secret: { refused: 1 } })
    expect(judgePartOf(soak, run)).toMatchObject({ verdict: 'pass', findings: [] })
  },
)

test.each([
  ['a session that stays active', { closedStatus: 'active' }, 'still active'],
  ['one that closes for ever', { closedStatus: 'closing' }, 'still closing'],
  ['one that fails', { closedStatus: 'failed' }, 'failed as they closed'],
  ['an old secret that works', { closedStatus: 'closed', oldSecretsWork: true }, 'let their old secret in'],
] as const)('%s is found', async (_, quirks, reason) => {
  const { verdict, findings } = judgePartOf(soak, await runScenario(soak, quirks, scale))
  expect(verdict).toBe('fail')
  expect(findings.map(({ text }) => text).join()).toContain(reason)
})
