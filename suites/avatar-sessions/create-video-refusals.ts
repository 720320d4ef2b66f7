import type { Profile } from '../../src/law/profile.ts'
import type { RequirementId } from '../../src/law/register.ts'
import type { Json } from '../../src/trace/json.ts'
import { sourceImage } from './bodies.ts'
import type { Refusal } from './create-refusal.ts'

/** Faults of a `video_avatar` create. */
export function videoRefusals(profile: Profile): readonly Refusal[] {
  return [...outputRefusals, ...imageRefusals(profile), ...resolutionRefusals(profile), ...voiceRefusals]
}

const outputRefusals: readonly Refusal[] = [
  {
    rows: ['avatar-sessions.create.output-missing-rejected'],
    change: { drop: ['/output'] },
  },
  {
    rows: ['avatar-sessions.create.output-missing-default-mode-rejected'],
    on: 'default-mode',
    change: { drop: ['/output'] },
  },
  {
    rows: ['avatar-sessions.create.resolution-unknown-rejected'],
    code: ['errors.code-30004.output-unsupported'],
    change: { set: { '/output/resolution': '9000p' } },
  },
  {
    rows: ['avatar-sessions.create.aspect-ratio-nonsense-rejected'],
    change: { set: { '/output/aspect_ratio': 'wide' } },
  },
  {
    rows: ['avatar-sessions.create.transport-unknown-rejected'],
    on: 'rtc-a',
    change: { set: { '/delivery/media/transport': 'rtc_z' } },
  },
]

const incomplete: readonly RequirementId[] = ['errors.code-30004.source-image-incomplete']

/** A faulty image stands behind the one that the session shows. */
function imageRefusals(profile: Profile): readonly Refusal[] {
  const image = sourceImage(profile, 'side')
  const second = '/avatars/0/visual/source_images/1'
  return [
    {
      rows: ['avatar-sessions.avatars.visual-missing-rejected'],
      change: { drop: ['/avatars/0/visual'] },
    },
    {
      rows: ['avatar-sessions.avatars.source-image-url-missing-rejected'],
      code: incomplete,
      change: { drop: ['/avatars/0/visual/source_images/0/url'] },
    },
    {
      // The image that the session is to show has no URL, another one has.
      rows: ['avatar-sessions.avatars.source-image-url-missing-rejected'],
      on: 'explicit-image',
      change: { drop: [`${second}/url`] },
    },
    {
      rows: ['avatar-sessions.avatars.source-image-id-missing-rejected'],
      code: incomplete,
      on: 'explicit-image',
      change: { set: { '/session/source_image_id': 'face' }, drop: [`${second}/source_image_id`] },
    },
    {
      rows: ['avatar-sessions.avatars.source-image-id-duplicate-rejected'],
      on: 'explicit-image',
      change: { set: { '/avatars/0/visual/source_images/-': { ...image, source_image_id: 'face' } } },
    },
    {
      rows: ['avatar-sessions.avatars.media-type-missing-rejected'],
      code: incomplete,
      on: 'explicit-image',
      change: { set: { '/session/source_image_id': 'face' }, drop: [`${second}/media_type`] },
    },
    {
      rows: ['avatar-sessions.avatars.media-type-not-image-rejected'],
      on: 'explicit-image',
      change: { set: { '/session/source_image_id': 'face', [`${second}/media_type`]: 'x-image/png' } },
    },
  ]
}

/** What leads to no image, by the rules of 4.1. */
function resolutionRefusals(profile: Profile): readonly Refusal[] {
  const other: Json = { avatar_id: 'ben', visual: { source_images: [sourceImage(profile, 'back')] } }
  const unresolved: readonly RequirementId[] = ['errors.code-30004.source-image-unresolvable']
  const unknown: readonly RequirementId[] = ['errors.code-30004.source-image-unknown']
  return [
    {
      rows: ['avatar-sessions.create.source-images-empty-rejected'],
      code: unresolved,
      change: { set: { '/avatars/0/visual/source_images': [] } },
    },
    {
      rows: ['avatar-sessions.create.source-image-unresolvable-rejected'],
      code: unresolved,
      on: 'explicit-image',
      change: { drop: ['/session/source_image_id', '/avatars/0/visual/default_source_image_id'] },
    },
    {
      rows: ['avatar-sessions.create.default-source-image-unknown-rejected'],
      on: 'explicit-image',
      change: { set: { '/avatars/0/visual/default_source_image_id': 'nothing' }, drop: ['/session/source_image_id'] },
    },
    {
      rows: ['avatar-sessions.create.source-image-unknown-rejected'],
      code: unknown,
      on: 'explicit-image',
      change: { set: { '/session/source_image_id': 'nothing' } },
    },
    {
      rows: ['avatar-sessions.create.source-image-of-other-avatar-rejected'],
      code: unknown,
      on: 'explicit-image',
      change: { set: { '/avatars/-': other, '/session/source_image_id': 'back' } },
    },
  ]
}

const lacking = (field: string, row: RequirementId): Refusal => ({
  rows: [row],
  code: ['errors.code-30004.avatar-voice-incomplete'],
  on: 'voice-quick',
  change: { drop: [`/avatars/1/voice/${field}`] },
})

const speed = (value: number, row: RequirementId): Refusal => ({
  rows: [row, 'avatar-sessions.avatars.voice-speed-out-of-range-rejected'],
  on: 'voice-quick',
  change: { set: { '/avatars/1/voice/speed': value } },
})

const voiceRefusals: readonly Refusal[] = [
  lacking('provider', 'avatar-sessions.avatars.voice-provider-missing-rejected'),
  lacking('provider_voice_id', 'avatar-sessions.avatars.voice-provider-voice-id-missing-rejected'),
  lacking('model', 'avatar-sessions.avatars.voice-model-missing-rejected'),
  {
    rows: [
      'avatar-sessions.avatars.voice-provider-voice-id-missing-rejected',
      'avatar-sessions.avatars.voice-model-missing-rejected',
    ],
    on: 'voice-quick',
    change: { drop: ['/avatars/1/voice/provider_voice_id', '/avatars/1/voice/model'] },
  },
  speed(0, 'limits.avatar-voice-speed.below-minimum-rejected'),
  speed(0.69, 'limits.avatar-voice-speed.below-minimum-rejected'),
  speed(1.21, 'limits.avatar-voice-speed.above-maximum-rejected'),
]
