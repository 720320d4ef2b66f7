import { expect, test } from 'vitest'
import { collectFindings } from '#judge/findings'
import { speechAndOpening, twoSessions } from '#testing/channel/others'
import { type Steps, traceOf } from '#testing/channel/steps'
import { textResponses } from '#testing/channel/text-responses'
import { textState } from '#testing/channel/text-state'
import { videoResponses, videoState } from '#testing/channel/video'
import type { Json, JsonObject } from '#trace/json'
import { rules } from '../rules.ts'

const odd: readonly Json[] = [
  null,
  true,
  -1,
  '',
  'x',
  [],
  [null],
  [[]],
  {},
  { id: {} },
  JSON.parse('{"__proto__":{"id":1}}'),
]

/** Every member of every value, one after the other, in the place of which something odd comes. */
function* variants(value: Json, strange: Json): Generator<Json> {
  yield strange
  if (Array.isArray(value)) {
    for (const [place, one] of value.entries())
      for (const other of variants(one, strange)) yield value.with(place, other)
  } else if (typeof value === 'object' && value !== null) {
    for (const [name, one] of Object.entries(value as JsonObject)) {
      for (const other of variants(one, strange)) yield { ...(value as JsonObject), [name]: other }
    }
  }
}

/** One trace for each odd value, in which all events come with it somewhere. */
function strained(steps: Steps, strange: Json): Steps {
  return steps.flatMap((step) => {
    if (step.what !== 'come') return [step]
    const { type, ...rest } = step.event
    const events = [...variants(rest, strange)].filter(
      (one) => typeof one === 'object' && one !== null && !Array.isArray(one),
    )
    return [step, ...events.map((one) => ({ ...step, event: { ...(one as JsonObject), type: type ?? '' } }))]
  })
}

test.each([
  ['the state in text_chat', textState],
  ['responses in text_chat', textResponses],
  ['the state in video', videoState],
  ['responses in video', videoResponses],
  ['two sessions', twoSessions],
  ['speech and openings', speechAndOpening],
])('no value in %s makes a rule throw', (_, steps) => {
  for (const strange of odd) {
    const { mistakes } = collectFindings(traceOf(strained(steps, strange)), rules, () => true)
    expect(mistakes).toEqual([])
  }
})

test('a create that shows anything but a session makes no rule throw', () => {
  for (const strange of odd) {
    for (const data of variants(
      {
        session: { mode: 'text_chat' },
        avatars: [{ avatar_id: 'a', visual: { source_images: [{}] } }],
        assets: { speech_text: [{}] },
        conversation: { tools: [{}] },
      },
      strange,
    )) {
      const steps = textState.map((step) => (step.what === 'create' ? { ...step, data: data as JsonObject } : step))
      if (typeof data !== 'object' || data === null || Array.isArray(data)) continue
      expect(collectFindings(traceOf(steps.slice(0, 40)), rules, () => true).mistakes).toEqual([])
    }
  }
})
