import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { loadScenarios } from '#scenario/plan/catalogue'
import { driveTarget } from '#scenario/run/drive'
import { aroundPart, costByPart } from '#scenario/plan/plan'
import { environmentOf, profileOf } from '#target/profile'
import { startTarget } from '#target/start'
import type { Entry } from '#trace/entry'
import { WHOLE_RUN_MS } from './hang.ts'

interface SentRequests {
  readonly byPart: ReadonlyMap<string, number>
  /** Requests that the limit of a key gave back until it was exceeded: so many more were needed. */
  readonly givenBack: number
}

/** REST requests, from the trace of a whole standard run. */
async function sendAll(): Promise<SentRequests> {
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
    return {
      byPart: new Map([...requests].map(([part, entries]) => [part, entries.length])),
      givenBack: givenBackIn(trace.entries),
    }
  } finally {
    await target.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

const isRequest = (entry: Entry) => entry.kind === 'request'

/** A bucket that gives back a request a second was filled up again that far, the longer the slower the machine. */
function givenBackIn(entries: readonly Entry[]): number {
  const requests = entries.filter((entry) => entry.kind === 'request').filter(({ key }) => key === 'rate_limited')
  const exchanges = new Set(requests.map(({ exchange }) => exchange))
  const refused = entries.find(
    (entry) => entry.kind === 'response' && entry.status === 429 && exchanges.has(entry.exchange),
  )
  return Math.ceil(((refused?.t ?? 0) - (requests[0]?.t ?? 0)) / 1_000)
}

/** What a run may differ in by chance: a page more of a list, another look at what takes its time. */
const few = 3

test('a run takes of each part what its plan told, within a tenth', { timeout: WHOLE_RUN_MS }, async () => {
  const told = costByPart((await loadScenarios()).filter(({ tier }) => tier !== 'full'))
  const { byPart: sent, givenBack } = await sendAll()
  expect([...sent.keys()].toSorted()).toEqual(told.map(({ part }) => part).toSorted())
  const odd = told.filter(({ part, typical }) => {
    const more = (sent.get(part) ?? 0) - typical
    const most = Math.max(few, typical / 10)
    return more < -most || more > most + (part === 'limits' ? givenBack : 0)
  })
  expect(odd.map(({ part, typical }) => `${part}: told ${typical}, sent ${sent.get(part)}`)).toEqual([])
})
