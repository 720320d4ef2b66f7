import { expect, test } from 'vitest'
import { opened } from '#testing/channel/opened'
import type { Steps } from '#testing/channel/steps'
import { message, response, retrieved, state } from '#testing/channel/talk'
import { verdictsOf } from '#testing/channel/verdicts'
import type { JsonObject } from '#trace/json'
import { rules } from '../rules.ts'

const broken = (...steps: readonly Steps[]) =>
  verdictsOf(rules, [...opened('text', state('text_chat', 'guide')), ...steps.flat()]).broken

test('a whole item of an input may be written under its id, and retrieved', () => {
  const item = message('given', 'user', 'What is this?')
  expect(broken(response('r', { asked: { input: [item] } }), retrieved('k', item))).toEqual([])
})

test('what a response put out stays of its type', () => {
  const call: JsonObject = { id: 'm-r', type: 'function_call', call_id: 'c', name: 'look_up', arguments: '{}' }
  expect(broken(response('r', { asked: {} }), retrieved('k', call))).toContain('item-retrieve.content')
})
