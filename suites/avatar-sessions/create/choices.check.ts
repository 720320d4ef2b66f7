import type { Exchange } from '#client/types'
import type { Profile } from '#spec/profile'
import type { Context } from '#scenario/author/context'
import { scenario } from '#scenario/author/scenario'
import type { JsonObject } from '#trace/json'
import { portrait, smallOutput, textChat, videoAvatar } from '#scenario/author/bodies'
import { type Change, changed } from '../change.ts'
import { expectRefusal } from './send.ts'

const key = 'primary'
const voice = '/pipeline_config/tts_config/tts_voice_id'

/** Creates that a correct target may accept or refuse: nothing is claimed, what it does is reported. */
export const createChoices = scenario({
  id: 'avatar-sessions.create-choices',
  tier: 'full',
  price: { requests: { primary: 42 }, typical: 23, sessions: { primary: 1 } },
  async drive(context) {
    await sendTogether(context, textChat(), takenInText)
    for (const change of textChanges) await send(context, changed(textChat(), change))
    if (!context.offers('video')) return
    const { profile } = context
    await sendTogether(context, videoAvatar(profile), takenInVideo)
    for (const change of videoChanges(profile)) await send(context, changed(videoAvatar(profile), change))
  },
})

const image = '/avatars/0/visual/source_images'

/** Few services refuse one of these. */
const takenInText: readonly Change[] = [
  { set: { '/favourite_colour': 'green' } },
  { set: { '/session/source_image_id': 'nothing' } },
  { set: { '/auto_close/disconnected_timeout_seconds': 3600 } },
  { set: { '/conversation/input_audio_transcription': { enabled: true, language: '!?' } } },
]
const takenInVideo: readonly Change[] = [
  { set: { '/output/aspect_ratio': '4:3' } },
  { set: { [`${image}/0/url`]: 'https://greenroom.invalid/portrait.png' } },
  { set: { [`${image}/0/media_type`]: 'image/x-icon' } },
]

const textChanges: readonly Change[] = [
  { set: { '/max_duration_seconds': 60.5 } },
  { set: { '/max_duration_seconds': 86_400 } },
  { set: { '/conversation/instructions': 7 } },
  { set: { '/conversation/tools': [{ type: 'function', name: 'hang_up', parameters: 'none' }] } },
  { set: { [voice]: 'narrator', '/pipeline_config/idle_motion': { prompt: 'Nod.' } } },
  { set: { [voice]: 'narrator', '/pipeline_config/llm_config': { llm_extra_payload: 'seven' } } },
  { set: { [voice]: 'narrator', '/pipeline_config/llm_config': { llm_base_url: 'https://example.com/v1' } } },
  { set: { [voice]: 'voice_never-made' } },
]

function videoChanges(profile: Profile): readonly Change[] {
  const { url } = portrait(profile)
  const { aspect_ratio, resolution } = smallOutput(profile)
  const spoken = {
    provider: 'builtin-audio-3.0-tts-flash_ws',
    provider_voice_id: 'narrator',
    model: 'builtin-audio-3.0-tts-flash',
  }
  return [
    { set: { '/output': { resolution } } },
    { set: { '/output': { aspect_ratio } } },
    { set: { [`${image}/-`]: { source_image_id: 'sketch', media_type: 'image/png' } } },
    { set: { [`${image}/0/url`]: url.replace(/^https:/i, 'http:') } },
    { set: { [voice]: 'narrator', '/avatars/0/voice': spoken } },
  ]
}

/** What a refusal of several is for is not told: then each is sent alone. */
async function sendTogether(context: Context, body: JsonObject, changes: readonly Change[]): Promise<void> {
  const { ok } = await send(context, changed(body, ...changes))
  if (ok) return
  for (const change of changes) await send(context, changed(body, change))
}

function send(context: Context, body: JsonObject): Promise<Exchange> {
  const keyed = { ...body, idempotency_key: context.id('choice') }
  return expectRefusal(context, () => context.attempt(keyed, { key }), key)
}
