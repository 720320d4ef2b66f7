import { appendFileSync, readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { newFolder } from '#testing/new-folder'
import { readTrace, TraceFormatError } from '../reader.ts'
import { TraceSoFar } from './so-far.ts'

const mark = (t: number) => `${JSON.stringify({ kind: 'mark', t, mark: t, label: 'ä'.repeat(40) })}\n`

function newTrace(text: string): { readonly file: string; readonly written: TraceSoFar } {
  const file = join(newFolder(), 'trace.ndjson')
  writeFileSync(file, text)
  return { file, written: new TraceSoFar(file) }
}

test.each([1, 7, 100, 1 << 16])('a trace that is read in parts of %i bytes is that which is read at once', (most) => {
  const { file, written } = newTrace(mark(1) + mark(2))
  while (written.readSome(most)) {
    // Goes on until nothing is left.
  }
  appendFileSync(file, mark(3) + mark(4))
  written.readSome(most)
  appendFileSync(file, mark(5))
  expect(written.whole()).toEqual(readTrace(file))
})

test('a line that was cut off is read as whoever went on in the file wrote it', () => {
  const { file, written } = newTrace(mark(1))
  const { length } = readFileSync(file)
  appendFileSync(file, '{"kind":"mark","t":2,"la')
  expect(written.read()).toHaveLength(1)
  truncateSync(file, length)
  appendFileSync(file, mark(3))
  expect(written.whole()).toEqual(readTrace(file))
})

test('lines that were read and are gone from the file are told, and not judged', () => {
  const { file, written } = newTrace(mark(1) + mark(2))
  written.read()
  truncateSync(file, mark(1).length)
  const gone = /^Line 2 of the trace is gone: /
  expect(() => written.read()).toThrow(TraceFormatError)
  expect(() => written.read()).toThrow(gone)
  expect(() => written.whole()).toThrow(gone)
})

test.each([
  ['that is cut off', '{"kind":"ma', true],
  ['that only lacks its newline', mark(2).trimEnd(), false],
])('a last line %s is told as in a trace that is read at once', (_, last, truncated) => {
  const { file, written } = newTrace(mark(1) + last)
  expect(written.whole()).toMatchObject({ truncated })
  expect(written.whole()).toEqual(readTrace(file))
})

test('a line that is no entry is named each time, by its place in the whole trace', () => {
  const { file, written } = newTrace(mark(1) + mark(2))
  written.read()
  appendFileSync(file, `${mark(3)}{}\n${mark(5)}`)
  const read = () => written.read()
  for (let time = 0; time < 2; time += 1) {
    expect(read).toThrow(TraceFormatError)
    expect(read).toThrow(/^Line 4 of the trace /)
  }
})
