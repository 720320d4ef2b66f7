import type { Profile } from '#spec/profile'
import { recording, smallOutput, sourceImage } from '#scenario/author/bodies'
import type { Faulty } from './refusal.ts'

/** Faults of a create that show in `text_chat` as well as in video. */
export function textRefusals(profile: Profile): readonly Faulty[] {
  return [
    ...basicRefusals(profile),
    ...avatarRefusals,
    ...assetRefusals(profile),
    ...conversationRefusals,
    ...voiceRefusals,
  ]
}

const duplicates = [
  'avatar-sessions.avatars.avatar-id-duplicate-rejected',
  'avatar-sessions.create.avatars-duplicate-id-rejected',
] as const

function basicRefusals(profile: Profile): readonly Faulty[] {
  return [
    {
      rows: ['avatar-sessions.create.model-unknown-rejected'],
      coded: ['errors.code-30004.model-unsupported'],
      // No key was granted a model that there is none of.
      codes: [30004, 10009],
      change: { set: { '/model': 'svc-a1-stream-pro' } },
    },
    {
      // A model of the service, but of its other product.
      rows: ['avatar-sessions.create.model-unknown-rejected'],
      change: { set: { '/model': 'svc-w1-stream' } },
      inVideo: 'video',
    },
    {
      // Complete for either mode, so that only the mode is at fault; in video the positive control is, too.
      rows: ['avatar-sessions.create.mode-unknown-rejected'],
      coded: ['errors.code-30004.mode-unknown'],
      change: {
        set: {
          '/session/mode': 'audio_chat',
          '/output': smallOutput(profile),
          '/avatars/0/visual': { source_images: [sourceImage(profile, 'face')] },
        },
      },
      inVideo: 'video',
    },
    {
      rows: ['avatar-sessions.create.avatars-missing-rejected'],
      coded: ['errors.code-30004.avatars-missing'],
      change: { drop: ['/avatars'] },
    },
    {
      rows: ['avatar-sessions.create.recording-unknown-rejected'],
      on: 'recording-on',
      change: { set: { '/recording_mode': 'sometimes' } },
    },
  ]
}

/** The avatar at fault stands between two that are whole, of which the first is active. */
const avatarRefusals: readonly Faulty[] = [
  {
    rows: ['avatar-sessions.avatars.avatar-id-missing-rejected'],
    coded: ['errors.code-30004.avatar-id-missing'],
    on: 'several-avatars',
    change: { set: { '/session/active_avatar_id': 'ada', '/avatars/1': { instructions: 'You have no id.' } } },
    inVideo: 'explicit-image',
  },
  {
    rows: ['avatar-sessions.avatars.avatar-id-empty-rejected'],
    coded: ['errors.code-30004.avatar-id-empty'],
    on: 'several-avatars',
    change: { set: { '/session/active_avatar_id': 'ada', '/avatars/1/avatar_id': '' } },
  },
  {
    rows: duplicates,
    coded: ['errors.code-30004.avatar-id-duplicate'],
    on: 'several-avatars',
    change: { set: { '/avatars/-': { avatar_id: 'ada', instructions: 'You are another Ada.' } } },
  },
  {
    rows: ['avatar-sessions.create.active-avatar-ambiguous-rejected'],
    coded: ['errors.code-30004.active-avatar-ambiguous'],
    on: 'several-avatars',
    change: { drop: ['/session/active_avatar_id'] },
  },
  {
    rows: ['avatar-sessions.create.active-avatar-unknown-rejected'],
    coded: ['errors.code-30004.active-avatar-unknown'],
    on: 'several-avatars',
    change: { set: { '/session/active_avatar_id': 'nobody' } },
    inVideo: 'gallery',
  },
  {
    // With one avatar the id could be taken for a needless one; and it is another one than that of the avatar.
    rows: ['avatar-sessions.create.active-avatar-unknown-rejected'],
    coded: ['errors.code-30004.active-avatar-unknown'],
    change: { set: { '/session/active_avatar_id': 'Ada' } },
  },
]

/** A faulty item stands behind one that is whole. */
const textAssetRefusals: readonly Faulty[] = [
  {
    rows: ['avatar-sessions.assets.visual-prompt-text-field-rejected'],
    on: 'visual-prompt',
    change: { set: { '/assets/visual_prompts/1': { asset_id: 'bow', text: 'Bow once.' } } },
  },
  {
    rows: ['avatar-sessions.assets.speech-text-missing-rejected'],
    on: 'speech-text',
    change: { set: { '/assets/speech_text/1': { asset_id: 'wordless' } } },
    inVideo: 'texts',
  },
  {
    rows: ['avatar-sessions.assets.id-missing-rejected'],
    on: 'speech-text',
    change: { set: { '/assets/speech_text/1': { text: 'Good evening.' } } },
  },
]

function assetRefusals(profile: Profile): readonly Faulty[] {
  const { url } = recording(profile)
  const spoken = { text: 'Good evening.' }
  return [
    {
      rows: ['avatar-sessions.assets.duplicate-within-array-rejected'],
      on: 'speech-text',
      change: { set: { '/assets/speech_text/-': { asset_id: 'greeting', ...spoken } } },
    },
    {
      rows: ['avatar-sessions.assets.duplicate-within-array-rejected'],
      on: 'audio',
      change: { set: { '/assets/audio/-': { asset_id: 'jingle', url } } },
    },
    {
      rows: ['avatar-sessions.assets.duplicate-speech-text-visual-prompts-rejected'],
      on: 'visual-prompt',
      change: { set: { '/assets/speech_text/-': { asset_id: 'nod', ...spoken } } },
    },
    {
      rows: ['avatar-sessions.assets.duplicate-audio-speech-text-rejected'],
      on: 'audio',
      change: { set: { '/assets/speech_text/-': { asset_id: 'jingle', ...spoken } } },
    },
    {
      rows: ['avatar-sessions.assets.duplicate-audio-visual-prompts-rejected'],
      on: 'audio',
      change: { set: { '/assets/visual_prompts/-': { asset_id: 'jingle', prompt: 'Smile.' } } },
    },
    {
      rows: ['avatar-sessions.assets.audio-mime-type-unknown-rejected'],
      on: 'audio',
      change: { set: { '/assets/audio/1/mime_type': 'audio/midi' } },
    },
    {
      rows: ['avatar-sessions.assets.audio-url-not-https-rejected'],
      on: 'audio',
      change: { set: { '/assets/audio/1/url': url.replace(/^https:/i, 'http:') } },
    },
    {
      rows: ['avatar-sessions.assets.audio-url-missing-rejected'],
      on: 'audio',
      change: { set: { '/assets/audio/1': { asset_id: 'silence' } } },
    },
    ...textAssetRefusals,
  ]
}

/** A faulty tool stands between two that are whole. */
const conversationRefusals: readonly Faulty[] = [
  {
    rows: ['avatar-sessions.conversation.tool-type-missing-rejected'],
    on: 'tool',
    change: { set: { '/conversation/tools/1': { name: 'hang_up' } } },
  },
  {
    rows: ['avatar-sessions.conversation.tool-name-missing-rejected'],
    on: 'tool',
    change: { set: { '/conversation/tools/1': { type: 'function' } } },
    inVideo: 'tools',
  },
  {
    rows: ['avatar-sessions.conversation.tool-type-unknown-rejected'],
    on: 'tool',
    change: { set: { '/conversation/tools/1': { type: 'mcp', name: 'hang_up' } } },
  },
  {
    rows: ['avatar-sessions.conversation.turn-detection-unknown-rejected'],
    on: 'manual',
    change: { set: { '/conversation/turn_detection/type': 'telepathy' } },
  },
  {
    rows: ['avatar-sessions.conversation.temperature-out-of-range-rejected', 'limits.temperature.below-0-rejected'],
    on: 'temperature-0',
    change: { set: { '/conversation/response_defaults/temperature': -0.01 } },
  },
  {
    rows: ['avatar-sessions.conversation.temperature-out-of-range-rejected', 'limits.temperature.above-2-rejected'],
    on: 'temperature-2',
    change: { set: { '/conversation/response_defaults/temperature': 2.01 } },
    inVideo: 'temperature',
  },
]

/** Two of the faults of voices that are tried in video otherwise. */
const voiceRefusals: readonly Faulty[] = [
  {
    rows: ['avatar-sessions.avatars.voice-provider-missing-rejected'],
    coded: ['errors.code-30004.avatar-voice-incomplete'],
    on: 'voices',
    change: { drop: ['/avatars/2/voice/provider'] },
  },
  {
    rows: [
      'limits.avatar-voice-speed.above-maximum-rejected',
      'avatar-sessions.avatars.voice-speed-out-of-range-rejected',
    ],
    on: 'voices',
    change: { set: { '/avatars/2/voice/speed': 1.21 } },
  },
]
