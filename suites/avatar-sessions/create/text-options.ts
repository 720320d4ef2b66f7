import type { Profile } from '#spec/profile'
import { fullInstructions, fullText, portrait, sourceImage } from '#scenario/author/bodies'
import { assetOptions } from './asset-options.ts'
import type { CreateOption } from './bundle.ts'
import { longAvatarId, namesakes, oddAvatarId } from './odd-ids.ts'

/** What a `text_chat` create may carry, in two packs: where two values exclude each other, each has one. */
export function firstTextOptions(profile: Profile): readonly CreateOption[] {
  return [...sessionOptions, ...conversationOptions, ...assetOptions(profile)]
}

export function secondTextOptions(profile: Profile): readonly CreateOption[] {
  const lite: CreateOption = {
    id: 'model-lite',
    rows: ['avatar-sessions.create.model-lite-accepted'],
    change: { set: { '/model': 'svc-a1-stream-lite' } },
  }
  return [
    ...(profile.abilities?.lite_model === false ? [] : [lite]),
    ...otherOptions,
    oddAvatarId,
    longAvatarId,
    namesakes,
    voiceOption,
    ...imageOptions(profile),
  ]
}

/** 4.1 and 2.5: what a create with both switched off asks for. */
const sessionOptions: readonly CreateOption[] = [
  {
    id: 'several-avatars',
    rows: ['avatar-sessions.create.avatars-several-accepted'],
    change: {
      set: {
        '/avatars/0/instructions': fullText('You are Ada.'),
        '/session/active_avatar_id': 'ben',
      },
      add: { '/avatars': [{ avatar_id: 'ben' }, { avatar_id: 'dan' }] },
    },
  },
  {
    id: 'region',
    rows: ['avatar-sessions.create.region-unknown-accepted'],
    change: { set: { '/region': 'nowhere-9' } },
    mayBeRefused: true,
  },
  {
    id: 'recording-on',
    rows: ['avatar-sessions.create.recording-on-accepted'],
    change: { set: { '/recording_mode': 'on' } },
    optional: true,
  },
  {
    id: 'output',
    rows: ['avatar-sessions.create.output-ignored-in-text-chat'],
    change: { set: { '/output': { aspect_ratio: '16:9', resolution: '720p' } } },
  },
  {
    id: 'transport',
    rows: ['avatar-sessions.create.transport-unused-in-text-chat'],
    change: { set: { '/delivery/media/transport': 'rtc_a' } },
  },
  {
    id: 'disconnected-10',
    rows: ['limits.disconnected-timeout.10-accepted'],
    change: { set: { '/auto_close/disconnected_timeout_seconds': 10 } },
  },
  {
    id: 'idle-30',
    rows: ['limits.interaction-idle-timeout.30-accepted'],
    change: { set: { '/auto_close/interaction_idle_timeout_seconds': 30 } },
  },
]

const lookup = {
  type: 'function',
  name: 'look_up_order',
  description: fullText('Finds an order by its number.'),
  parameters: {
    type: 'object',
    properties: {
      orderNumber: { type: 'string' },
      parts: { type: 'array', items: { type: 'string', enum: ['status', 'price'] }, minItems: 0 },
      archived: { type: 'boolean', default: false },
    },
    required: ['orderNumber'],
  },
}

/** Whoever keeps all of the first tool alone loses this; a parameter may be described as well. */
const turn = {
  type: 'function',
  name: 'turn_page',
  description: 'Turns pages.',
  parameters: { type: 'object', properties: { by: { type: 'integer', description: 'How many.' } } },
}

const named = (name: string) => ({ type: 'function', name })

const conversationOptions: readonly CreateOption[] = [
  {
    id: 'conversation',
    rows: ['avatar-sessions.conversation.max-output-tokens-accepted'],
    change: {
      set: {
        '/conversation/instructions': fullText('Answer in one sentence.'),
        '/conversation/response_defaults/max_output_tokens': 300,
        '/conversation/input_audio_transcription/enabled': false,
      },
    },
  },
  {
    // How long they may be is not said.
    id: 'instructions-long',
    rows: [],
    change: { set: { '/avatars/0/instructions': fullInstructions, '/conversation/instructions': fullInstructions } },
    mayBeRefused: true,
  },
  {
    id: 'tool',
    rows: ['avatar-sessions.conversation.tool-full-accepted'],
    change: { add: { '/conversation/tools': [lookup, turn, named('play_music')] } },
  },
  {
    id: 'tool-minimal',
    rows: ['avatar-sessions.conversation.tool-minimal-accepted'],
    change: { set: { '/conversation/tools/-': { type: 'function', name: 'hang_up' } } },
  },
  {
    id: 'temperature-0',
    rows: ['limits.temperature.0-accepted'],
    change: { set: { '/conversation/response_defaults/temperature': 0 } },
  },
  {
    id: 'manual',
    rows: ['avatar-sessions.conversation.turn-detection-manual-accepted'],
    change: { set: { '/conversation/turn_detection/type': 'manual' } },
  },
  {
    id: 'language-tag',
    rows: ['avatar-sessions.conversation.transcription-language-tag-accepted'],
    change: { set: { '/conversation/input_audio_transcription/language': 'en-US' } },
    optional: true,
  },
]

const otherOptions: readonly CreateOption[] = [
  {
    id: 'tools-empty',
    rows: ['avatar-sessions.conversation.tools-empty-accepted'],
    change: { set: { '/conversation/tools': [] } },
  },
  {
    // Ids in capitals are others.
    id: 'capitals',
    rows: ['avatar-sessions.create.avatars-several-accepted'],
    change: { set: { '/avatars/-': { avatar_id: 'ADA' }, '/session/active_avatar_id': 'ada' } },
  },
  {
    id: 'recording-off',
    rows: ['avatar-sessions.create.recording-off-accepted'],
    change: { set: { '/recording_mode': 'off' } },
  },
  {
    id: 'disconnected-equal',
    rows: ['limits.disconnected-timeout.equal-to-duration-accepted'],
    change: { set: { '/max_duration_seconds': 60, '/auto_close/disconnected_timeout_seconds': 60 } },
  },
  {
    id: 'idle-equal',
    rows: ['limits.interaction-idle-timeout.equal-to-duration-accepted'],
    change: { set: { '/max_duration_seconds': 60, '/auto_close/interaction_idle_timeout_seconds': 60 } },
  },
  {
    id: 'temperature-2',
    rows: ['limits.temperature.2-accepted'],
    change: { set: { '/conversation/response_defaults/temperature': 2 } },
  },
  {
    id: 'server-vad',
    rows: ['avatar-sessions.conversation.turn-detection-server-vad-accepted'],
    change: { set: { '/conversation/turn_detection/type': 'server_vad' } },
    optional: true,
  },
  {
    id: 'language-auto',
    rows: ['avatar-sessions.conversation.transcription-language-auto-accepted'],
    change: {
      set: { '/conversation/input_audio_transcription': { enabled: true, language: 'auto' } },
    },
    optional: true,
  },
  {
    // Echoed letter by letter.
    id: 'region-odd',
    rows: [],
    change: { set: { '/region': `Île-de-France 東, ${'beyond the river, '.repeat(4)}north` } },
    mayBeRefused: true,
  },
  {
    id: 'output-unsupported',
    rows: ['avatar-sessions.create.output-unsupported-ignored-in-text-chat'],
    change: { set: { '/output': { aspect_ratio: 'wide', resolution: '9000p' } } },
    mayBeRefused: true,
  },
]

const voice = {
  provider: 'builtin-audio-3.0-tts-flash_ws',
  provider_voice_id: 'narrator',
  model: 'builtin-audio-3.0-tts-flash',
  speed: 1.05,
}

/** Which provider voices exist is not shown. */
const voiceOption: CreateOption = {
  id: 'voices',
  rows: [],
  change: {
    set: { '/session/active_avatar_id': 'ada' },
    add: { '/avatars': ['voiced', 'heard', 'loud'].map((avatar_id) => ({ avatar_id, voice })) },
  },
  mayBeRefused: true,
}

function imageOptions(profile: Profile): readonly CreateOption[] {
  const visual = { source_images: [sourceImage(profile, 'face')], default_source_image_id: 'face' }
  return [
    {
      id: 'image',
      rows: [],
      change: { set: { '/avatars/0/visual': visual, '/session/source_image_id': 'face' } },
      mayBeRefused: !portrait(profile).given,
    },
    {
      id: 'image-without-url',
      rows: ['avatar-sessions.avatars.url-unneeded-in-text-chat'],
      change: {
        set: { '/avatars/0/visual/source_images/-': { source_image_id: 'sketch', media_type: 'image/png' } },
      },
      mayBeRefused: true,
    },
  ]
}
