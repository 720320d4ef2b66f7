import { expect, test } from 'vitest'
import { opened, quiet } from '#testing/channel/opened'
import type { Steps } from '#testing/channel/steps'
import { come, refused, response, send, speechAsset, state } from '#testing/channel/talk'
import { verdictsOf } from '#testing/channel/verdicts'
import type { JsonObject } from '#trace/json'
import { refusedAssets } from './refused.rules.ts'

const begin = opened('text', state('text_chat', 'guide'))
const words = 'It came too late.'
const late = { asset_id: 'late', text: words }
const empty = { asset_id: 'empty' }
const spoken = (text: string): Steps => response('r', { asked: speechAsset('late'), pieces: [text] })
const added = (tag: string, ...speech_text: JsonObject[]): Steps => [
  send(tag, 'asset.add', { assets: { speech_text } }),
  come(`${tag}.added`, 'asset.added', { assets: { images: [], audio: [], speech_text, visual_prompts: [] } }),
]
const without = (...speech_text: JsonObject[]): Steps => refused('a', 'asset.add', { assets: { speech_text } })
const broken = (...steps: Steps): readonly string[] => verdictsOf([refusedAssets], [...begin, ...steps, quiet]).broken

test.each<[row: string, steps: Steps]>([
  ['asset-add.none-registered-on-invalid', without(late, empty)],
  ['asset-add.none-registered-after-invalid', without(empty, late)],
  [
    'asset-add.none-registered-across-kinds',
    refused('a', 'asset.add', { assets: { speech_text: [late], visual_prompts: [empty] } }),
  ],
  [
    'asset-add.none-registered-beside-existing',
    [...added('b', { asset_id: 'first', text: 'First.' }), ...without(late, { asset_id: 'first', text: 'Again.' })],
  ],
])('%s: what was refused is not spoken', (row, steps) => {
  expect(broken(...steps, ...spoken(words))).toEqual([row])
  expect(broken(...steps, ...refused('r', 'response.create', { response: speechAsset('late') }))).toEqual([])
})

test('what was added after it had been refused is spoken', () => {
  expect(broken(...without(late, empty), ...added('b', late), ...spoken(words))).toEqual([])
})

test('another text than that of the refused one says nothing', () => {
  expect(broken(...without(late, empty), ...spoken('I have no such text.'))).toEqual([])
})
