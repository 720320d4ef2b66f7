import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { loadScenarios } from '../scenario/catalogue.ts'
import { driveTarget } from '../scenario/drive.ts'
import { aroundPart, costByPart } from '../scenario/plan.ts'
import { environmentOf, profileOf } from '../target/profile.ts'
import { startTarget } from '../target/start.ts'
import type { Entry } from '../trace/entry.ts'
import { WHOLE_RUN_MS } from './hang.ts'

/** REST requests by part, from the trace of a whole standard run. */
async function sentByPart(): Promise<ReadonlyMap<string, number>> {
  const target = await startTarget({ tls: false })
  const folder = mkdtempSync(join(tmpdir(), 'greenroom-price-'))
  try {
    const { trace } = await driveTarget({
      profile: profileOf(target),
      environment: environmentOf(target),
      seed: 1,
      journal: join(folder, 'journal'),
    })
    const requests = Map.groupBy(
      trace.entries.filter(isRequest),
      ({ scenario }) => scenario?.split('.')[0] ?? aroundPart,
    )
    return new Map([...requests].map(([part, entries]) => [part, entries.length]))
  } finally {
    await target.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

const isRequest = (entry: Entry) => entry.kind === 'request'

/** What a run may differ in by chance: a page more of a list, another look at what takes its time. */
const few = 3

test('a run takes of each part what its plan told, within a tenth', { timeout: WHOLE_RUN_MS }, async () => {
  const told = costByPart((await loadScenarios()).filter(({ tier }) => tier !== 'full'))
  const sent = await sentByPart()
  expect([...sent.keys()].toSorted()).toEqual(told.map(({ part }) => part).toSorted())
  const odd = told.filter(({ part, typical }) => {
    return Math.abs((sent.get(part) ?? 0) - typical) > Math.max(few, typical / 10)
  })
  expect(odd.map(({ part, typical }) => `${part}: told ${typical}, sent ${sent.get(part)}`)).toEqual([])
})
