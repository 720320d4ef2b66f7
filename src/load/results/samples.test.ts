import { expect, test } from 'vitest'
import type { JsonObject } from '#trace/json'
import { parseTrace } from '#trace/reader'
import { createRedactor } from '#trace/redact'
import type { Draft } from '#trace/writer'
import { Samples, traceOf } from './samples.ts'

const header = { kind: 'header', format: 'greenroom.trace/1' } as unknown as Draft
const end: Draft = { kind: 'end', outcome: 'completed' }
const epoch = 1_700_000_000_000

const request = (t: number, exchange: number, more: JsonObject = {}): JsonObject => ({
  kind: 'request',
  t: epoch + t,
  exchange,
  attempt: 1,
  ...more,
})

function traceFrom(...said: readonly (readonly [conversation: string, entry: JsonObject])[]) {
  const samples = new Samples()
  for (const [conversation, entry] of said) samples.add({ kind: 'sample', conversation, entry })
  const redactor = createRedactor([{ label: 'api_key primary', value: 'sk-very-secret-value' }], 'salt')
  return traceOf(samples, { header, ending: [end], epoch, redactor })
}

test('conversations are woven into one valid trace, and each line knows its conversation', () => {
  const trace = traceFrom(['b', request(20, 1)], ['a', request(10, 1)], ['b', request(40, 2)], ['a', request(30, 2)])
  const { entries, truncated } = parseTrace(trace.text)
  expect(truncated).toBe(false)
  expect(entries.map(({ kind }) => kind)).toEqual(['header', 'request', 'request', 'request', 'request', 'end'])
  expect(entries.map(({ t }) => t)).toEqual([0, 10, 20, 30, 40, 40])
  expect([1, 2, 3, 4, 5, 6].map((line) => trace.conversationAt(line))).toEqual([
    undefined,
    'a',
    'b',
    'a',
    'b',
    undefined,
  ])
  expect(trace).toMatchObject({ lines: 6, conversations: 2 })
})

test('what two conversations number alike has different numbers in the trace, and one thing keeps its number', () => {
  const response = (t: number): JsonObject => ({ kind: 'response', t: epoch + t, exchange: 1, attempt: 1 })
  const trace = traceFrom(['a', request(1, 1)], ['b', request(2, 1)], ['a', response(3)], ['b', response(4)])
  const exchanges = parseTrace(trace.text).entries.map((entry) => ('exchange' in entry ? entry.exchange : 0))
  expect(exchanges).toEqual([0, 1, 2, 1, 2, 0])
})

test('a clock that goes back does not turn a conversation round', () => {
  const trace = traceFrom(['a', request(50, 1)], ['a', request(20, 2)])
  expect(parseTrace(trace.text).entries.map((entry) => ('exchange' in entry ? entry.exchange : 0))).toEqual([
    0, 1, 2, 0,
  ])
})

test('secrets that k6 left are replaced, a known key and a secret under its name', () => {
  const headers = { Authorization: 'Bearer sk-very-secret-value' }
  const body = { control: { client_secret: 'cs-another-secret' } }
  const trace = traceFrom(['a', request(1, 1, { headers, key: 'primary' })], ['a', request(2, 2, { body })])
  expect(trace.text).not.toContain('very-secret')
  expect(trace.text).not.toContain('another-secret')
  expect(trace.text).toContain('"Bearer [api_key primary]"')
})

test('without a sample there is a trace that says so', () => {
  expect(parseTrace(traceFrom().text).entries.map(({ kind }) => kind)).toEqual(['header', 'end'])
})
