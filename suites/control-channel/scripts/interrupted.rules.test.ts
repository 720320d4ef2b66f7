import { expect, test } from 'vitest'
import { opened, quiet } from '#testing/channel/opened'
import type { Steps } from '#testing/channel/steps'
import { come, message, resource, send, speech, state } from '#testing/channel/talk'
import { verdictsOf } from '#testing/channel/verdicts'
import { rules } from '../rules.ts'

// How responses end that are interrupted in the midst of their text.

const row = 'scheduling.interrupted-status'
const text = opened('s', state('text_chat', 'guide'))
const words = (id: string): string => `${id} went down to the river, and saw a house that was all red.`

/** A response that ends so. @param meanwhile what happens before its end */
function ended(id: string, status: string, meanwhile: Steps = []): Steps {
  const spoken = status === 'completed' ? words(id) : words(id).slice(0, 12)
  const place = { response_id: `r-${id}`, item_id: `m-${id}`, output_index: 0 }
  const item = message(`m-${id}`, 'assistant', spoken, { status: status === 'completed' ? status : 'incomplete' })
  return [
    come(`${id}.created`, 'response.created', { request_event_id: id, response: resource(`r-${id}`, 'in_progress') }),
    come(`${id}.delta`, 'response.output_text.delta', { ...place, delta: spoken }),
    ...meanwhile,
    ...(status === 'completed' ? [come(`${id}.text`, 'response.output_text.done', { ...place, text: spoken })] : []),
    come(`${id}.item`, 'response.output_item.done', { response_id: `r-${id}`, output_index: 0, item }),
    come(`${id}.done`, 'response.done', { response: resource(`r-${id}`, status, [item]) }),
  ]
}

const asks = (id: string) => send(id, 'response.create', { response: speech(words(id)) })

/** One response takes the place of another. */
const meeting = (nth: number, status: string, next = 'completed'): Steps => [
  asks(`a${nth}`),
  ...ended(`a${nth}`, status, [asks(`b${nth}`)]),
  ...ended(`b${nth}`, next),
]

const broken = (...steps: Steps): boolean => verdictsOf(rules, [...text, ...steps, quiet]).broken.includes(row)

test('three that fail whenever they are interrupted were not cancelled', () => {
  expect(broken(...[1, 2, 3].flatMap((nth) => meeting(nth, 'failed')))).toBe(true)
})

test.each<[what: string, steps: Steps]>([
  ['two may fail by themselves', [1, 2].flatMap((nth) => meeting(nth, 'failed'))],
  [
    'so may three beside one that is cancelled',
    [...[1, 2, 3].flatMap((nth) => meeting(nth, 'failed')), ...meeting(4, 'cancelled')],
  ],
  ['and all, where what takes their place fails as well', [1, 2, 3].flatMap((nth) => meeting(nth, 'failed', 'failed'))],
])('%s', (_, steps) => {
  expect(broken(...steps)).toBe(false)
})
