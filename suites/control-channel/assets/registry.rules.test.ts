import { expect, test } from 'vitest'
import { opened } from '#testing/channel/opened'
import type { Steps } from '#testing/channel/steps'
import { come, refused, resource, send, state } from '#testing/channel/talk'
import { verdictsOf } from '#testing/channel/verdicts'
import type { JsonObject } from '#trace/json'
import { existing } from './existing.rules.ts'
import { registry } from './registry.rules.ts'

const own = [registry, existing]
const text = (asset_id: string) => ({ asset_id, text: `This is ${asset_id}.` })
const texts = (...ids: readonly string[]) => ({ assets: { speech_text: ids.map(text) } })
const avatars = (...ids: readonly string[]) => ({ avatars: ids.map((avatar_id) => ({ avatar_id })) })

const added = (tag: string, ...ids: readonly string[]): Steps => [
  send(tag, 'asset.add', texts(...ids)),
  come(`${tag}.added`, 'asset.added', {
    assets: { images: [], audio: [], speech_text: ids.map(text), visual_prompts: [] },
  }),
]
/** An asset that says what another one says. */
const alike = (tag: string, asset_id: string, other: string): Steps => {
  const speech_text = [{ ...text(other), asset_id }]
  const shown = { images: [], audio: [], speech_text, visual_prompts: [] }
  return [send(tag, 'asset.add', { assets: { speech_text } }), come(`${tag}.added`, 'asset.added', { assets: shown })]
}
const joined = (tag: string, ...ids: readonly string[]): Steps => [
  send(tag, 'avatar.add', avatars(...ids)),
  come(`${tag}.added`, 'avatar.added', avatars(...ids)),
]
/** An id that there is, with something else behind it, is confirmed. */
const changed = (tag: string, id: string): Steps => [
  send(tag, 'asset.add', { assets: { speech_text: [{ asset_id: id, text: 'This is another one.' }] } }),
  come(`${tag}.added`, 'asset.added', {
    assets: { images: [], audio: [], speech_text: [text(id)], visual_prompts: [] },
  }),
]
const renamed = (tag: string, avatar_id: string): Steps => [
  send(tag, 'avatar.add', { avatars: [{ avatar_id, instructions: 'I am another one.' }] }),
  come(`${tag}.added`, 'avatar.added', avatars(avatar_id)),
]
const nameless = { instructions: 'I have no name.' }
const lacking = { assets: { speech_text: [text('b'), { asset_id: 'c' }] } }
const speak = (id: string, type = 'speech_asset') => ({
  response: { script: { vocal: { type, speech_text_asset_id: id } } },
})
const long = 'x'.repeat(513)
const odd = { avatars: [{ avatar_id: 'b', instructions: 5 }] }
const image = { asset_id: 'a', url: 'https://example.com/a.png' }
const pictured = (tag: string): Steps => [
  send(tag, 'asset.add', { assets: { images: [image] } }),
  come(`${tag}.added`, 'asset.added', { assets: { images: [image], audio: [], speech_text: [], visual_prompts: [] } }),
]
const spoken = (tag: string, id: string): Steps => [
  send(tag, 'response.create', speak(id)),
  come(`${tag}.created`, 'response.created', { response: resource(tag, 'in_progress'), request_event_id: tag }),
]
const selected = (tag: string, id: string): Steps => [
  send(tag, 'session.update', { session: { active_avatar_id: id } }),
  come(`${tag}.updated`, 'session.updated', { event_id: tag, session: state('text_chat', id) }),
  come(`${tag}.done`, 'session.update.done', { request_event_id: tag, status: 'completed' }),
]
const told = (steps: Steps) => verdictsOf(own, [...opened('text', state('text_chat', 'guide')), ...steps])

test.each<[row: string, steps: Steps]>([
  ['asset-add.existing-rejected', [...added('a', 'a'), ...changed('b', 'a')]],
  ['avatar-add.existing-rejected', [...joined('a', 'a'), ...renamed('b', 'a')]],
  [
    'asset-add.free-after-rejection',
    [
      ...added('a', 'a'),
      ...refused('l', 'asset.add', lacking),
      ...refused('b', 'asset.add', texts('b')),
      ...alike('c', 'c', 'b'),
    ],
  ],
  [
    'avatar-add.free-after-rejection',
    [
      ...joined('a', 'a'),
      ...refused('l', 'avatar.add', { avatars: [{ avatar_id: 'b' }, nameless] }),
      ...refused('b', 'avatar.add', avatars('b')),
      ...joined('c', 'c'),
    ],
  ],
  [
    'asset-add.rejected-not-confirmed',
    [...added('a', 'a'), come('e', 'error', { error: { type: 'x', message: 'x', event_id: 'a' } })],
  ],
  [
    'asset-add.additive',
    [...added('a', 'a'), ...spoken('s0', 'a'), ...added('b', 'b'), ...refused('s', 'response.create', speak('a'))],
  ],
  [
    'avatar-add.selectable',
    [...joined('a', 'a'), ...refused('u', 'session.update', { session: { active_avatar_id: 'a' } })],
  ],
  [
    'avatar-add.additive',
    [...joined('a', 'a'), ...refused('u', 'session.update', { session: { active_avatar_id: 'guide' } })],
  ],
  [
    'avatar-add.none-registered-on-invalid',
    [...refused('l', 'avatar.add', { avatars: [{ avatar_id: 'b' }, nameless] }), ...selected('u', 'b')],
  ],
  [
    'avatar-add.none-registered-after-invalid',
    [...refused('l', 'avatar.add', { avatars: [nameless, { avatar_id: 'b' }] }), ...selected('u', 'b')],
  ],
  [
    'avatar-add.none-registered-beside-existing',
    [...joined('a', 'a'), ...refused('l', 'avatar.add', avatars('b', 'a')), ...selected('u', 'b')],
  ],
])('%s is broken', (row, steps) => {
  expect(told(steps).broken).toEqual([row])
})

test('a session that takes nothing more is full: how much it takes is not said', () => {
  const full = [...added('a', 'a'), ...refused('l', 'asset.add', lacking), ...refused('b', 'asset.add', texts('b'))]
  expect(told(full).broken).toEqual([])
})

test.each<[what: string, steps: Steps]>([
  [
    'what is added and used',
    [...added('a', 'a'), ...added('b', 'b'), ...spoken('s', 'a'), ...joined('c', 'c'), ...selected('u', 'c')],
  ],
  ['an id that exists and is refused', [...added('a', 'a'), ...refused('b', 'asset.add', texts('a'))]],
  [
    'an id that was refused beside one that exists',
    [...added('a', 'a'), ...refused('l', 'asset.add', texts('b', 'a')), ...refused('b', 'asset.add', texts('b'))],
  ],
  [
    'an id that was refused, and is again with another fault',
    [...added('a', 'a'), ...refused('l', 'asset.add', lacking), ...refused('b', 'asset.add', lacking)],
  ],
  [
    'an asset that was never confirmed',
    [send('a', 'asset.add', texts('a')), ...added('b', 'b'), ...refused('s', 'response.create', speak('a'))],
  ],
  [
    'an avatar that was never confirmed',
    [send('a', 'avatar.add', avatars('a')), ...refused('u', 'session.update', { session: { active_avatar_id: 'a' } })],
  ],
  [
    'an avatar of before that is named under an id that is too long',
    [...joined('a', 'a'), ...refused(long, 'session.update', { session: { active_avatar_id: 'guide' } })],
  ],
  [
    'a text that is spoken under an id that is too long',
    [...added('a', 'a'), ...added('b', 'b'), ...refused(long, 'response.create', speak('a'))],
  ],
  [
    'what was refused and comes again under an id that is too long',
    [
      ...added('a', 'a'),
      ...refused('l', 'asset.add', lacking),
      ...refused(long, 'asset.add', texts('b')),
      ...added('c', 'c'),
    ],
  ],
  [
    'a failure of the service',
    [
      ...joined('a', 'a'),
      send('u', 'session.update', { session: { active_avatar_id: 'a' } }),
      come('e', 'error', { error: { type: 'server_error', message: 'x', event_id: 'u' } }),
    ],
  ],
  [
    'an image beside the avatar',
    [
      ...joined('a', 'a'),
      ...refused('u', 'session.update', { session: { active_avatar_id: 'a', source_image_id: 'x' } }),
    ],
  ],
  [
    'the selection of an avatar beside what cannot be changed',
    [...joined('a', 'a'), ...refused('u', 'session.update', { session: { active_avatar_id: 'a', tools: [] } })],
  ],
  [
    'an avatar that was refused, and stays so',
    [
      ...refused('l', 'avatar.add', { avatars: [{ avatar_id: 'b' }, nameless] }),
      ...refused('u', 'session.update', { session: { active_avatar_id: 'b' } }),
    ],
  ],
  ['what is added again as it is', [...added('a', 'a'), ...added('b', 'a'), ...joined('c', 'c'), ...joined('d', 'c')]],
  ['an image with the id of a text', [...added('a', 'a'), ...pictured('i')]],
  [
    'a step of the service that fails once an asset is registered',
    [
      ...added('a', 'a'),
      come('e', 'error', { error: { type: 'processing_error', code: 'internal_error', message: 'x', event_id: 'a' } }),
    ],
  ],
  [
    'an id of an event that was used before',
    [...added('a', 'a'), ...added('b', 'b'), ...spoken('s', 'a'), ...refused('s', 'response.create', speak('a'))],
  ],
  [
    'an asset that is asked for as one of another kind',
    [...added('a', 'a'), ...added('b', 'b'), ...refused('s', 'response.create', speak('a', 'audio_asset'))],
  ],
  [
    'an avatar whose instructions are none',
    [...joined('a', 'a'), ...refused('l', 'avatar.add', odd), ...refused('b', 'avatar.add', odd)],
  ],
])('%s says nothing against anybody', (_what, steps) => {
  expect(told(steps).reasons).toEqual([])
})

test('what was never taken under any id may be refused for what it says, each time', () => {
  const twice = (type: 'asset.add' | 'avatar.add', what: JsonObject): Steps => [
    ...refused('r1', type, what),
    ...refused('r2', type, what),
  ]
  expect(told([...added('a', 'a'), ...twice('asset.add', texts('b')), ...added('c', 'c')]).broken).toEqual([])
  const strange = { avatars: [{ avatar_id: 'b', instructions: 'Something that is filtered.' }] }
  expect(told([...joined('a', 'a'), ...twice('avatar.add', strange), ...joined('c', 'c')]).broken).toEqual([])
})

test('media that could not be had twice, and were the third time, say nothing of the id', () => {
  const images = (...ids: readonly string[]) => ids.map((asset_id) => ({ ...image, asset_id }))
  const shown = { images: images('b'), audio: [], speech_text: [], visual_prompts: [] }
  const twice = ['r1', 'r2'].flatMap((tag) => refused(tag, 'asset.add', { assets: { images: images('b') } }))
  const steps = [
    ...pictured('p'),
    ...refused('l', 'asset.add', { assets: { images: [...images('b'), { asset_id: 'c' }] } }),
    ...twice,
  ]
  const third: Steps = [
    send('r3', 'asset.add', { assets: { images: images('b') } }),
    come('r3.added', 'asset.added', { assets: shown }),
  ]
  const later: Steps = [
    send('d', 'asset.add', { assets: { images: images('d') } }),
    come('d.added', 'asset.added', { assets: { ...shown, images: images('d') } }),
  ]
  expect(told([...steps, ...later]).broken).toEqual(['asset-add.free-after-rejection'])
  expect(told([...steps, ...third, ...later]).broken).toEqual([])
})

test('a session may be full for texts, and take images all the same', () => {
  const full = [...added('a', 'a'), ...refused('l', 'asset.add', lacking), ...refused('b', 'asset.add', texts('b'))]
  expect(told([...full, ...alike('c', 'c', 'b')]).broken).toEqual(['asset-add.free-after-rejection'])
  expect(told([...full, ...pictured('i')]).broken).toEqual([])
})

test('an asset that was never spoken may be refused for what it says', () => {
  const never = refused('s', 'response.create', speak('a'))
  expect(told([...added('a', 'a'), ...added('b', 'b'), ...never]).broken).toEqual([])
})
