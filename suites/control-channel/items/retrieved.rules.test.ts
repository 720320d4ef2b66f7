import { expect, test } from 'vitest'
import { opened } from '#testing/channel/opened'
import type { Steps } from '#testing/channel/steps'
import { created, message, response, retrieved, state } from '#testing/channel/talk'
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

test('an image beside what was said is none of it', () => {
  const said = message('m-r', 'assistant', 'Hello there.')
  const image = { type: 'input_image', image_url: 'https://example.com/a.png' }
  const shown: JsonObject = { ...said, content: [{ type: 'text', text: 'Hello there.' }, image] }
  expect(broken(response('r', { asked: {} }), retrieved('k', shown))).toContain('item-retrieve.content')
})

test('the id of output that was not written is free for an item of ours', () => {
  const ours = message('m-r', 'assistant', 'Hello there.')
  const steps = [response('r', { asked: { conversation: 'none' } }), created('m-r', ours, null)]
  expect(broken(...steps, retrieved('k', ours))).toEqual([])
  const asked = { conversation: 'none', script: { vocal: { type: 'speech', text: 'Hello there.' } } }
  expect(broken(response('r', { asked }), created('m-r', ours, null), retrieved('k', ours))).toEqual([])
})
