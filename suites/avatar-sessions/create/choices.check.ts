import type { Profile } from '#spec/profile'
import type { Context } from '#scenario/author/context'
import { scenario } from '#scenario/author/scenario'
import type { JsonObject } from '#trace/json'
import { portrait, textChat, videoAvatar } from '#scenario/author/bodies'
import { type Change, changed } from '../change.ts'
import { expectRefusal } from './send.ts'

const key = 'primary'
const voice = '/pipeline_config/tts_config/tts_voice_id'

/** Creates that a correct target may accept or refuse: nothing is claimed, what it does is reported. */
export const createChoices = scenario({
  id: 'avatar-sessions.create-choices',
  tier: 'full',
  price: { requests: { primary: 38 }, typical: 33, sessions: { primary: 1 } },
  async drive(context) {
    for (const change of textChanges) await send(context, changed(textChat(), change))
    if (!context.offers('video')) return
    for (const change of videoChanges(context.profile))
      await send(context, changed(videoAvatar(context.profile), change))
  },
})

const textChanges: readonly Change[] = [
  { set: { '/favourite_colour': 'green' } },
  { set: { '/session/source_image_id': 'nothing' } },
  { set: { '/max_duration_seconds': 60.5 } },
  { set: { '/max_duration_seconds': 86_400 } },
  { set: { '/auto_close/disconnected_timeout_seconds': 3600 } },
  { set: { '/conversation/instructions': 7 } },
  { set: { '/conversation/input_audio_transcription': { enabled: true, language: '!?' } } },
  { set: { '/conversation/tools': [{ type: 'function', name: 'hang_up', parameters: 'none' }] } },
  { set: { [voice]: 'narrator', '/pipeline_config/idle_motion': { prompt: 'Nod.' } } },
  { set: { [voice]: 'narrator', '/pipeline_config/llm_config': { llm_extra_payload: 'seven' } } },
  { set: { [voice]: 'narrator', '/pipeline_config/llm_config': { llm_base_url: 'https://example.com/v1' } } },
  { set: { [voice]: 'voice_never-made' } },
]

function videoChanges(profile: Profile): readonly Change[] {
  const image = '/avatars/0/visual/source_images'
  const { url } = portrait(profile)
  const spoken = {
    provider: 'builtin-audio-3.0-tts-flash_ws',
    provider_voice_id: 'narrator',
    model: 'builtin-audio-3.0-tts-flash',
  }
  return [
    { set: { '/output': { resolution: '480p' } } },
    { set: { '/output': { aspect_ratio: '9:16' } } },
    { set: { '/output/aspect_ratio': '4:3' } },
    { set: { [`${image}/-`]: { source_image_id: 'sketch', media_type: 'image/png' } } },
    { set: { [`${image}/0/url`]: 'https://greenroom.invalid/portrait.png' } },
    { set: { [`${image}/0/url`]: url.replace(/^https:/i, 'http:') } },
    { set: { [`${image}/0/media_type`]: 'image/x-icon' } },
    { set: { [voice]: 'narrator', '/avatars/0/voice': spoken } },
  ]
}

async function send(context: Context, body: JsonObject): Promise<void> {
  const keyed = { ...body, idempotency_key: context.id('choice') }
  await expectRefusal(context, () => context.attempt(keyed, { key }), key)
}
