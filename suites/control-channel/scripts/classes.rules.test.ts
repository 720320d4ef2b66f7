import { expect, test } from 'vitest'
import { opened } from '#testing/channel/opened'
import type { Steps } from '#testing/channel/steps'
import { come, resource, response, send, speech, state } from '#testing/channel/talk'
import { verdictsOf } from '#testing/channel/verdicts'
import type { JsonObject } from '#trace/json'
import { scriptClasses } from './classes.rules.ts'

const bytes = { script: { vocal: { type: 'audio', mime_type: 'audio/wav', audio: 'UklG' } } }
const asset = { script: { vocal: { type: 'audio_asset', audio_asset_id: 'jingle' } } }
const played = (id: string, asked: JsonObject, status: string, channel: string): Steps => [
  send(id, 'response.create', { response: asked }, channel),
  come(`${id}.c`, 'response.created', { request_event_id: id, response: resource(`r-${id}`, 'in_progress') }, channel),
  come(`${id}.d`, 'response.done', { response: resource(`r-${id}`, status) }, channel),
]

/** Audio plays in one session, and none in the other; only there assets are played. */
const audio = (key: string): Steps => {
  const other = opened('B', state('video_avatar', 'guide', 'g1'), 'b')
  return [
    ...opened('A', state('video_avatar', 'guide', 'g1'), 'a'),
    ...other.map((step) => (step.what === 'create' ? { ...step, key } : step)),
    ...[1, 2, 3, 4, 5, 6].flatMap((nth) => [
      ...response(`sa${nth}`, { asked: speech('Hello there.'), channel: 'a' }),
      ...played(`a${nth}`, bytes, 'completed', 'a'),
      ...response(`sb${nth}`, { asked: speech('Hello there.'), channel: 'b' }),
      ...played(`b${nth}`, asset, 'failed', 'b'),
    ]),
    ...response('last', { asked: speech('Hello there.'), channel: 'b' }),
  ]
}

test('scripts that always fail in one workspace are not held against those of another', () => {
  const row = 'script-audio-asset.completes'
  expect(verdictsOf([scriptClasses], audio('primary')).broken).toEqual([row])
  expect(verdictsOf([scriptClasses], audio('other_workspace')).broken).toEqual([])
})
