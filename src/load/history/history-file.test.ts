import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { beforeEach, expect, test } from 'vitest'
import { appendNight, parseHistory, readHistory } from './history-file.ts'
import type { Night } from './night.ts'
import { newFolder } from '#testing/new-folder'

let folder = ''
beforeEach(() => {
  folder = newFolder()
})

const night = (run: string, metrics: Night['metrics'] = { 'create.p95_ms': 12 }): Night => ({
  night: '2026-11-01',
  run,
  scenario: 'control-throughput',
  workload: 'average',
  fingerprint: 'abc',
  verdict: 'pass',
  metrics,
})

const path = (): string => join(folder, 'history.jsonl')

test('a history that does not exist yet is empty', () => {
  expect(readHistory(path())).toEqual({ nights: [], unreadable: 0 })
})

test('what was appended is read, in order', () => {
  for (const run of ['a', 'b', 'c']) appendNight(path(), night(run))
  expect(readHistory(path())).toEqual({ nights: [night('a'), night('b'), night('c')], unreadable: 0 })
})

test('a line that was cut while it was written costs itself only', () => {
  appendNight(path(), night('a'))
  appendFileSync(path(), JSON.stringify(night('b')).slice(0, 40))
  expect(readHistory(path())).toEqual({ nights: [night('a')], unreadable: 1 })
  appendNight(path(), night('c'))
  expect(readHistory(path())).toEqual({ nights: [night('a'), night('c')], unreadable: 1 })
})

test('of a run that stands there twice the later line counts', () => {
  appendNight(path(), night('a', { x: 1 }))
  appendNight(path(), night('b'))
  appendNight(path(), night('a', { x: 2 }))
  expect(readHistory(path()).nights).toEqual([night('b'), night('a', { x: 2 })])
})

test('cut anywhere, a history loses at most its last night', () => {
  const nights = ['a', 'b', 'c'].map((run) => night(run))
  const text = nights.map((one) => `${JSON.stringify(one)}\n`).join('')
  fc.assert(
    fc.property(fc.integer({ min: 0, max: text.length }), (at) => {
      const whole = text.slice(0, at).split('\n').length - 1
      const read = parseHistory(text.slice(0, at)).nights
      expect(read.length).toBeGreaterThanOrEqual(whole)
      expect(read).toEqual(nights.slice(0, read.length))
    }),
  )
})

test('no text makes the reader throw', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
      const { nights, unreadable } = parseHistory(text)
      expect(nights.length + unreadable).toBeGreaterThanOrEqual(0)
      for (const { metrics } of nights) expect(Object.values(metrics).every(Number.isFinite)).toBe(true)
    }),
  )
})
