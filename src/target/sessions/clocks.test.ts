import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { standardBehaviour } from '../behaviour/behaviour.ts'
import { readCreate } from '../behaviour/validations/create-session.ts'
import { type Account, createAccounts } from '../keys.ts'
import { createRandom } from '../random.ts'
import type { Service } from '../service.ts'
import { createTimers } from '../timers.ts'
import type { JsonObject } from '../wire.ts'
import { createWorlds } from '../worlds/worlds.ts'
import { allocate } from './allocate.ts'
import { countDisconnected, stir } from './clocks.ts'
import type { Session } from './session.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

function serviceOf(): { service: Service; account: Account } {
  const random = createRandom(1)
  const keyring = createAccounts(random, { requestsPerMinute: 60, rateLimitedPerMinute: 60 })
  const service: Service = {
    behaviour: standardBehaviour(),
    timers: createTimers(),
    random,
    keyring,
    accounts: Object.values(keyring),
    caps: new Map(),
    sessions: new Map(),
    worlds: createWorlds(),
    characters: new Map(),
    files: new Map(),
    voices: new Map(),
    creates: new Map(),
    reserved: new Map(),
    rates: new Map(),
    clock: Date.now,
    requests: new Map(),
    creations: 0,
    onServerEvent: () => undefined,
    address: { origin: '' },
  }
  return { service, account: keyring.primary }
}

function sessionOf(fields: JsonObject): { service: Service; session: Session } {
  const { service, account } = serviceOf()
  const { create, limits } = service.behaviour
  const body = { session: { mode: 'text_chat' }, avatars: [{ avatar_id: 'a' }], ...fields }
  return { service, session: allocate(service, account, readCreate(body, create, limits)) }
}

const policy = (disconnected: number, idle: number): JsonObject => ({
  auto_close: { disconnected_timeout_seconds: disconnected, interaction_idle_timeout_seconds: idle },
})

test('a session expires after its duration, and is closed a little later', () => {
  const { session } = sessionOf({ max_duration_seconds: 4, ...policy(0, 0) })
  vi.advanceTimersByTime(3999)
  expect(session.status).toBe('active')
  vi.advanceTimersByTime(1)
  expect([session.status, session.closeReason]).toEqual(['closing', 'session_expired'])
  vi.advanceTimersByTime(60)
  expect(session.status).toBe('closed')
})

test('a session that nobody ever connected to closes after the disconnected timeout', () => {
  const { session } = sessionOf(policy(10, 0))
  vi.advanceTimersByTime(9999)
  expect(session.status).toBe('active')
  vi.advanceTimersByTime(1)
  expect(session.closeReason).toBe('disconnected_timeout')
})

test('a connection stops the disconnected timeout, its end starts it anew', () => {
  const { service, session } = sessionOf(policy(10, 0))
  vi.advanceTimersByTime(9000)
  stir(service, session, 'connect')
  vi.advanceTimersByTime(60_000)
  expect(session.status).toBe('active')
  countDisconnected(service, session)
  vi.advanceTimersByTime(9999)
  expect(session.status).toBe('active')
  vi.advanceTimersByTime(1)
  expect(session.status).toBe('closing')
})

test.each([
  ['accepted', 'active'],
  ['user_speech', 'active'],
  ['refused', 'closing'],
  ['pong', 'closing'],
  ['server_event', 'closing'],
  ['connect', 'closing'],
] as const)('%s leaves an idle session %s', (stimulus, status) => {
  const { service, session } = sessionOf(policy(0, 30))
  vi.advanceTimersByTime(29_000)
  stir(service, session, stimulus)
  vi.advanceTimersByTime(1000)
  expect(session.status).toBe(status)
})

test('zero disables both timeouts', () => {
  const { session } = sessionOf(policy(0, 0))
  vi.advanceTimersByTime(3_599_000)
  expect(session.status).toBe('active')
})
