import { expect, test } from 'vitest'
import { opened } from '#testing/channel/opened'
import { traceOf } from '#testing/channel/steps'
import { state } from '#testing/channel/talk'
import type { Json, JsonObject } from '#trace/json'
import { mayBeOurs } from './ids.ts'
import { type Connection, sessionsOf } from './sessions.ts'

/** A connection on which somebody sent these ids, each with an event. */
function sending(...ids: readonly Json[]): Connection {
  const event = (event_id: Json): JsonObject => ({ type: 'session.update', event_id, session: {} })
  const sent = ids.map((id, place) => ({ what: 'send', channel: 'one', tag: `t${place}`, event: event(id) }) as const)
  const [connection] = sessionsOf(traceOf([...opened('s', state('text_chat', 'guide')), ...sent]))[0]?.connections ?? []
  if (connection === undefined) throw new Error('nothing was opened')
  return connection
}

test.each<[what: string, id: string, is: boolean, sent: Json]>([
  ['a number as text', '7', true, 7],
  ['an object as text', '{"a":1}', true, { a: 1 }],
  ['null as text', 'null', true, null],
  ['a long id that was cut', 'l'.repeat(512), true, 'l'.repeat(513)],
  ['a short id that was cut', 'a', false, 'ab'],
  ['another number', '8', false, 7],
  ['another long id', 'm'.repeat(512), false, 'l'.repeat(513)],
])('%s', (_, id, is, sent) => {
  expect(mayBeOurs(id, [sending('plain', sent)])).toBe(is)
})

test('what was sent is gone through once, however many ids are asked for: a flood asks for each of its frames', () => {
  const { record, ...connection } = sending(1)
  let looks = 0
  const frames = new Proxy(record.frames, {
    get: (of, name) => {
      if (name === 'length') looks += 1
      return Reflect.get(of, name) as unknown
    },
  })
  const watched = { ...connection, record: { ...record, frames } }
  mayBeOurs('0', [watched])
  const atFirst = looks
  expect(atFirst).toBeGreaterThan(0)
  for (let asked = 0; asked < 100; asked += 1) mayBeOurs(`flood ${asked}`, [watched])
  expect(looks).toBe(atFirst)
})
