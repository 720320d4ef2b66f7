import { expect, test } from 'vitest'
import { always, drop, having, holding, idOf, lacking, runCreates, set, type Turn } from '#testing/creates'
import { changed } from '../change.ts'

/** Words that only one of the answers holds. */
const rich = 'nowhere-9'
const gallery = 'cleo'
const explicit = 'voice-slow'

const url = (make: (id: string) => string): Turn => {
  return (data) => changed(data, set('/control/url', make(idOf(data))))
}
const path = 'wss://t.example/v1/realtime-avatar/control'

test.each<[string, Turn, string[]]>([
  ['an empty id', always(set('/session_id', '')), ['session.id-nonempty']],
  ['a status outside the set', always(set('/status', 'ready')), ['session.status-in-set']],
  ['no policy', always(drop('/auto_close')), ['session.auto-close-object']],
  [
    'seconds in words',
    always(set('/auto_close/disconnected_timeout_seconds', 'ten')),
    ['session.disconnected-timeout-integer'],
  ],
  [
    'negative seconds',
    always(set('/auto_close/interaction_idle_timeout_seconds', -1)),
    ['session.idle-timeout-integer'],
  ],
  [
    'another timeout',
    holding(rich, set('/auto_close/disconnected_timeout_seconds', 11)),
    ['session.disconnected-timeout-effective', 'session.disconnected-timeout-unchanged'],
  ],
  [
    'another idle timeout',
    holding(rich, set('/auto_close/interaction_idle_timeout_seconds', 60)),
    ['session.idle-timeout-effective', 'session.idle-timeout-unchanged'],
  ],
  ['a region that is no text', always(set('/region', null)), ['session.region-string']],
  ['another region', always(set('/region', 'eu-2')), ['create.region-echoed', 'session.region-echoed']],
  ['another model', always(set('/model', 'svc-a1-stream')), ['session.model-echoed']],
  ['an expiry of null', always(set('/expires_at', null)), ['session.expires-at-timestamp']],
  ['an expiry in the past', always(set('/expires_at', '2026-01-15T11:00:00Z')), ['session.expires-at-in-future']],
])('%s: its own rows are broken', (_, turn, rows) => {
  expect([...runCreates(turn).broken].toSorted()).toEqual(rows)
})

test.each<[string, Turn, string[]]>([
  ['a mode outside the set', always(set('/session/mode', 'voice')), ['session.mode-in-set']],
  ['the first avatar as active', always(set('/session/active_avatar_id', 'ada')), ['create.active-avatar-explicit']],
  [
    'an active avatar that is none',
    always(set('/session/active_avatar_id', 'zed')),
    ['create.active-avatar-explicit', 'create.active-avatar-sole', 'session.active-avatar-among-avatars'],
  ],
  ['no image in video', having('delivery', drop('/session/source_image_id')), ['session.source-image-id-in-video']],
  [
    'an image in text',
    lacking('delivery', set('/session/source_image_id', null)),
    ['create.source-image-omitted-in-text-chat', 'session.source-image-id-omitted-in-text-chat'],
  ],
  [
    'the image of another avatar',
    holding(gallery, set('/session/source_image_id', 'face')),
    ['create.source-image-of-active-avatar'],
  ],
  [
    'the first image in place of the default',
    holding(gallery, set('/session/source_image_id', 'left')),
    ['avatars.default-source-image-selects', 'create.source-image-default'],
  ],
  [
    'the default in place of the explicit image',
    holding(explicit, set('/session/source_image_id', 'face')),
    ['create.source-image-explicit'],
  ],
])('%s: its own rows are broken', (_, turn, rows) => {
  expect([...runCreates(turn).broken].toSorted()).toEqual(rows)
})

test.each<[string, Turn, string[]]>([
  ['no scheme', url((id) => `/v1/realtime-avatar/control?session_id=${id}`), ['control.url-absolute-wss']],
  ['no TLS', url((id) => `${path.replace('wss', 'ws')}?session_id=${id}`), ['control.url-absolute-wss']],
  ['another path', url((id) => `wss://t.example/v2/control?session_id=${id}`), ['control.url-path']],
  ['no session', url(() => path), ['control.url-session-id-parameter']],
  ['another session', url(() => `${path}?session_id=x`), ['control.url-session-id-value']],
  ['a token', url((id) => `${path}?session_id=${id}&token=x`), ['control.url-without-token']],
  [
    'the secret',
    (data) =>
      changed(data, {
        set: {
          '/control/client_secret': 's3cret',
          '/control/url': `${path}?session_id=${idOf(data)}&k=s3cret`,
        },
      }),
    ['control.url-without-token'],
  ],
  ['no secret beside it', always(set('/control/client_secret', '')), ['control.client-secret-nonempty']],
])('a control URL with %s: its own row is broken', (_, turn, rows) => {
  expect([...runCreates(turn).broken].toSorted()).toEqual(rows)
})

test.each<[string, Turn, string[]]>([
  ['no assets', always(drop('/assets')), ['assets.returned']],
  ['assets of null', having('assets', set('/assets', null)), ['assets.arrays']],
  [
    'a visual prompt under another name',
    holding(rich, set('/assets/visual_prompts/0', { asset_id: 'nod', text: 'Nod slowly.' })),
    ['assets.visual-prompts-echoed'],
  ],
  ['no conversation', always(drop('/conversation')), ['conversation.object']],
  ['no instructions', always(drop('/conversation/instructions')), ['conversation.instructions-echoed']],
  [
    'a tool by its name only',
    holding(rich, set('/conversation/tools/0', { type: 'function', name: 'look_up_order' })),
    ['conversation.tools-echoed'],
  ],
  [
    'a temperature of 0 left out',
    holding(rich, drop('/conversation/response_defaults/temperature')),
    ['conversation.temperature-echoed'],
  ],
  [
    'transcription switched on',
    holding(rich, set('/conversation/input_audio_transcription/enabled', true)),
    ['conversation.transcription-enabled-echoed'],
  ],
  [
    'a list of tools that is null, where none were sent',
    lacking('assets', set('/conversation/tools', null)),
    ['conversation.object'],
  ],
])('%s: its own row is broken', (_, turn, rows) => {
  expect([...runCreates(turn).broken].toSorted()).toEqual(rows)
})

test.each<[string, Turn, string[]]>([
  ['no avatars', always(set('/avatars', [])), ['avatars.array']],
  ['one avatar only', holding(rich, set('/avatars', [{ avatar_id: 'ben' }])), ['avatars.ids-echoed']],
  ['no instructions', always(drop('/avatars/0/instructions')), ['avatars.instructions-echoed']],
  ['a voice without its speed', holding(explicit, drop('/avatars/5/voice/speed')), ['avatars.voice-echoed']],
  ['an image left out', holding(gallery, drop('/avatars/3/visual/source_images/0')), ['avatars.source-images-echoed']],
  [
    'images without their type',
    having('output', drop('/avatars/0/visual/source_images/0/media_type')),
    ['avatars.source-image-media-type-echoed'],
  ],
  [
    'an image without an address',
    having('output', set('/avatars/0/visual/source_images/0/url', 'x.png')),
    ['avatars.source-image-url-echoed'],
  ],
  [
    'a description left out',
    holding(gallery, drop('/avatars/3/visual/source_images/1/description')),
    ['avatars.source-image-description-echoed'],
  ],
  [
    'a default left out',
    holding(gallery, drop('/avatars/3/visual/default_source_image_id')),
    ['avatars.default-source-image-id-echoed'],
  ],
  [
    'visual instructions left out',
    holding(gallery, drop('/avatars/3/visual/instructions')),
    ['avatars.visual-instructions-echoed'],
  ],
])('avatars with %s: their own row is broken', (_, turn, rows) => {
  expect([...runCreates(turn).broken].toSorted()).toEqual(rows)
})
