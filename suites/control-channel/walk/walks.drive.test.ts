import { expect, test } from 'vitest'
import { judge } from '#judge/judge'
import { register } from '#judge/register'
import { driveTarget } from '#scenario/run/drive'
import { environmentOf, profileOf } from '#target/profile'
import { startTarget } from '#target/start'
import { rules } from '../rules.ts'
import { walks } from './walks.property.ts'

const short = walks.filter(({ tier }) => tier === undefined)

interface Wishes {
  readonly defects?: readonly string[]
  readonly only?: readonly string[]
  readonly abort_ms?: number
}

async function walked({ defects = [], only = [], abort_ms }: Wishes) {
  const target = await startTarget({ tls: false, defects: [...defects] })
  const stop = new AbortController()
  const timer = abort_ms === undefined ? undefined : setTimeout(() => stop.abort(), abort_ms)
  try {
    const { trace, end } = await driveTarget({
      profile: profileOf(target),
      environment: environmentOf(target),
      scenarios: short.filter(({ id }) => only.length === 0 || only.includes(id)),
      seed: 1,
      signal: stop.signal,
    })
    // A close is answered before it is done.
    await expect.poll(() => target.openSessions()).toBe(0)
    return { trace, end, results: judge(trace, register(), rules) }
  } finally {
    clearTimeout(timer)
    await target.stop()
  }
}

test('the walks find nothing in a correct service, leave nothing open and take eight requests', {
  timeout: 60_000,
}, async () => {
  const { results } = await walked({})
  const red = results.requirements.filter(({ verdict }) => verdict === 'fail' || verdict === 'warn')
  expect(red.map(({ id, reason }) => `${id}: ${reason}`)).toEqual([])
  expect(results.harness_errors).toEqual([])
  expect(results.walks?.map(({ name }) => name).toSorted()).toEqual([
    'assets and avatars',
    'items of a conversation',
    'mutable state of a session',
    'scheduling of responses',
  ])
  // One of them is the preflight.
  expect(results.traffic.rest_requests).toBeLessThanOrEqual(10)
})

test('a session of a walk that finds a defect is closed', { timeout: 60_000 }, async () => {
  const only = ['control-channel.items-walk']
  const { results } = await walked({ defects: ['control-channel.item-delete.gone~inserted'], only })
  const red = results.requirements.filter(({ verdict }) => verdict === 'fail').map(({ id }) => id)
  expect(red).toContain('control-channel.item-delete.gone')
})

test('after an abort nothing is sent on a channel, and nothing stays open', { timeout: 60_000 }, async () => {
  const { trace, end } = await walked({ only: ['control-channel.scheduling-walk'], abort_ms: 1_500 })
  expect(end).toBe('interrupted')
  const sent = trace.entries.filter(({ kind }) => kind === 'frame-sent')
  const cleanup = trace.entries.findIndex(
    (entry) => entry.kind === 'request' && entry.operation === 'close-avatar-session',
  )
  expect(cleanup).toBeGreaterThan(0)
  expect(trace.entries.slice(cleanup).filter(({ kind }) => kind === 'frame-sent')).toEqual([])
  expect(sent.length).toBeGreaterThan(0)
})
