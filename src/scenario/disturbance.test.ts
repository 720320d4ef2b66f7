import { expect, test } from 'vitest'
import type { Exchange } from '../client/types.ts'
import { createDisturbance } from './disturbance.ts'

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

test('a write that was taken in the end, a read, and a refusal at the first attempt disturb nothing', () => {
  const disturbance = createDisturbance()
  disturbance.answered('replace-character', {}, answer({ ok: true, code: 0, repeated: true }))
  disturbance.answered('get-character', {}, answer({ code: 20005, repeated: true }))
  disturbance.answered('replace-character', {}, answer({ code: 20005 }))
  expect(disturbance.troubles([])).toEqual([])
})
