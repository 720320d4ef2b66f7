import type { Profile } from '#spec/profile'
import type { Json } from '#trace/json'
import { fullText, portrait, sourceImage } from '#scenario/author/bodies'
import type { Change } from '../change.ts'
import type { Spare } from './minimal.ts'
import type { CreateOption } from './bundle.ts'

/** What the minimal video create leaves out. */
export const videoSpares: readonly Spare[] = [
  {
    rows: ['avatar-sessions.avatars.source-image-description-optional'],
    change: { set: { '/avatars/0/visual/source_images/0/description': 'A face, seen from the front.' } },
  },
  {
    rows: ['avatar-sessions.avatars.default-source-image-optional'],
    change: { set: { '/avatars/0/visual/default_source_image_id': 'face' } },
  },
  {
    rows: ['avatar-sessions.create.source-image-sole'],
    change: { set: { '/session': { mode: 'video_avatar', source_image_id: 'face' } } },
  },
  {
    rows: ['avatar-sessions.create.mode-default-session-omitted'],
    change: { set: { '/session/mode': 'video_avatar' } },
  },
  {
    rows: ['avatar-sessions.create.transport-default'],
    change: { set: { '/delivery/media/transport': 'rtc_a' } },
  },
  {
    rows: ['avatar-sessions.create.resolution-480p-accepted'],
    change: { set: { '/output/resolution': '720p' } },
    optional: true,
  },
  {
    // "For example" (4.1): no ratio is promised.
    rows: ['avatar-sessions.create.aspect-ratio-9-16-accepted'],
    change: { set: { '/output/aspect_ratio': '16:9' } },
    optional: true,
  },
]

/** What the gallery takes and echoes in video as in text, and the output that it asks for. */
const galleryLimits: readonly CreateOption[] = [
  {
    id: 'empty-delivery',
    rows: ['avatar-sessions.create.empty-members-accepted'],
    change: { set: { '/delivery': { media: {} } } },
  },
  {
    id: 'disconnected',
    rows: ['limits.disconnected-timeout.10-accepted'],
    change: { set: { '/auto_close/disconnected_timeout_seconds': 10 } },
  },
  {
    id: 'idle',
    rows: ['limits.interaction-idle-timeout.30-accepted'],
    change: { set: { '/auto_close/interaction_idle_timeout_seconds': 30 } },
  },
  {
    id: 'prompts',
    rows: ['avatar-sessions.assets.visual-prompt-accepted'],
    change: { set: { '/assets/visual_prompts/-': { asset_id: 'wave', prompt: 'Wave once.' } } },
  },
  {
    id: 'defaults',
    rows: [],
    change: {
      set: {
        '/conversation': { instructions: 'Be brief 🦉.', turn_detection: { type: 'server_vad' } },
      },
    },
  },
  {
    id: 'temperature-between',
    rows: ['limits.temperature.between-accepted'],
    change: { set: { '/conversation/response_defaults/temperature': 0.35 } },
  },
  {
    id: '720p',
    rows: ['avatar-sessions.create.resolution-720p-accepted'],
    change: { set: { '/output/resolution': '720p' } },
    optional: true,
  },
  {
    id: '16:9',
    rows: ['avatar-sessions.create.aspect-ratio-16-9-accepted'],
    change: { set: { '/output/aspect_ratio': '16:9' } },
    optional: true,
  },
]

/**
 * Two avatars with several images each, no mode, no explicit image. The default of the active avatar is neither its
 * first nor its last image, nor one that the other avatar would give.
 */
export function galleryOptions(profile: Profile): readonly CreateOption[] {
  const image = (id: string) => sourceImage(profile, id)
  return [
    {
      id: 'inactive-without-visual',
      rows: ['avatar-sessions.avatars.inactive-without-visual-accepted'],
      change: { set: { '/avatars/-': { avatar_id: 'cleo' }, '/session/active_avatar_id': 'ada' } },
      mayBeRefused: true,
    },
    {
      // Image ids are unique within an avatar only: what stands under the same id elsewhere is another image.
      id: 'same-image-id',
      rows: [],
      change: {
        set: {
          '/avatars/-': { avatar_id: 'dora', visual: { source_images: [elsewhere(profile, 'face')] } },
          '/session/active_avatar_id': 'ada',
        },
      },
      mayBeRefused: true,
    },
    {
      id: 'gallery',
      rows: ['avatar-sessions.avatars.source-image-id-shared-by-avatars-accepted'],
      change: {
        set: {
          '/avatars/0/visual/source_images/-': image('side'),
          '/avatars/0/visual/default_source_image_id': 'face',
          '/avatars/-': {
            avatar_id: 'ben',
            instructions: 'You are Ben.',
            visual: {
              source_images: [
                image('left'),
                { ...image('side'), description: fullText('From the side.') },
                image('front'),
              ],
              default_source_image_id: 'side',
              instructions: fullText('Stand still and look into the camera.'),
            },
          },
          '/session/active_avatar_id': 'ben',
        },
      },
    },
    ...galleryLimits,
  ]
}

/** The same picture under an address of its own, where more in a query does no harm. */
function elsewhere(profile: Profile, id: string): Json {
  const { url } = portrait(profile)
  return { ...sourceImage(profile, id), url: `${url}${url.includes('?') ? '&' : '?'}again=1` }
}

/** What leaves nothing to defaults but the image. */
export const asVideo: Change = { set: { '/session': { mode: 'video_avatar', active_avatar_id: 'ada' } } }

/** An explicit image and transport, and avatars with voices of their own, beside an explicit mode. */
export function explicitOptions(profile: Profile): readonly CreateOption[] {
  return [
    { id: 'video', rows: [], change: {} },
    {
      // 0 means off whatever the other timeout is.
      id: 'idle-alone',
      rows: [],
      change: { set: { '/auto_close': { disconnected_timeout_seconds: 0, interaction_idle_timeout_seconds: 40 } } },
    },
    {
      id: 'explicit-image',
      rows: ['avatar-sessions.create.source-image-explicit'],
      change: {
        set: {
          '/session/source_image_id': 'side',
          '/avatars/0/visual/source_images/-': sourceImage(profile, 'side'),
          '/avatars/0/visual/default_source_image_id': 'face',
          '/avatars/1': bystander(profile),
          '/avatars/2': { avatar_id: 'eve', visual: { source_images: [sourceImage(profile, 'front')] } },
        },
      },
    },
    {
      id: '1:1',
      rows: ['avatar-sessions.create.aspect-ratio-1-1-accepted'],
      change: { set: { '/output/aspect_ratio': '1:1' } },
      optional: true,
    },
    {
      id: 'rtc-a',
      rows: ['avatar-sessions.create.transport-rtc-a'],
      change: { set: { '/delivery/media/transport': 'rtc_a' } },
    },
    ...eitherOptions,
    ...voiceOptions(profile),
  ]
}

/** What holds in text as well, for faults that are tried in both modes. */
const eitherOptions: readonly CreateOption[] = [
  {
    id: 'temperature',
    rows: ['limits.temperature.2-accepted'],
    change: { set: { '/conversation/response_defaults/temperature': 2 } },
  },
  {
    id: 'tools',
    rows: ['avatar-sessions.conversation.tool-minimal-accepted'],
    change: {
      add: {
        '/conversation/tools': ['wave_back', 'turn_page', 'play_music'].map((name) => ({ type: 'function', name })),
      },
    },
  },
  {
    id: 'texts',
    rows: ['avatar-sessions.assets.speech-text-accepted'],
    change: {
      add: {
        '/assets/speech_text': ['greeting', 'thanks', 'farewell'].map((asset_id) => ({ asset_id, text: 'Good day.' })),
      },
    },
  },
  // It comes back in video as in text.
  { id: 'region', rows: [], change: { set: { '/region': 'nowhere-7' } }, mayBeRefused: true },
  { id: 'recorded', rows: [], change: { set: { '/recording_mode': 'on' } }, mayBeRefused: true },
]

/** An avatar that is not the active one, with images of its own. */
function bystander(profile: Profile): Json {
  const source_images = ['front', 'back', 'above'].map((id) => sourceImage(profile, id))
  return { avatar_id: 'ben', visual: { source_images, default_source_image_id: 'front' } }
}

/** Which provider voices exist is not shown, so that each voice counts only where the same one is taken otherwise. */
function voiceOptions(profile: Profile): readonly CreateOption[] {
  const option = (
    id: string,
    speeds: readonly [number?, number?],
    rows: CreateOption['rows'],
    given: readonly string[],
  ): CreateOption => ({
    id,
    rows,
    change: {
      set: { '/session/active_avatar_id': 'ada' },
      // Of two the first stands between others.
      add: { '/avatars': [id, `${id}-too`].map((avatar_id, place) => speaker(profile, avatar_id, speeds[place])) },
    },
    mayBeRefused: true,
    given,
  })
  const all = ['voice', 'voice-slow', 'voice-fast', 'voice-quick'] as const
  const others = (own: string): readonly string[] => all.filter((id) => id !== own)
  return [
    option('voice', [], ['avatar-sessions.avatars.voice-speed-optional'], others('voice')),
    option('voice-slow', [0.7, 0.7], ['limits.avatar-voice-speed.minimum-accepted'], others('voice-slow')),
    option('voice-fast', [1.2, 1.2], ['limits.avatar-voice-speed.maximum-accepted'], others('voice-fast')),
    option('voice-quick', [1, 1.05], ['limits.avatar-voice-speed.between-accepted'], others('voice-quick')),
  ]
}

function speaker(profile: Profile, avatar_id: string, speed: number | undefined): Json {
  const voice = {
    provider: 'builtin-audio-3.0-tts-flash_ws',
    provider_voice_id: 'narrator',
    model: 'builtin-audio-3.0-tts-flash',
    ...(speed === undefined ? {} : { speed }),
  }
  return { avatar_id, voice, visual: { source_images: [sourceImage(profile, 'face')] } }
}

/** Whether a refusal of any video create may be due to the image alone. */
export const vouched = (profile: Profile): boolean => portrait(profile).given
