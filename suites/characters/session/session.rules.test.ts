import { expect, test } from 'vitest'
import { CharacterStory } from '#testing/character-story'
import { saidOf } from '#testing/said-of'
import type { JsonObject } from '#trace/json'
import { savedSession } from './session.rules.ts'
import { sessionShape } from './shape.rules.ts'

type Change = (data: JsonObject) => JsonObject

const face = (source_image_id: string) => ({ source_image_id, url: 'https://m.example/a.png', media_type: 'image/png' })
const video: JsonObject = {
  name: 'video',
  model: 'svc-a1-stream',
  session: { mode: 'video_avatar', active_avatar_id: 'ada', source_image_id: 'side' },
  output: { aspect_ratio: '9:16', resolution: '480p' },
  avatars: [
    { avatar_id: 'ada', visual: { source_images: [face('front'), face('side')], default_source_image_id: 'front' } },
  ],
  conversation: { instructions: 'Rivers.' },
  max_duration_seconds: 600,
  auto_close: { disconnected_timeout_seconds: 0, interaction_idle_timeout_seconds: 60 },
}
const other: JsonObject = {
  ...video,
  session: { mode: 'video_avatar' },
  conversation: { instructions: 'Hills.' },
  auto_close: { disconnected_timeout_seconds: 90 },
}

const put =
  (members: JsonObject): Change =>
  (data) => ({ ...data, ...members })
const output = (aspect_ratio: string, resolution: string) => put({ output: { aspect_ratio, resolution, fps: 24 } })
const model = put({ model: 'svc-a1-stream-lite' })
const transport = (data: JsonObject): JsonObject => ({
  ...data,
  delivery: {
    media: {
      transport: 'rtc_a',
      rtc_a: { sdk_app_id: 'a', room_id: 'r', user_id: 'u', user_sig: 's', publisher_user_id: 'p' },
    },
  },
})
const rtcB = { delivery: { media: { transport: 'rtc_b' } } }

const broken = (story: CharacterStory): readonly string[] =>
  [...saidOf([savedSession, sessionShape], story.trace)]
    .filter((one) => one.startsWith('broken'))
    .map((one) => one.slice('broken characters.session.'.length))

const stored = (body: JsonObject = video) => new CharacterStory().create('chr_1', body)

test('sessions with what was saved, and with what was sent instead, are right', () => {
  const story = stored()
    .start('chr_1', { model: 'svc-a1-stream-lite', output: { resolution: '720p' }, ...rtcB })
    .start('chr_1')
    .start('chr_1', { output: {}, delivery: {} })
    .replace('chr_1', other)
    .start('chr_1')
  expect(broken(story)).toEqual([])
})

test.each<[row: string, sent: JsonObject, change: Change]>([
  ['mode-saved', {}, put({ session: { mode: 'text_chat', active_avatar_id: 'ada' } })],
  ['model-saved', {}, model],
  ['model-overridden', { model: 'svc-a1-stream-lite' }, put({ model: 'svc-a1-stream' })],
  [
    'active-avatar-saved',
    {},
    put({ session: { mode: 'video_avatar', active_avatar_id: 'bea', source_image_id: 'side' } }),
  ],
  [
    'source-image-saved',
    {},
    put({ session: { mode: 'video_avatar', active_avatar_id: 'ada', source_image_id: 'front' } }),
  ],
  ['avatars-saved', {}, put({ avatars: [{ avatar_id: 'ada' }, { avatar_id: 'bea' }] })],
  ['source-images-saved', {}, put({ avatars: [{ avatar_id: 'ada', visual: { source_images: [face('side')] } }] })],
  ['conversation-instructions-saved', {}, put({ conversation: {} })],
  ['output-saved', {}, output('9:16', '720p')],
  ['resolution-overridden', { output: { resolution: '720p' } }, output('9:16', '480p')],
  ['aspect-ratio-kept', { output: { resolution: '720p' } }, output('16:9', '720p')],
  ['aspect-ratio-overridden', { output: { aspect_ratio: '1:1' } }, output('9:16', '480p')],
  ['resolution-kept', { output: { aspect_ratio: '1:1' } }, output('1:1', '720p')],
  ['output-both-overridden', { output: { aspect_ratio: '1:1', resolution: '720p' } }, output('9:16', '720p')],
  ['output-empty-keeps', { output: {} }, output('16:9', '480p')],
  ['transport-overridden', rtcB, transport],
  [
    'timeout-zero-saved',
    {},
    put({ auto_close: { disconnected_timeout_seconds: 120, interaction_idle_timeout_seconds: 60 } }),
  ],
  [
    'idle-timeout-saved',
    {},
    put({ auto_close: { disconnected_timeout_seconds: 0, interaction_idle_timeout_seconds: 0 } }),
  ],
  ['response-shape', {}, put({ status: 'sleeping' })],
  [
    'response-shape',
    {},
    put({ control: { url: 'wss://target.example/v1/realtime-avatar/control', client_secret: 's' } }),
  ],
  ['response-shape', {}, put({ control: { url: 'https://target.example/', client_secret: 's' } })],
  ['expires-within-saved-duration', {}, put({ expires_at: '2026-01-15T13:00:00Z' })],
])('%s is broken by what breaks it', (row, sent, change) => {
  expect(broken(stored().start('chr_1', sent, change))).toContain(row)
})

test('a saved transport is kept, and replaced by one that is sent', () => {
  const saved = stored({ ...video, ...rtcB })
  expect(broken(saved.start('chr_1', {}, transport))).toContain('delivery-saved')
  const sent = { delivery: { media: { transport: 'rtc_a' } } }
  expect(broken(stored({ ...video, ...rtcB }).start('chr_1', sent))).toEqual([])
})

test('what one start overrides is not in force for the next', () => {
  const lite = { model: 'svc-a1-stream-lite' }
  expect(broken(stored().start('chr_1', lite).start('chr_1', {}, model))).toContain('overrides-not-kept')
})

test('after a replace, what stood there before is late and anything else is wrong', () => {
  const replaced = () => stored().start('chr_1').replace('chr_1', other)
  expect(broken(replaced().start('chr_1', {}, put({ conversation: { instructions: 'Rivers.' } })))).toContain(
    'edit-applies-later',
  )
  const timers = put({ auto_close: { disconnected_timeout_seconds: 0, interaction_idle_timeout_seconds: 60 } })
  expect(broken(replaced().start('chr_1', {}, timers))).toContain('auto-close-applies-later')
  const lost = put({ conversation: {} })
  expect(broken(replaced().start('chr_1', {}, lost))).toContain('conversation-instructions-saved')
})

test('a start that was sent again with its key tells of the first one', () => {
  const again = { idempotency_key: 'k' }
  const story = stored().start('chr_1', again).replace('chr_1', other)
  expect(broken(story.start('chr_1', again, put({ conversation: { instructions: 'Rivers.' } })))).toEqual([])
})

test('what must not be sent has claims of its own', () => {
  const sent = { conversation: { instructions: 'Seas.' } }
  expect(broken(stored().start('chr_1', sent, put({ conversation: { instructions: 'Seas.' } })))).toEqual([])
})

test('an image that is kept elsewhere may be kept in another format; one at the same address has the type that was saved', () => {
  const kept = (url: string) => (data: JsonObject) => ({
    ...data,
    avatars: [
      {
        avatar_id: 'ada',
        visual: {
          source_images: ['front', 'side'].map((id) => ({ ...face(id), url, media_type: 'image/webp' })),
          default_source_image_id: 'front',
        },
      },
    ],
  })
  expect(broken(stored().start('chr_1', {}, kept('https://cdn.example/1.webp')))).toEqual([])
  expect(broken(stored().start('chr_1', {}, kept('https://m.example/a.png')))).toEqual(['source-images-saved'])
})
