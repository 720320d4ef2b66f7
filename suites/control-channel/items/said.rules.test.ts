import { expect, test } from 'vitest'
import { opened, quiet } from '#testing/channel/opened'
import type { Steps } from '#testing/channel/steps'
import { come, created, message, state } from '#testing/channel/talk'
import { verdictsOf } from '#testing/channel/verdicts'
import { rules } from '../rules.ts'

const text = opened('s', state('text_chat', 'guide'))
const told = (...steps: Steps) => verdictsOf(rules, [...steps, quiet])

const typed = created('a', message('a', 'user', 'Yes.'), null)
const heard: Steps = [
  come('h1', 'input_audio.speech_started', { item_id: 'b', audio_start_ms: 1 }),
  come('h2', 'input_audio.speech_stopped', { item_id: 'b', audio_end_ms: 900 }),
]
const written = come('b', 'conversation.item.created', {
  previous_item_id: 'a',
  item: message('b', 'user', 'Yes.', { status: 'completed' }),
})

test('a user may say what he typed', () => {
  expect(told(...text, ...typed, ...heard, written).reasons).toEqual([])
  expect(told(...text, ...heard, ...typed, written).broken).toEqual(['item-create.confirmed-once'])
})
