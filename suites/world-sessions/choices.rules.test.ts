import { expect, test } from 'vitest'
import { capabilities, Run } from '#testing/hand-made-worlds'
import { saidOf } from '#testing/said-of'
import type { JsonObject } from '#trace/json'
import { choices } from './choices.rules.ts'

function capabilitiesSeen(...all: readonly JsonObject[]): readonly string[] {
  const answers = [...all]
  const run = new Run((what, data) =>
    what.startsWith('create-') ? { ...data, capabilities: answers.shift() ?? null } : data,
  )
  for (const place of all.keys()) run.create(`w-${place}`)
  return [...saidOf([choices], run.trace)].filter((said) => said.includes('capabilities.values'))
}

test('capabilities in another order are the same, others are not', () => {
  const turned = Object.fromEntries(Object.entries(capabilities).toReversed())
  const types = ['input_reference', 'input_text']
  expect(capabilitiesSeen(capabilities, turned, { ...capabilities, event_content_types: types })).toHaveLength(1)
  expect(capabilitiesSeen(capabilities, { ...capabilities, event_cancel: false })).toHaveLength(2)
})
