import type * as fc from 'fast-check'
import { expect, test } from 'vitest'
import type { ShapeName } from '#spec/schemas'
import { validate } from '#spec/validators'
import type { JsonObject } from '#trace/json'
import { draw } from '../draw.ts'
import { characters } from './characters.ts'
import { characterFaults, faulty, voiceFaults, withFaults, worldFaults } from './faults.ts'
import { voices } from './voices.ts'
import { worldSessions } from './world-sessions.ts'

const many = 300
const named: fc.Arbitrary<JsonObject> = characters.map(({ title, body }) => ({ ...body, name: title }))
const whole = voices.map((voice) => ({ ...(voice as JsonObject), file_id: 'file_aud_1' }))

const kinds = [
  ['rest/create-character.request', named, characterFaults],
  ['rest/create-world-session.request', worldSessions, worldFaults],
  ['rest/clone-voice.request', whole, voiceFaults],
] as const satisfies readonly (readonly [ShapeName, unknown, unknown])[]

test.each(kinds)('every %s that is drawn has its shape', (shape, arbitrary) => {
  const wrong = draw(arbitrary, 1, many).flatMap((body) => validate(shape, body).map((error) => ({ error, body })))
  expect(wrong).toEqual([])
})

test.each(kinds)('each optional member of %s is in some and not in others', (_, arbitrary) => {
  const bodies = draw<JsonObject>(arbitrary, 2, many)
  const names = new Set(bodies.flatMap((body) => Object.keys(body)))
  const always = bodies.reduce((left, body) => left.intersection(new Set(Object.keys(body))), names)
  expect(names.size).toBeGreaterThan(always.size)
})

test('one seed draws one list of bodies', () => {
  expect(draw(named, 3, 20)).toEqual(draw(named, 3, 20))
  expect(draw(named, 3, 1)).not.toEqual(draw(named, 4, 1))
})

test('avatars have ids of their own, and several of them an active one', () => {
  for (const body of draw(named, 5, many)) {
    const ids = (body['avatars'] as readonly JsonObject[]).map(({ avatar_id }) => avatar_id)
    expect(new Set(ids).size).toBe(ids.length)
    const active = (body['session'] as JsonObject)['active_avatar_id']
    if (ids.length > 1) expect(ids).toContain(active)
  }
})

test('bounds come as often as what lies between them', () => {
  const seconds = draw(named, 6, many).map(
    (body) => (body['auto_close'] as JsonObject)?.['disconnected_timeout_seconds'],
  )
  expect(seconds).toContain(0)
  expect(seconds).toContain(10)
  expect(seconds.some((one) => Number(one) > 10 && Number(one) < 60)).toBe(true)
})

test.each(kinds)('each fault of %s breaks what is whole without it', (shape, arbitrary, table) => {
  for (const fault of table) {
    const { body } = withFaults(draw<JsonObject>(arbitrary, 7, 1)[0] ?? {}, [fault])
    const unique = ['avatar-id-duplicate', 'active-avatar-unknown'].includes(fault.id)
    if (!unique) expect([fault.id, validate(shape, body).length > 0]).toEqual([fault.id, true])
  }
})

test('with two faults the codes of either are right, and with an open one any', () => {
  for (const { faults, codes } of draw(faulty(named, characterFaults), 8, many)) {
    const open = faults.some((fault) => fault.codes.length === 0)
    expect(new Set(codes)).toEqual(open ? new Set() : new Set(faults.flatMap((fault) => fault.codes)))
  }
})
