import type { CreateRow } from './rows.ts'
import type { Faulty } from './refusal.ts'

const outputRefusals: readonly Faulty[] = [
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
    coded: ['errors.code-30004.output-unsupported'],
    change: { set: { '/output/resolution': '1080p' } },
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

const incomplete: readonly CreateRow[] = ['errors.code-30004.source-image-incomplete']

/** Faults of avatars that are not the active one count as well: they stand in the midst of the avatars and of its images. */
const bystander = '/avatars/1/visual/source_images/1'

const imageRefusals: readonly Faulty[] = [
  {
    rows: ['avatar-sessions.avatars.visual-missing-rejected'],
    change: { drop: ['/avatars/0/visual'] },
  },
  {
    rows: ['avatar-sessions.avatars.source-image-url-missing-rejected'],
    coded: incomplete,
    change: { drop: ['/avatars/0/visual/source_images/0/url'] },
  },
  {
    // The image that the session is to show has no URL, another one has.
    rows: ['avatar-sessions.avatars.source-image-url-missing-rejected'],
    on: 'explicit-image',
    change: { drop: ['/avatars/0/visual/source_images/1/url'] },
  },
  {
    rows: ['avatar-sessions.avatars.source-image-id-missing-rejected'],
    coded: incomplete,
    on: 'explicit-image',
    change: { drop: [`${bystander}/source_image_id`] },
  },
  {
    rows: ['avatar-sessions.avatars.source-image-id-duplicate-rejected'],
    on: 'explicit-image',
    change: { set: { [`${bystander}/source_image_id`]: 'front' } },
  },
  {
    rows: ['avatar-sessions.avatars.media-type-missing-rejected'],
    coded: incomplete,
    on: 'explicit-image',
    change: { drop: [`${bystander}/media_type`] },
  },
  {
    rows: ['avatar-sessions.avatars.media-type-not-image-rejected'],
    on: 'explicit-image',
    change: { set: { [`${bystander}/media_type`]: 'x-image/png' } },
  },
]

const unresolved: readonly CreateRow[] = ['errors.code-30004.source-image-unresolvable']
const unknown: readonly CreateRow[] = ['errors.code-30004.source-image-unknown']

/** What leads to no image, by the rules of 4.1. */
const resolutionRefusals: readonly Faulty[] = [
  {
    rows: ['avatar-sessions.create.source-images-empty-rejected'],
    coded: unresolved,
    change: { set: { '/avatars/0/visual/source_images': [] } },
  },
  {
    rows: ['avatar-sessions.create.source-image-unresolvable-rejected'],
    coded: unresolved,
    on: 'explicit-image',
    change: { drop: ['/session/source_image_id', '/avatars/0/visual/default_source_image_id'] },
  },
  {
    // Another avatar has an image of that name.
    rows: ['avatar-sessions.create.default-source-image-unknown-rejected'],
    on: 'explicit-image',
    change: { set: { '/avatars/0/visual/default_source_image_id': 'back' }, drop: ['/session/source_image_id'] },
  },
  {
    rows: ['avatar-sessions.create.source-image-unknown-rejected'],
    coded: unknown,
    on: 'explicit-image',
    // Not the image `side`: ids are the caller's own, to the letter.
    change: { set: { '/session/source_image_id': 'Side' } },
  },
  {
    rows: ['avatar-sessions.create.source-image-of-other-avatar-rejected'],
    coded: unknown,
    on: 'explicit-image',
    change: { set: { '/session/source_image_id': 'back' } },
  },
]

const lacking = (field: string, row: CreateRow): Faulty => ({
  rows: [row],
  coded: ['errors.code-30004.avatar-voice-incomplete'],
  on: 'voice-quick',
  change: { drop: [`/avatars/1/voice/${field}`] },
})

const speed = (value: number, row: CreateRow): Faulty => ({
  rows: [row, 'avatar-sessions.avatars.voice-speed-out-of-range-rejected'],
  on: 'voice-quick',
  change: { set: { '/avatars/1/voice/speed': value } },
})

const voiceRefusals: readonly Faulty[] = [
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
]

/** Faults that are tried in text, too. */
const eitherRefusals: readonly Faulty[] = [
  {
    rows: [
      'avatar-sessions.avatars.avatar-id-duplicate-rejected',
      'avatar-sessions.create.avatars-duplicate-id-rejected',
    ],
    on: 'explicit-image',
    // Not side by side.
    change: { set: { '/avatars/2/avatar_id': 'ada' } },
  },
  {
    rows: ['avatar-sessions.create.active-avatar-ambiguous-rejected'],
    on: 'gallery',
    change: { drop: ['/session/active_avatar_id'] },
  },
  {
    rows: ['avatar-sessions.create.recording-unknown-rejected'],
    on: 'recorded',
    change: { set: { '/recording_mode': 'sometimes' } },
  },
  {
    rows: ['avatar-sessions.create.disconnected-timeout-out-of-range-rejected'],
    on: 'disconnected',
    change: { set: { '/auto_close/disconnected_timeout_seconds': 9 } },
  },
]

/** Faults of a `video_avatar` create. */
export const videoRefusals: readonly Faulty[] = [
  ...outputRefusals,
  ...imageRefusals,
  ...resolutionRefusals,
  ...voiceRefusals,
  ...eitherRefusals,
]
