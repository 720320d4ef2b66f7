import { expect, test } from 'vitest'
import { explain } from '#judge/orders/orders'
import { timed } from '#testing/walks/timed'
import { type Deed, lifeModel, type State } from './life-model.ts'

const never = Number.POSITIVE_INFINITY

const deed = (did: Deed['did'], between: readonly [number, number], more: Partial<Deed> = {}): Deed => ({
  ...timed(between),
  did,
  status: undefined,
  ...more,
})

const missing = { ended: 'missing' } as const
const is = (start: State, ...deeds: readonly Deed[]) => explain(deeds, lifeModel(start)).is

test('secrets come for an active session, and for none that was closed', () => {
  expect(is('active', deed('renew', [1, 2]))).toBe('legal')
  expect(is('active', deed('close', [1, 2]), deed('renew', [3, 4], missing))).toBe('legal')
  expect(is('active', deed('close', [1, 2]), deed('renew', [3, 4]))).toBe('broken')
})

test('secrets asked for beside a close may come or not', () => {
  const close = deed('close', [1, 8])
  expect(is('active', close, deed('renew', [2, 7]), deed('renew', [3, 6], missing))).toBe('legal')
  expect(is('active', close, deed('renew', [9, 10]))).toBe('broken')
})

test('states only move on', () => {
  const shows = (status: Deed['status'], at: number) => deed('get', [at, at + 1], { status })
  expect(is('provisioning', shows('active', 1), deed('close', [3, 4]), shows('closing', 5), shows('closed', 7))).toBe(
    'legal',
  )
  expect(is('active', deed('close', [1, 2]), shows('active', 3))).toBe('broken')
  expect(is('active', shows('closed', 1), shows('closing', 3))).toBe('broken')
  expect(is('active', shows('active', 1), shows('provisioning', 3))).toBe('broken')
})

test('a session may end by itself, but what was refused to it is wrong if it is open', () => {
  expect(is('active', deed('renew', [1, 2], missing), deed('get', [3, 4], { status: 'failed' }))).toBe('legal')
  expect(is('active', deed('renew', [1, 2], missing), deed('get', [3, 4], { status: 'active' }))).toBe('broken')
  expect(is('active', deed('close', [1, 2], { ended: 'refused' }), deed('renew', [3, 4]))).toBe('broken')
})

test('a close whose answer was lost may take effect later', () => {
  const lost = deed('close', [1, never])
  expect(is('active', lost, deed('renew', [2, 3]), deed('renew', [4, 5], missing))).toBe('legal')
  expect(is('active', lost, deed('renew', [2, 3], missing), deed('renew', [4, 5]))).toBe('broken')
})
