import { expect, test } from 'vitest'
import { opened, quiet } from '#testing/channel/opened'
import type { Step, Steps } from '#testing/channel/steps'
import { come, created, failed, message, send, state } from '#testing/channel/talk'
import { verdictsOf } from '#testing/channel/verdicts'
import { unanswered } from './unanswered.rules.ts'

const text = opened('s', state('text_chat', 'guide'))
const lost: { readonly [row: string]: Step } = {
  'item-create.confirmed': send('b', 'conversation.item.create', { item: message('b', 'user', 'Two.') }),
  'asset-add.confirmed': send('b', 'asset.add', { assets: { speech_text: [{ asset_id: 'q', text: 'Hm.' }] } }),
  'session-update.accepted-yields-updated': send('b', 'session.update', { session: { active_avatar_id: 'host' } }),
}
const further = created('c', message('c', 'user', 'Three.'), null)
const broken = (steps: Steps, recording?: 'watch') =>
  verdictsOf([unanswered], [...text, ...steps, quiet], recording === undefined ? {} : { recording }).broken
const nameless = come('e', 'error', { error: { type: 'invalid_request_error', message: 'No.' } })

test.each(Object.entries(lost))('%s: nothing comes while other things are answered', (row, step) => {
  expect(broken([step, quiet, ...further])).toEqual([row])
  expect(broken([step, quiet, ...further], 'watch')).toEqual([])
})

test.each(Object.values(lost))(
  'an error, which may name nothing, or a connection that falls silent break nothing',
  (step) => {
    expect(broken([step, failed('b'), quiet, ...further])).toEqual([])
    expect(broken([step, nameless, quiet, ...further])).toEqual([])
    expect(broken([step])).toEqual([])
  },
)
