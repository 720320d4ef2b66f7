import { expect, test } from 'vitest'
import { indexTrace } from '#judge/trace-index'
import { handMadeResults, profile, row } from '#testing/hand-made-results'
import { TraceBuilder } from '#testing/trace-builder'
import type { JsonObject } from '#trace/json'
import { failures } from './failures.ts'

test('an address of the profile that no session was created with is told above the failures', () => {
  const url = 'https://media.example/face.png'
  const trace = new TraceBuilder()
  const refused = { body: { code: 30004, message: 'the image cannot be had', data: null } }
  trace.rest('create-avatar-session', refused, { avatars: [{ visual: { source_images: [{ url }] } }] })
  const results = handMadeResults([row('voices.a.b', 'fail')])
  const told = (media: JsonObject) => {
    const target = { ...results.target, profile: { ...profile, media } }
    const places = { index: indexTrace(trace.entries), resend: () => undefined, name: 'trace.ndjson' }
    return failures({ results: { ...results, target }, trace: places, text: () => undefined }).markup
  }
  const said = 'Every session that was to have the image at'
  expect(told({ image_url: url })).toContain(said)
  expect(told({})).not.toContain(said)
})
