import { expect, test } from 'vitest'
import { textStateRepeated } from '#testing/channel/text-state'
import { after, again, all, type Change, drop, edit, set } from '#testing/channel/steps'
import { come, send } from '#testing/channel/talk'
import { verdictsOf } from '#testing/channel/verdicts'
import type { JsonObject } from '#trace/json'
import { assets, avatars } from './additions.rules.ts'

const broken = (change: Change): readonly string[] => verdictsOf([assets, avatars], change(textStateRepeated)).broken
const arrays = (more: JsonObject): JsonObject => ({
  images: [],
  audio: [],
  speech_text: [],
  visual_prompts: [],
  ...more,
})
const news = { asset_id: 'news', text: 'It rains.' }
const house = { asset_id: 'house', text: 'Welcome.' }
const wave = { asset_id: 'wave', text: 'Wave.' }
const listed = (tag: string, more: JsonObject): Change => set(`${tag}.added`, { assets: arrays(more) })
const late = {
  avatar_id: 'late',
  instructions: 'Be late.',
  voice: { provider: 'p', provider_voice_id: 'v', model: 'm' },
  visual: { source_images: [{ source_image_id: 'l1', url: 'https://media.example/l1.png', media_type: 'image/png' }] },
}
const shown = (...members: JsonObject[]): Change => set('v1.added', { avatars: members })

test.each<[row: string, change: Change]>([
  ['asset-add.confirmed-once', again('a3.added', 'a4.added')],
  ['asset-add.rejected-not-confirmed', after('a2.error', come('x', 'asset.added', { assets: arrays({}) }))],
  ['asset-added.lists-every-asset', listed('a1', { speech_text: [news] })],
  ['asset-added.lists-every-asset', listed('a1', { speech_text: [news], audio: [wave] })],
  [
    'asset-added.lists-no-others',
    listed('a1', { speech_text: [news, { asset_id: 'else', text: 'x' }], visual_prompts: [wave] }),
  ],
  ['asset-added.each-once', listed('a1', { speech_text: [news], visual_prompts: [wave, wave] })],
  [
    'asset-added.content-agrees',
    listed('a1', { speech_text: [{ ...news, text: 'it rains' }], visual_prompts: [wave] }),
  ],
  ['asset-add.existing-not-confirmed-anew', listed('a4', { speech_text: [{ asset_id: 'news', text: 'It hails.' }] })],
  [
    'asset-added.speech-text-array',
    edit('a1.added', (event) => ({ ...event, assets: { images: [], audio: [], visual_prompts: [wave] } })),
  ],
  ['avatar-add.confirmed-once', again('v3.added', 'v4.added')],
  ['avatar-add.rejected-not-confirmed', after('v2.error', come('x', 'avatar.added', { avatars: [] }))],
  ['avatar-added.lists-every-avatar', shown({ ...late, avatar_id: 'guide' })],
  ['avatar-added.lists-no-others', shown(late, { avatar_id: 'else' })],
  ['avatar-added.each-once', shown(late, late)],
  ['avatar-added.instructions-effective', shown({ ...late, instructions: 'Be early.' })],
  ['avatar-added.visual-effective', shown({ ...late, visual: { source_images: [] } })],
  [
    'avatar-added.voice-effective',
    shown({ ...late, voice: { provider: 'p', provider_voice_id: 'v', model: 'other' } }),
  ],
  [
    'avatar-add.existing-not-confirmed-anew',
    set('v4.added', { avatars: [{ avatar_id: 'late', instructions: 'Be early.' }] }),
  ],
])('%s (%#)', (row, change) => {
  expect(broken(change)).toContain(row)
})

test.each<[what: string, change: Change]>([
  [
    'all assets of the session',
    listed('a3', {
      images: [{ asset_id: 'map', url: 'https://media.example/map.png' }],
      audio: [{ asset_id: 'bell' }],
      speech_text: [news, { asset_id: 'greet', text: 'Good morning.' }],
      visual_prompts: [wave],
    }),
  ],
  [
    'an asset of the service itself, which the create shows',
    all(
      (steps) =>
        steps.map((step) =>
          step.what === 'create' ? { ...step, data: { ...step.data, assets: { speech_text: [house] } } } : step,
        ),
      listed('a1', { speech_text: [news, house], visual_prompts: [wave] }),
    ),
  ],
  ['ids alone', listed('a1', { speech_text: [{ asset_id: 'news' }], visual_prompts: [{ asset_id: 'wave' }] })],
  [
    'a prompt in the place of a text',
    listed('a1', { speech_text: [news], visual_prompts: [{ asset_id: 'wave', prompt: 'Wave.' }] }),
  ],
  [
    'a repetition that has no effect',
    all(drop('a2.error'), after('a2', come('x', 'asset.added', { assets: arrays({}) }))),
  ],
  ['a repetition that is refused', all(drop('a4.added'))],
  [
    'all avatars, filled in',
    shown(
      { avatar_id: 'plain', instructions: '' },
      { ...late, added: 1, visual: { ...late.visual, default_source_image_id: 'l1' } },
    ),
  ],
  [
    'two additions at once, confirmed in the other order',
    after(
      'a4.added',
      send('b1', 'asset.add', { assets: { images: [{ asset_id: 'b1', url: 'https://b' }] } }),
      send('b2', 'asset.add', { assets: { images: [{ asset_id: 'b2', url: 'https://b' }] } }),
      come('y', 'asset.added', { assets: arrays({ images: [{ asset_id: 'b2', url: 'https://b' }] }) }),
      come('z', 'asset.added', { assets: arrays({ images: [{ asset_id: 'b1', url: 'https://b' }] }) }),
    ),
  ],
])('%s: nothing is broken', (_, change) => {
  expect(broken(change)).toEqual([])
})
