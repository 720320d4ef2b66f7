import fc from 'fast-check'
import { expect, test } from 'vitest'
import { FrameReader } from './frames.ts'

/** Strings that JSON writes in many ways: escapes, control characters, beyond ASCII, halves of pairs. */
const text = fc.oneof(
  fc.string(),
  fc.string({ unit: 'binary' }),
  fc.constantFrom('', '"', '\\', '\u0000', '\ud800', '","delta":"x'),
)

const delta = fc.record({
  event_id: text,
  response_id: text,
  item_id: text,
  output_index: fc.oneof(fc.nat(), fc.double(), fc.constant('0')),
  delta: text,
})

/** As a target writes it: members in any order, with or without spaces, with members of its own. */
const frames = fc
  .record({
    events: fc.array(delta, { minLength: 1, maxLength: 12 }),
    order: fc.array(fc.nat(5), { maxLength: 6 }),
    space: fc.constantFrom('', ' '),
  })
  .map(({ events, order, space }) =>
    events.map((event) => {
      const members = Object.entries({ type: 'response.output_text.delta', ...event })
      for (const at of order) members.push(...members.splice(at, 1))
      return JSON.stringify(Object.fromEntries(members)).replace('{', `{${space}`)
    }),
  )

test('a delta is read as JSON.parse reads it', () => {
  fc.assert(
    fc.property(frames, (list) => {
      const reader = new FrameReader()
      for (const frame of list) expect(reader.read(frame)).toMatchObject(neededOf(JSON.parse(frame)))
    }),
    { numRuns: 500 },
  )
})

function neededOf({ type, response_id, item_id, output_index, delta: piece }: { [field: string]: unknown }): object {
  return { type, response_id, item_id, output_index, delta: piece }
}

const first = '{"type":"response.output_text.delta","response_id":"r","item_id":"i","output_index":0,"delta":"a"}'

test.each([
  ['{"type":"response.output_text.delta","response_id":"r","item_id":"i","output_index":00,"delta":"a"}'],
  ['{"type":"response.output_text.delta","response_id":"r","item_id":"i","output_index":0,"delta":"a"} x'],
  ['{"type":"response.output_text.delta","response_id":"r","item_id":"i","output_index":0,"delta":"a\u0001"}'],
  ['{"type":"response.output_text.delta","response_id":"r","item_id":"i","output_index":0,"delta":"\\q"}'],
])('what is no JSON is no event, also when it looks like the deltas before: %s', (frame) => {
  const reader = new FrameReader()
  expect(reader.read(first)).toBeDefined()
  expect(reader.read(frame)).toBeUndefined()
})

test('the fifth delta of a run is taken apart by its pattern', () => {
  const reader = new FrameReader()
  const frame = first.replace('{', '{"event_id":"e",')
  for (let at = 0; at < 4; at += 1) {
    expect(reader.more(frame)).toBeUndefined()
    expect(reader.read(frame)).toEqual(JSON.parse(frame))
  }
  expect(reader.more(frame)).toBe('a')
})

test('a field that comes later is not lost from other events', () => {
  const reader = new FrameReader()
  reader.read(first)
  const done = {
    type: 'response.output_text.done',
    response_id: 'r',
    item_id: 'i',
    output_index: 0,
    text: 'a',
    extra: [1],
  }
  expect(reader.read(JSON.stringify(done))).toEqual(done)
})

test.each([[undefined], [new ArrayBuffer(2)], [''], ['{'], ['null'], ['[]'], ['"x"'], ['{}'], ['{"type":7}']])(
  '%s is no event',
  (frame) => {
    expect(new FrameReader().read(frame)).toBeUndefined()
  },
)

test('whatever frames come, the quick way reads what the whole way reads', () => {
  const run = fc.record({
    response: fc.constantFrom('r', 'r.1'),
    item: fc.constantFrom('i', 'i+'),
    pieces: fc.array(text, { minLength: 1, maxLength: 12 }),
  })
  const other = fc.constantFrom('{"type":"response.done","response":{"id":"r"}}', 'no JSON')
  let quick = 0
  fc.assert(
    fc.property(fc.array(fc.oneof(run, other), { maxLength: 5 }), (parts) => {
      const reader = new FrameReader()
      for (const part of parts) {
        const pieces = typeof part === 'string' ? [part] : part.pieces.map((piece, at) => deltaFrame(part, piece, at))
        for (const frame of pieces) {
          const more = reader.more(frame)
          if (more === undefined) reader.read(frame)
          else {
            quick += 1
            expect(JSON.parse(frame)).toMatchObject({ type: 'response.output_text.delta', delta: more })
          }
        }
      }
    }),
    { numRuns: 500 },
  )
  expect(quick).toBeGreaterThan(100)
})

function deltaFrame({ response, item }: { response: string; item: string }, piece: string, at: number): string {
  const place = { response_id: response, item_id: item, output_index: 0, delta: piece }
  return JSON.stringify({ event_id: `e${at}`, type: 'response.output_text.delta', ...place })
}

test('another item, another response and another event end a run', () => {
  const frame = (item: string, piece: string): string => deltaFrame({ response: 'r', item }, piece, 1)
  const reader = new FrameReader()
  for (let at = 0; at < 6; at += 1) reader.read(frame('a', 'x'))
  expect(reader.more(frame('a', 'y'))).toBe('y')
  expect(reader.more(frame('b', 'y'))).toBeUndefined()
  reader.read(frame('b', 'y'))
  expect(reader.more(frame('a', 'y'))).toBeUndefined()
  for (let at = 0; at < 6; at += 1) reader.read(frame('a', 'x'))
  reader.read('{"type":"service.changed"}')
  expect(reader.more(frame('a', 'y'))).toBeUndefined()
})

test.each([
  [
    'spaces, and the id first',
    '{"event_id": "ID", "type": "response.output_text.delta", "response_id": "r", "item_id": "i", "output_index": 0, "delta": "TEXT"}',
  ],
  [
    'the id last',
    '{"type":"response.output_text.delta","response_id":"r","item_id":"i","output_index":0,"delta":"TEXT","event_id":"ID"}',
  ],
  ['no id', '{"type":"response.output_text.delta","response_id":"r","item_id":"i","output_index":0,"delta":"TEXT"}'],
])('a run goes the quick way with %s, and only what is a delta of it', (_, written) => {
  const frame = (piece: string, at: number): string => written.replace('ID', `e${at}`).replace('TEXT', piece)
  const reader = new FrameReader()
  for (let at = 0; at < 4; at += 1) reader.read(frame('abc', at))
  for (const piece of ['x', 'two words', 'ü']) expect(reader.more(frame(piece, 7))).toBe(piece)
  expect(reader.more(frame('\n', 8))).toBeUndefined()
  expect(reader.more(frame('\\n', 8))).toBeUndefined()
  expect(reader.more(frame('x', 9).replace('output_text', 'output_audio'))).toBeUndefined()
  expect(reader.more(`${frame('x', 9)} `)).toBeUndefined()
  expect(reader.more(frame('x","more":"y', 9))).toBeUndefined()
})
