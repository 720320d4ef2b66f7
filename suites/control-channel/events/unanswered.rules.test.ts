import { expect, test } from 'vitest'
import { close, opened, quiet } from '#testing/channel/opened'
import type { Step, Steps } from '#testing/channel/steps'
import { applied, come, created, failed, message, pass, response, send, speech, state } from '#testing/channel/talk'
import { verdictsOf } from '#testing/channel/verdicts'
import { unanswered } from './unanswered.rules.ts'

const text = opened('s', state('text_chat', 'guide'))
const lost: { readonly [row: string]: Step } = {
  'item-create.confirmed': send('b', 'conversation.item.create', { item: message('b', 'user', 'Two.') }),
  'asset-add.confirmed': send('b', 'asset.add', { assets: { speech_text: [{ asset_id: 'q', text: 'Hm.' }] } }),
  'avatar-add.confirmed': send('b', 'avatar.add', { avatars: [{ avatar_id: 'q', instructions: 'Be brief.' }] }),
  'message.unknown-type-rejected': send('b', 'session.rewind'),
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

/** A response that speaks for twelve seconds, with these steps in its midst. */
const beside = (...steps: Steps): Steps =>
  response('r', { asked: speech('One, two.'), pieces: ['One, ', 'two.'] }).flatMap((step) =>
    'tag' in step && step.tag === 'r.delta1' ? [step, ...steps, pass(12_000)] : [step],
  )

test.each(Object.values(lost))('where nothing that was sent later is answered, nothing is broken', (step) => {
  expect(broken([...beside(step), pass(15_000), close()])).toEqual([])
})

const fetched = send('i', 'asset.add', { assets: { images: [{ asset_id: 'i', url: 'https://media.example/i.png' }] } })

test.each(Object.entries(lost))('%s: what is fetched may hold up what was sent after it', (row, step) => {
  const there = come('i.added', 'asset.added', { assets: { images: [{ asset_id: 'i' }] } })
  expect(broken([fetched, step, quiet, ...further])).toEqual([])
  expect(broken([fetched, step, quiet, there, ...further, close()])).toEqual([])
  expect(broken([fetched, there, step, quiet, ...further])).toEqual([row])
})

test('an update that changes nothing may go without an answer', () => {
  const select = (id: string) => send('b', 'session.update', { session: { active_avatar_id: id } })
  expect(broken([select('guide'), quiet, ...further])).toEqual([])
  const toHost = applied('a', { active_avatar_id: 'host' }, state('text_chat', 'host'))
  expect(broken([...toHost, select('host'), quiet, ...further])).toEqual([])
  expect(broken([...toHost, select('guide'), quiet, ...further])).toEqual(['session-update.accepted-yields-updated'])
})

const two: Steps = [{ what: 'open', channel: 'two', session: 's' }]

test.each(Object.entries(lost))(
  '%s: whoever else is there may have been told, but who comes later is not',
  (row, step) => {
    expect(broken([...two, step, quiet, ...further])).toEqual([])
    expect(broken([step, ...two, quiet, ...further])).toEqual([])
    expect(broken([step, quiet, ...further, close(), ...two])).toEqual([row])
  },
)
