import { expect, test } from 'vitest'
import { loadScenarios } from '#scenario/plan/catalogue'
import { driveTarget } from '#scenario/run/drive'
import type { Profile } from '#spec/profile'
import { aroundPart, costByPart } from '#scenario/plan/plan'
import { environmentOf, profileOf } from '#target/profile'
import { startTarget } from '#target/start'
import type { Entry } from '#trace/entry'
import { WHOLE_RUN_MS } from './hang.ts'

/** REST requests, from the trace of a whole standard run. */
async function sendAll(): Promise<{ readonly profile: Profile; readonly sent: ReadonlyMap<string, number> }> {
  const target = await startTarget({ tls: false })
  const profile = profileOf(target)
  try {
    const { trace } = await driveTarget({ profile, environment: environmentOf(target), seed: 1 })
    const requests = Map.groupBy(
      trace.entries.filter(isRequest),
      ({ scenario }) => scenario?.split('.')[0] ?? aroundPart,
    )
    return { profile, sent: new Map([...requests].map(([part, entries]) => [part, entries.length])) }
  } finally {
    await target.stop()
  }
}

const isRequest = (entry: Entry) => entry.kind === 'request'

/** What a run may differ in by chance: a page more of a list, another look at what takes its time. */
const few = 3
/** Exceeding the limit of a key takes the more requests the more it gives back meanwhile, which is a matter of the machine. */
const givenBack = 'limits'

test('a run takes of each part what its plan told, within a tenth', { timeout: WHOLE_RUN_MS }, async () => {
  const { profile, sent } = await sendAll()
  const told = costByPart(
    (await loadScenarios()).filter(({ tier }) => tier !== 'full'),
    profile,
  )
  expect([...sent.keys()].toSorted()).toEqual(told.map(({ part }) => part).toSorted())
  const odd = told.filter(({ part, typical, most }) => {
    const more = (sent.get(part) ?? 0) - typical
    const chance = Math.max(few, typical / 10)
    return more < -chance || more > (part === givenBack ? most - typical : chance)
  })
  expect(odd.map(({ part, typical }) => `${part}: told ${typical}, sent ${sent.get(part)}`)).toEqual([])
})
