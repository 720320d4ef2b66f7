import { expect, test } from 'vitest'
import type { ShapeName } from './schemas.ts'
import { validate } from './validators.ts'

function faults(shape: ShapeName, value: unknown) {
  return validate(shape, value).map(({ pointer, property, expected, got }) => ({ pointer, property, expected, got }))
}

test('a fault tells where, what was expected and what came', () => {
  const [error] = validate('server-events/response.render.stopped', {
    event_id: 'e',
    type: 'response.render.stopped',
    response_id: 'r',
    status: 'done',
  })
  expect(error).toEqual({
    pointer: '/status',
    keyword: 'enum',
    expected: 'one of "completed", "cancelled", "interrupted", "failed"',
    got: '"done"',
    schema_path: '#/properties/status/enum',
    message: '/status: expected one of "completed", "cancelled", "interrupted", "failed", got "done"',
  })
})

test('each kind of fault has words of its own', () => {
  expect(faults('common/output.request', { resolution: 4, fps: 24 })).toEqual([
    { pointer: '', property: 'aspect_ratio', expected: 'a field "aspect_ratio"', got: 'nothing' },
    { pointer: '', property: 'fps', expected: 'no field "fps"', got: 'an object' },
    { pointer: '/resolution', property: undefined, expected: 'one of "480p", "720p"', got: '4' },
  ])
  expect(faults('common/timestamp', null)).toMatchObject([{ expected: 'string', got: 'null' }])
  expect(faults('common/visual.response', { source_images: {} })).toMatchObject([
    { expected: 'array', got: 'an empty object' },
  ])
  expect(faults('meta/exhibit', { schema: 'x', tests: [] })).toMatchObject([
    { expected: expect.stringContaining('text that matches'), got: '"x"' },
    { expected: 'an array with 1 or more in it', got: 'an array of 0' },
  ])
  expect(faults('server-events/session.updated', { event_id: 'e', type: 'x', session: 1 })).toMatchObject([
    { expected: '"session.updated"', got: '"x"' },
    { expected: 'object', got: '1' },
  ])
})

test('a field that must be absent is told by its place', () => {
  const script = { vocal: { type: 'speech', text: 'Hello' } }
  expect(faults('client-events/response.create', { type: 'response.create', response: { script, tools: [] } })).toEqual(
    [{ pointer: '/response/tools', property: undefined, expected: 'nothing here', got: 'an array of 0' }],
  )
})

test('an object without any field is told as that', () => {
  const profile = { base_url: 'https://target.example', keys: { primary: 'k' }, objectives: { throughput: {} } }
  expect(faults('meta/profile', profile)).toMatchObject([
    { pointer: '/objectives/throughput', expected: 'an object with 1 or more fields', got: 'an empty object' },
  ])
})

test('long texts are cut', () => {
  const [fault] = faults('common/output.response', { resolution: 'x'.repeat(500) })
  expect(fault?.got).toBe(`"${'x'.repeat(60)}…"`)
})

const canary = 'canary-5d1f'
const secrets: readonly (readonly [ShapeName, unknown])[] = [
  ['common/avatar-session', { control: { url: canary, client_secret: [canary] } }],
  ['common/complete-media-delivery', { transport: 'rtc_b', rtc_b: { token: { value: canary } } }],
  [
    'common/pipeline-config.request',
    { tts_config: { tts_api_key: [canary] }, llm_config: { llm_extra_payload: canary } },
  ],
  ['common/vocal.request', { type: 'audio', mime_type: 'audio/wav', audio: `${canary}!` }],
  [
    'meta/profile',
    { base_url: canary, keys: { primary: `${canary} value` }, headers: { 'X-Gate': `${canary} value` } },
  ],
  ['common/timestamp', canary],
]

test.each(secrets)('a fault of %s never shows what may be a secret', (shape, value) => {
  const errors = validate(shape, value)
  expect(errors.length).toBeGreaterThan(0)
  expect(JSON.stringify(errors)).not.toContain(canary)
})
