import { appendFileSync, closeSync, fstatSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { findFlaw } from './chain.ts'
import { runEpoch } from './clock.ts'
import { readTrace } from './reader.ts'
import { createRedactor } from './redact.ts'
import { memoryTrace, openBatchedTrace, openTrace, TraceWriteError } from './writer.ts'
import { newFolder } from '#testing/new-folder'

let folder = ''
const path = () => join(folder, 'trace.ndjson')
const redactor = createRedactor([])

beforeEach(() => {
  folder = newFolder()
})

test('every entry stands in the file as soon as it is written', () => {
  const trace = openTrace(path(), runEpoch(), redactor)
  const written = trace.write({ kind: 'mark', mark: 1, label: 'one' })
  expect(JSON.parse(readFileSync(path(), 'utf8'))).toMatchObject({ kind: 'mark', t: written.t, mark: 1, label: 'one' })
  expect(written.line).toBe(1)
  trace.close()
})

test('a second process goes on with lines and time where the first stopped', () => {
  const epoch = runEpoch()
  const first = openTrace(path(), epoch, redactor)
  const one = first.write({ kind: 'mark', mark: 1, label: 'one' })
  first.close()
  const second = openTrace(path(), epoch, redactor)
  const two = second.write({ kind: 'mark', mark: 2, label: 'two' })
  second.close()
  expect(two.line).toBe(2)
  expect(two.t).toBeGreaterThanOrEqual(one.t)
})

test('time stands still rather than run backwards when the second process has a later epoch', () => {
  const first = openTrace(path(), runEpoch() - 5_000, redactor)
  const one = first.write({ kind: 'mark', mark: 1, label: 'one' })
  first.close()
  const second = openTrace(path(), runEpoch(), redactor)
  expect(second.write({ kind: 'mark', mark: 2, label: 'two' }).t).toBe(one.t)
  second.close()
})

test('a line that a killed process left unfinished is cut off before more is written', () => {
  const first = openTrace(path(), runEpoch(), redactor)
  first.write({ kind: 'mark', mark: 1, label: 'one' })
  first.close()
  appendFileSync(path(), '{"kind":"mark","t":3,"ma')
  const second = openTrace(path(), runEpoch(), redactor)
  expect(second.lines).toBe(1)
  second.write({ kind: 'mark', mark: 2, label: 'two' })
  second.close()
  expect(readTrace(path()).entries.map((entry) => entry.kind === 'mark' && entry.mark)).toEqual([1, 2])
})

test('lines longer than a read buffer are counted and cut right', () => {
  const first = openTrace(path(), runEpoch(), redactor)
  for (let mark = 1; mark <= 5; mark += 1) first.write({ kind: 'mark', mark, label: 'ä'.repeat(50_000) })
  first.close()
  appendFileSync(path(), `{"kind":"${'x'.repeat(100_000)}`)
  const second = openTrace(path(), runEpoch(), redactor)
  expect(second.lines).toBe(5)
  second.close()
})

test('the header begins the time line', () => {
  const trace = memoryTrace(runEpoch() - 99, redactor)
  const header = {
    kind: 'header',
    format: 'greenroom.trace/1',
    greenroom: '0',
    spec: '1.0.0',
    date: '2026-01-01T00:00:00Z',
    run: 'r',
    seed: 1,
    tier: 'smoke',
    only: [],
    profile: {},
    keys: [],
    register: '',
    manifest: [],
    skipped: [],
  } as const
  expect(trace.write(header).t).toBe(0)
  expect(trace.write({ kind: 'mark', mark: 1, label: '' }).t).toBeGreaterThanOrEqual(99)
})

test('a full disk is one typed error in words, and every later write says it again', () => {
  const trace = openTrace('/dev/full', runEpoch(), redactor)
  const write = () => trace.write({ kind: 'mark', mark: 1, label: 'one' })
  expect(write).toThrow(TraceWriteError)
  expect(write).toThrow('The trace /dev/full cannot be written: the disk is full.')
  trace.close()
})

test('a folder that is missing is the same kind of error', () => {
  expect(() => openTrace(join(folder, 'no', 'trace'), runEpoch(), redactor)).toThrow(TraceWriteError)
})

test('times have at most three decimals and never fall', () => {
  const trace = memoryTrace(runEpoch(), redactor)
  const times = Array.from({ length: 500 }, (_, mark) => trace.write({ kind: 'mark', mark, label: '' }).t)
  expect(times.every((t) => Math.abs(t * 1000 - Math.round(t * 1000)) < 1e-6)).toBe(true)
  expect(times).toEqual(times.toSorted((left, right) => left - right))
})

test('what is gathered stands in the file, in order and linked, once it is drained', async () => {
  const trace = openBatchedTrace(path(), runEpoch(), redactor)
  for (let mark = 1; mark <= 100; mark += 1) trace.write({ kind: 'mark', mark, label: 'of many' })
  await trace.drained()
  trace.write({ kind: 'mark', mark: 101, label: 'later' })
  await trace.drained()
  trace.close()
  const { entries } = readTrace(path())
  expect(entries.map((entry) => entry.kind === 'mark' && entry.mark)).toEqual([...Array(101).keys()].map((n) => n + 1))
  expect(findFlaw(readFileSync(path(), 'utf8'))).toBeUndefined()
})

test('a gathered line that cannot be written is told by the next one', async () => {
  const trace = openBatchedTrace('/dev/full', runEpoch(), redactor)
  trace.write({ kind: 'mark', mark: 1, label: 'one' })
  await expect(trace.drained()).rejects.toThrow(TraceWriteError)
  expect(() => trace.write({ kind: 'mark', mark: 2, label: 'two' })).toThrow('the disk is full')
  trace.close()
})

test('a batched trace that is closed twice leaves the file alone that has its number by then', async () => {
  const trace = openBatchedTrace(path(), runEpoch(), redactor)
  await trace.drained()
  trace.close()
  const other = openSync(path(), 'r')
  trace.close()
  expect(() => fstatSync(other)).not.toThrow()
  closeSync(other)
})
