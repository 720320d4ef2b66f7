import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { parseTrace, TraceFormatError } from './reader.ts'

const mark = (t: number) => JSON.stringify({ kind: 'mark', t, mark: 1, label: 'a\u2028b' })

test('entries stand at their line', () => {
  const text = `${mark(1)}\n${mark(2)}\n`
  const trace = parseTrace(text)
  expect(trace.entries.map((entry) => entry.t)).toEqual([1, 2])
  expect(trace.truncated).toBe(false)
  expect(trace.sha256).toBe(createHash('sha256').update(text).digest('hex'))
})

test('an empty trace is legal', () => {
  expect(parseTrace('')).toMatchObject({ entries: [], truncated: false })
})

test.each([
  ['in the middle of JSON', mark(2).slice(0, -4)],
  ['after its first byte', '{'],
])('a last line cut off %s is left out', (_, rest) => {
  const trace = parseTrace(`${mark(1)}\n${rest}`)
  expect(trace.entries).toHaveLength(1)
  expect(trace.truncated).toBe(true)
})

test('a last line cut off within a character is left out', () => {
  const bytes = Buffer.from(`${mark(1)}\n{"kind":"mark","label":"ä`)
  expect(parseTrace(bytes.subarray(0, -1))).toMatchObject({ truncated: true, entries: [{ t: 1 }] })
})

test('a last line that only lacks its newline is whole', () => {
  expect(parseTrace(`${mark(1)}\n${mark(2)}`)).toMatchObject({ truncated: false, entries: [{ t: 1 }, { t: 2 }] })
})

test.each([
  ['that is no JSON', '{"kind":'],
  ['that is empty', ''],
  ['that is no object', '[1]'],
  ['of no known kind', '{"kind":"verdict","t":1}'],
  ['without a time', '{"kind":"mark"}'],
  ['of another format', '{"kind":"header","t":0,"format":"greenroom.trace/2"}'],
  ['that is nested without end', `{"kind":"mark","t":1,"x":${'['.repeat(100_000)}${']'.repeat(100_000)}}`],
])('a line %s is named', (_, line) => {
  const read = () => parseTrace(`${mark(1)}\n${line}\n${mark(3)}\n`)
  expect(read).toThrow(TraceFormatError)
  expect(read).toThrow(/^Line 2 of the trace /)
})

test('bytes that are no UTF-8 are named', () => {
  const bytes = Buffer.concat([
    Buffer.from('{"kind":"mark","t":1,"label":"'),
    Buffer.from([0xff]),
    Buffer.from(`"}\n${mark(2)}\n`),
  ])
  expect(() => parseTrace(bytes)).toThrow('Line 1 of the trace is not UTF-8')
})

test('a name such as __proto__ is data', () => {
  const [entry] = parseTrace('{"kind":"response","t":1,"body":{"__proto__":{"a":1}}}\n').entries
  expect(entry?.kind === 'response' && Object.keys(entry.body ?? {})).toEqual(['__proto__'])
})
