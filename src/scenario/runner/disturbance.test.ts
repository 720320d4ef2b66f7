import { expect, test } from 'vitest'
import type { Channel, Exchange, RestCall } from '#client/types'
import type { OperationId } from '#spec/tables'
import type { JsonObject } from '#trace/json'
import { capacityLacked, createDisturbance, createFailedAlone, sessionEnded } from './disturbance.ts'

const silent = { body: undefined, code: undefined, message: undefined, data: undefined, failure: undefined }
const answer = (extra: Partial<Exchange>): Exchange => ({
  exchange: 1,
  ok: false,
  status: 400,
  headers: {},
  ...silent,
  ...extra,
})

test('a write that was sent again and then refused disturbs: nobody knows what its first attempt did', () => {
  const disturbance = createDisturbance()
  disturbance.answered('replace-character', {}, answer({ code: 20005, repeated: true }))
  expect(disturbance.troubles([])).toEqual(['replace-character repeated'])
})

test('a create of a world session that was sent again disturbs: its answer may show something else than the first one', () => {
  const disturbance = createDisturbance()
  disturbance.answered('create-world-session', {}, answer({ ok: true, code: 0, repeated: true }))
  expect(disturbance.troubles([])).toEqual(['create-world-session repeated'])
})

test('a write that fails inside the service each time, and one of a burst, disturb nothing', () => {
  const disturbance = createDisturbance()
  disturbance.answered('replace-character', {}, answer({ status: 500, code: 50_000, repeated: true }))
  disturbance.answered('replace-character', { pace: false }, answer({ code: 10008, repeated: true }))
  expect(disturbance.troubles([])).toEqual([])
})

test('a create that is refused at a repetition with its idempotency key disturbs nothing', () => {
  const disturbance = createDisturbance()
  const body = { idempotency_key: 'one' }
  disturbance.answered('create-avatar-session', { body }, answer({ code: 30004, repeated: true }))
  expect(disturbance.troubles([])).toEqual([])
})

test('a create that no capacity was there for disturbs, unless the same one was accepted since', () => {
  const disturbance = createDisturbance()
  const [keyed, keyless] = [{ idempotency_key: 'one' }, { mode: 'text_chat' }]
  for (const body of [keyed, keyless])
    disturbance.answered('create-avatar-session', { body }, answer({ status: 429, code: 30008 }))
  expect(disturbance.troubles([])).toEqual([capacityLacked])
  disturbance.answered('create-avatar-session', { body: keyed }, answer({ ok: true, code: 0 }))
  expect(disturbance.troubles([])).toEqual([capacityLacked])
  disturbance.answered('create-avatar-session', { body: keyless }, answer({ ok: true, code: 0 }))
  expect(disturbance.troubles([])).toEqual([])
})

test('a refusal for want of capacity that was meant to be seen disturbs nothing', () => {
  const disturbance = createDisturbance()
  disturbance.answered('create-avatar-session', { body: {}, retry: 'never' }, answer({ status: 429, code: 30008 }))
  expect(disturbance.troubles([])).toEqual([])
})

test('what moderation rejects disturbs, unless it was meant to be rejected', () => {
  const disturbance = createDisturbance('rejected text')
  disturbance.answered('create-character', { body: { name: 'A rejected text.' } }, answer({ code: 30001 }))
  expect(disturbance.troubles([])).toEqual([])
  disturbance.answered('create-character', { body: { name: 'Ada' } }, answer({ code: 30001 }))
  expect(disturbance.troubles([])).toEqual(['moderation rejected the content'])
})

test('a world create that was sent again and refused by a code that may be about its key is driven again', () => {
  const disturbance = createDisturbance()
  disturbance.answered(
    'create-world-session',
    { body: { idempotency_key: 'k' } },
    answer({ code: 30004, repeated: true }),
  )
  expect(disturbance.troubles([])).toEqual(['create-world-session repeated'])
})

test('a write that was taken in the end, a read, and a refusal at the first attempt disturb nothing', () => {
  const disturbance = createDisturbance()
  disturbance.answered('replace-character', {}, answer({ ok: true, code: 0, repeated: true }))
  disturbance.answered('get-character', {}, answer({ code: 20005, repeated: true }))
  disturbance.answered('replace-character', {}, answer({ code: 20005 }))
  expect(disturbance.troubles([])).toEqual([])
})

const channel = (extra: Partial<Channel>): Channel =>
  ({ session: 'a', state: 'closed', frames: [], ...extra }) as Channel
const announced = [{ frame: 1, t: 1, type: 'session.closed', data: {} }]

const made = answer({ ok: true, code: 0, data: { session_id: 'a' } })

function livedThrough(body: JsonObject) {
  const disturbance = createDisturbance()
  disturbance.answered('create-avatar-session', { body }, made)
  return disturbance
}

function startedFrom(saved: JsonObject, character_id: string) {
  const disturbance = createDisturbance()
  const created = answer({ ok: true, code: 0, data: { character_id: 'ours' } })
  disturbance.answered('create-character', { body: saved }, created)
  disturbance.answered('create-session-from-character', { body: { character_id } }, made)
  return disturbance
}

const ended = [channel({ frames: announced })]

test('a failure of the service over an event disturbs; an error that blames the event, or names none and answers none, does not', () => {
  const told = (error: JsonObject) => [
    channel({ state: 'open', frames: [{ frame: 1, t: 1, type: 'error', data: { type: 'error', error } }] }),
  ]
  const disturbance = createDisturbance()
  expect(disturbance.troubles(told({ type: 'server_error', event_id: 'e' }))).toEqual([
    'the service failed over an event',
  ])
  expect(disturbance.troubles(told({ type: 'invalid_request_error', event_id: 'e' }))).toEqual([])
  expect(disturbance.troubles(told({ type: 'server_error' }))).toEqual([])
  const nameless = told({ type: 'server_error' }).map((one) => ({ ...one, nameless: 1 }))
  expect(disturbance.troubles(nameless)).toEqual(['the service failed over an event'])
  const next = told({ type: 'server_error' }).map((one) => ({
    ...one,
    frames: one.frames.map((frame) => ({ ...frame, is_next: true })),
  }))
  expect(disturbance.troubles(next)).toEqual(['the service failed over an event'])
})

test('a session that the service ends by itself disturbs, whether it says so or a read shows it', () => {
  expect(livedThrough({}).troubles(ended)).toEqual([sessionEnded])
  const unheard = livedThrough({})
  unheard.cutOff('a')
  expect(unheard.troubles([channel({})])).toEqual([sessionEnded])
})

test('an end that comes before we ask for it is the doing of the service, one that comes after it is ours', () => {
  const [before, after] = [livedThrough({}), livedThrough({})]
  before.closing('a', ended)
  after.closing('a', [channel({ state: 'open' })])
  expect(before.troubles(ended)).toEqual([sessionEnded])
  expect(after.troubles(ended)).toEqual([])
})

test('an end that a short timer may have brought disturbs nothing; nor does a connection that ends alone', () => {
  const timer = { auto_close: { disconnected_timeout_seconds: 9, interaction_idle_timeout_seconds: 240 } }
  expect(livedThrough({ max_duration_seconds: 4 }).troubles(ended)).toEqual([])
  expect(livedThrough(timer).troubles(ended)).toEqual([])
  expect(livedThrough({ max_duration_seconds: 577 }).troubles(ended)).toEqual([sessionEnded])
  expect(livedThrough({}).troubles([channel({})])).toEqual([])
})

/** A world session that is created, closed where we do so, and then shows this, one after the other. */
function worldThat(
  status: string | readonly string[],
  { closed = false, lasts }: { closed?: boolean; lasts?: number } = {},
) {
  const disturbance = createDisturbance()
  const [params, ok] = [{ session_id: 'w' }, { ok: true, status: 200 }]
  const body = lasts === undefined ? {} : { max_session_duration_seconds: lasts }
  disturbance.answered('create-world-session', { body }, answer({ ...ok, data: { session_id: 'w' } }))
  if (closed) disturbance.answered('close-world-session', { params }, answer({ ...ok, data: {} }))
  for (const shown of [status].flat())
    disturbance.answered('get-world-session', { params }, answer({ ...ok, data: { session_id: 'w', status: shown } }))
  return disturbance.troubles([])
}

test('a world session that shows an end which nobody of its own asked for disturbs', () => {
  expect(worldThat('closed')).toEqual([sessionEnded])
  expect(worldThat('active')).toEqual([])
  expect(worldThat('closed', { closed: true })).toEqual([])
  expect(worldThat('closed', { lasts: 20 })).toEqual([])
})

test('a world session that failed after it was active disturbs; one that never came so far does not', () => {
  expect(worldThat(['active', 'failed'])).toEqual([sessionEnded])
  expect(worldThat(['provisioning', 'failed'])).toEqual([])
  expect(worldThat(['active', 'failed'], { closed: true })).toEqual([])
})

test('a session from a character has the timers that were saved; those of others are not known', () => {
  expect(startedFrom({ max_duration_seconds: 577 }, 'ours').troubles(ended)).toEqual([sessionEnded])
  expect(startedFrom({ max_duration_seconds: 5 }, 'ours').troubles(ended)).toEqual([])
  expect(startedFrom({}, 'of others').troubles(ended)).toEqual([])
})

test('a character that was there and is not found as it is deleted disturbs, for a proxy may have sent the DELETE twice', () => {
  const disturbance = createDisturbance()
  const params = { character_id: 'chr_1' }
  const saved = answer({ ok: true, code: 0, data: params })
  const missing = answer({ code: 20005 })
  disturbance.answered('delete-character', { params }, missing)
  disturbance.answered('create-character', {}, saved)
  disturbance.answered('delete-character', { params, key: 'other_workspace' }, missing)
  expect(disturbance.troubles([])).toEqual([])
  disturbance.answered('delete-character', { params, key: 'same_workspace' }, missing)
  expect(disturbance.troubles([])).toEqual(['a character was not found as it was deleted'])
})

test('a character that was deleted before disturbs nobody', () => {
  const disturbance = createDisturbance()
  const params = { character_id: 'chr_1' }
  disturbance.answered('create-character', {}, answer({ ok: true, code: 0, data: params }))
  disturbance.answered('delete-character', { params }, answer({ ok: true, code: 0 }))
  disturbance.answered('delete-character', { params }, answer({ code: 20005 }))
  expect(disturbance.troubles([])).toEqual([])
})

const reply = { exchange: 1, headers: {}, body: undefined, message: undefined, data: undefined, failure: undefined }
const accepted: Exchange = { ...reply, ok: true, status: 200, code: 0 }
const refused: Exchange = { ...reply, ok: false, status: 400, code: 20003 }
const failed: Exchange = { ...reply, ok: false, status: 500, code: 50_000 }

type What = readonly [scenario: string, operation: OperationId, key?: RestCall['key']]

/** Sends a request, and meanwhile others. */
function aloneOnes() {
  const failedAlone = createFailedAlone()
  const alone: string[] = []
  const send = async ([scenario, operation, key]: What, sent: Exchange, meanwhile: readonly What[] = []) => {
    const others = async () => {
      for (const one of meanwhile) await send(one, accepted)
      return sent
    }
    await failedAlone.around({ scenario, operation, key }, others, () => alone.push(scenario))
  }
  return { alone, send }
}

test('a failure over a write beside which no other one was taken is told once a scenario', async () => {
  const { alone, send } = aloneOnes()
  await send(['a', 'clone-voice'], accepted)
  await send(['a', 'clone-voice'], failed)
  await send(['a', 'create-character'], failed)
  await send(['b', 'clone-voice'], failed, [['c', 'clone-voice', 'other_workspace']])
  expect(alone).toEqual(['a', 'b'])
})

test('a failure beside which the same workspace took a write, and one over a read, need no second look', async () => {
  const { alone, send } = aloneOnes()
  await send(['a', 'clone-voice'], failed, [['b', 'create-character', 'same_workspace']])
  await send(['a', 'get-character'], failed)
  await send(['a', 'clone-voice'], refused)
  expect(alone).toEqual([])
})
