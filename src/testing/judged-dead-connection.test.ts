import { expect, test } from 'vitest'
import { environmentOf, profileOf } from '#target/profile'
import { startTarget } from '#target/start'
import type { ChannelFate } from './faulty-proxy/fault-plan.ts'
import { fairDay } from './faulty-proxy/fault-plan.ts'
import { startFaultyProxy } from './faulty-proxy/proxy.ts'
import { WHOLE_RUN_MS } from './hang.ts'
import { judgedRun, wrongIn } from './judged-run.ts'

/** What is called wrong of a correct target where the way to it forgets some connections without telling anybody. */
async function wrongWhereForgotten(forgets: (connection: number) => boolean): Promise<readonly string[]> {
  const target = await startTarget({ tls: false })
  let count = 0
  const channel = (): ChannelFate =>
    forgets((count += 1)) ? { is: 'stalled', after_ms: 60, ms: WHOLE_RUN_MS } : { is: 'fine' }
  const proxy = await startFaultyProxy(target.base_url, { ...fairDay, channel })
  try {
    const profile = { ...profileOf(target), base_url: proxy.base_url, timeouts: { event_ms: 1_000 } }
    const { results } = await judgedRun({
      profile,
      environment: environmentOf(target),
      only: ['control-channel.admission'],
    })
    return wrongIn(results)
  } finally {
    await proxy.stop()
    await target.stop()
  }
}

test('silence on a connection that was forgotten on the way is nobody’s fault', { timeout: WHOLE_RUN_MS }, async () => {
  expect(await wrongWhereForgotten((connection) => connection === 2 || connection === 5)).toEqual([])
})
