import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { lineSplitter, readK6Line } from './lines.ts'

const window = { at: 1_700_000_000, scenario: 'soak', tally: { events: { 'response.done': 3 } } }

test('a window is read, with or without what a log puts in front of it', () => {
  const line = `greenroom-window ${JSON.stringify(window)}`
  expect(readK6Line(line)).toEqual({ kind: 'window', ...window })
  expect(readK6Line(`2026-11-23T06:00:00Z runner-1 ${line}\r`)).toEqual({ kind: 'window', ...window })
})

test('a part is read from a log', () => {
  expect(readK6Line('greenroom-part {"format":"x"}')).toEqual({ kind: 'part', part: { format: 'x' } })
})

test.each([
  'greenroom-window {"at":1,"scenario":"soak","tally":{"events":3}}',
  'greenroom-window {"at":1,"scenario":"soak","tally":{"events":{"a":"3"}}}',
  'greenroom-window {"at":"1","scenario":"soak","tally":{}}',
  'greenroom-window {"at":1',
  'greenroom-window 7',
  'greenroom-sample {"conversation":"c","entry":null}',
  'greenroom-create {"create":"c"}',
  'greenroom-created {"create":"c","id":5}',
  'greenroom-ended {"resource":"avatar-session"}',
  'greenroom-other {}',
  'time="…" level=info msg="nothing"',
])('%s is none of ours', (line) => {
  expect(readK6Line(line)).toBeUndefined()
})

test('lines come whole, however the stream is cut', () => {
  const text = fc.array(fc.string().map((one) => one.replaceAll('\n', ' ')))
  fc.assert(
    fc.property(text, fc.integer({ min: 1, max: 7 }), (lines, size) => {
      const seen: string[] = []
      const splitter = lineSplitter((line) => void seen.push(line))
      const stream = lines.map((line) => `${line}\n`).join('')
      for (let place = 0; place < stream.length; place += size) splitter.add(stream.slice(place, place + size))
      splitter.end()
      expect(seen).toEqual(lines)
    }),
  )
})
