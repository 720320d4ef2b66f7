import { expect, test } from 'vitest'
import { judge } from '#judge/judge'
import { register } from '#judge/register'
import { loadRules } from '#scenario/plan/load-rules'
import { environmentOf, profileOf } from '#target/profile'
import { startTarget } from '#target/start'
import type { Entry } from '#trace/entry'
import { WHOLE_RUN_MS } from './hang.ts'
import { judgedRun, wrongIn } from './judged-run.ts'

/** So much slower, every answer is still in time, and a row of refusals lasts longer than one answer may. */
const slower = 300
/** The trace is cut off at each so many lines. */
const every = 20

const isRefusal = (entry: Entry): boolean =>
  entry.kind === 'frame-received' && JSON.stringify(entry).includes('"error"')

test('who is interrupted among many refusals of a slow service finds nothing wrong', {
  timeout: WHOLE_RUN_MS,
}, async () => {
  const target = await startTarget({ tls: false })
  const run = { profile: profileOf(target), environment: environmentOf(target), only: ['control-channel.additions'] }
  const { trace } = await judgedRun(run)
  await target.stop()
  const slow = trace.entries.map((entry) => ('t' in entry ? { ...entry, t: entry.t * slower } : entry)) as Entry[]
  const rules = await loadRules()
  const found = [...slow.keys()].slice(slow.findIndex(isRefusal)).flatMap((place) => {
    if (place % every !== 0) return []
    const end = { kind: 'end', t: slow[place]?.t ?? 0, outcome: 'interrupted' } as Entry
    return wrongIn(judge({ ...trace, entries: [...slow.slice(0, place), end] }, register(), rules))
  })
  expect(found.filter((one) => one.includes('usable-after'))).toEqual([])
})
