import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { fixedAnswers } from '#testing/hostile/fixed-answers'
import { envelope, fakeService, silence } from '#testing/fake-service'
import { HANG_MS } from '#testing/hang'
import { driveTarget } from './drive.ts'
import { preflight } from './run-preflight.ts'
import { newFolder } from '#testing/new-folder'

const stops: (() => Promise<void>)[] = []
afterAll(() => Promise.all(stops.map((stop) => stop())))

async function against(base_url: string, ca_pem?: string) {
  const ca_file = join(newFolder(), 'ca.pem')
  writeFileSync(ca_file, ca_pem ?? '')
  const profile = { base_url, keys: { primary: 'KEY' }, timeouts: { reply_ms: HANG_MS }, allow_insecure_loopback: true }
  const trusted = ca_pem === undefined ? profile : { ...profile, ca_file }
  const { trace } = await driveTarget({ profile: trusted, environment: { KEY: 'hostile-key' }, scenarios: [], seed: 1 })
  const end = trace.entries.at(-1)
  return end?.kind === 'end' ? end : undefined
}

const expected: { readonly [id: string]: readonly [string, RegExp?] } = {
  'empty-object': ['unreachable', /no reply bears an envelope \(HTTP 200/],
  'error-10003': ['unreachable', /the primary key is refused with 10003/],
  'error-99999': ['completed'],
  'html-ok': ['unreachable', /no reply bears an envelope/],
  'html-bad-gateway': ['unreachable', /HTTP 502/],
  'no-content': ['unreachable', /HTTP 204/],
  'code-string': ['completed'],
  'throttle-hour': ['completed'],
}

test.concurrent.for(Object.entries(expected))('%s: %s', async ([id, [outcome, reason]]) => {
  const server = await fixedAnswers.find((one) => one.id === id)?.start()
  if (server === undefined) throw new Error(`no target ${id}`)
  stops.push(() => server.stop())
  const end = await against(server.base_url, server.ca_pem)
  expect(end?.outcome).toBe(outcome)
  expect(end?.reason ?? '').toMatch(reason ?? /^$/)
})

test.concurrent('nobody at the address is unreachable', async () => {
  expect(await against('http://127.0.0.1:1')).toMatchObject({
    outcome: 'unreachable',
    reason: 'no reply (refused)',
  })
})

test('somebody who never answers is given up on', async () => {
  const service = fakeService()
  service.intercept = () => silence('timeout')
  expect(await preflight(service.scope(), 50)).toEqual({ kind: 'unreachable', reason: 'no reply (timeout)' })
})

test('one operation that answers without an envelope is no reason to judge nothing', async () => {
  const service = fakeService()
  service.intercept = (operation) =>
    operation === 'list-avatar-sessions' ? { status: 200, body: [] } : envelope(20005)
  expect(await preflight(service.scope())).toEqual({ kind: 'ok' })
})

test('a proxy that fails once is asked again', async () => {
  const service = fakeService()
  service.intercept = () => (service.calls.length === 1 ? { status: 502 } : undefined)
  expect(await preflight(service.scope())).toEqual({ kind: 'ok' })
  expect(service.calls).toHaveLength(2)
})

test('who is patient waits for a service that restarts, and no longer than others for one where nobody listens', async () => {
  const restarting = async (patient: boolean, failure: 'reset' | 'refused', tries = 5) => {
    const service = fakeService()
    service.intercept = () => (service.calls.length < tries ? silence(failure) : undefined)
    const { kind } = await preflight(service.scope(), undefined, { patient })
    return [kind, service.calls.length]
  }
  expect(await restarting(true, 'reset')).toEqual(['ok', 5])
  expect(await restarting(false, 'reset')).toEqual(['unreachable', 3])
  expect(await restarting(true, 'refused')).toEqual(['unreachable', 3])
  expect(await restarting(true, 'reset', Infinity)).toEqual(['unreachable', 6])
  const service = fakeService()
  service.intercept = () =>
    service.calls.length < 5 ? silence(service.calls.length === 1 ? 'reset' : 'refused') : undefined
  expect(await preflight(service.scope(), undefined, { patient: true })).toEqual({ kind: 'ok' })
})

test('a key without access to one operation is still a key', async () => {
  const service = fakeService()
  service.intercept = () => envelope(10009)
  expect(await preflight(service.scope())).toEqual({ kind: 'ok' })
})

test('an address with the /v1 of the paths in it is told, and asked no further', async () => {
  const service = fakeService()
  service.intercept = () => envelope(20005)
  const found = await preflight(service.scope(), undefined, { base_url: 'https://a.example/v1' })
  expect(found).toMatchObject({ kind: 'beside', reason: expect.stringContaining('leave it out of base_url') })
  expect(service.calls).toHaveLength(1)
  service.intercept = () => undefined
  expect(await preflight(service.scope(), undefined, { base_url: 'https://a.example/v1' })).toEqual({ kind: 'ok' })
})
