import type { Context } from '#scenario/author/context'
import type { JsonObject } from '#trace/json'
import { ada, bea, cleo, pairCharacter, settings, sourceImage, textCharacter, videoCharacter } from '../bodies.ts'

/** A `text_chat` character with all that a save may hold; whoever refuses it is sent less. */
export function rich(c: Context): JsonObject {
  return { ...pairCharacter(c, 'walk'), ...settings }
}

const nods: JsonObject = { motion_planner: { prompt: 'Nods slowly.' } }

/** Less of a pipeline, with the least temperature, which is not to be taken for none. */
export const coldest: JsonObject = { llm_config: { llm_backend: 'openai', llm_temperature: 0 } }

/**
 * The body with a pipeline, and more in it; a service may know of no such voice. Of one that is cloned or listed it may put the
 * provider and the model in the place of these (2.6).
 */
export const spoken = (body: JsonObject, more = nods): JsonObject => ({
  ...body,
  pipeline_config: {
    ...more,
    tts_config: {
      tts_voice_id: 'narrator',
      tts_provider: 'builtin-audio-3.0-tts-flash_ws',
      tts_model_id: 'builtin-audio-3.0-tts-flash',
    },
  },
})

/** Of what a rich one holds less in every part: one avatar stays without its instructions, one goes, one comes. */
export function lean(c: Context): JsonObject {
  return {
    ...textCharacter(c, 'walk'),
    session: { mode: 'text_chat', active_avatar_id: cleo },
    avatars: [{ avatar_id: cleo, instructions: 'You are Cleo. Answer in one short sentence.' }, { avatar_id: ada }],
    conversation: { response_defaults: { temperature: 0.9 } },
    auto_close: {},
  }
}

/** Nothing but what has to be there. */
export function bare(c: Context, more: JsonObject = {}): JsonObject {
  return { ...textCharacter(c, 'walk'), session: { mode: 'text_chat' }, avatars: [{ avatar_id: ada }], ...more }
}

/** With a voice of its avatar, which a replace by a bare one omits; a service may know of no such voice. */
export function voiced(c: Context): JsonObject {
  const voice = { provider: 'builtin', provider_voice_id: 'narrator', model: 'standard' }
  return bare(c, { avatars: [{ avatar_id: ada, voice }] })
}

/** A `video_avatar` character, with the transport that is not the default where there is one. */
export function filmed(c: Context): JsonObject {
  const delivery = c.offers('rtc_b') ? { delivery: { media: { transport: 'rtc_b' } } } : {}
  const { tools, turn_detection } = settings.conversation
  return { ...videoCharacter(c, 'walk'), ...delivery, conversation: { tools, turn_detection } }
}

/** The same avatars with fewer images and no instructions for them, in another format, and nothing of a conversation. */
export function filmedLess(c: Context): JsonObject {
  const seen = (avatar_id: string, image: string): JsonObject => ({
    avatar_id,
    visual: { source_images: [sourceImage(c.profile, image)] },
  })
  return {
    ...videoCharacter(c, 'walk'),
    session: { mode: 'video_avatar', active_avatar_id: ada },
    output: { aspect_ratio: '1:1', resolution: '720p' },
    avatars: [seen(ada, 'front'), seen(bea, 'plain')],
    conversation: {},
  }
}
