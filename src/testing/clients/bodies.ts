import type { Json, JsonObject } from '#trace/json'
import type { Dice } from './dice.ts'

const image = 'https://media.example.com/a.png'
const audio = 'https://media.example.com/a.wav'

/** What the bodies of one client may name. */
export interface Known {
  readonly voices: readonly string[]
}

export function avatar(
  dice: Dice,
  avatar_id: string,
  how: { readonly video: boolean; readonly voice: boolean },
): JsonObject {
  const count = how.video ? dice.number(1, 3) : dice.number(0, 1)
  const ids = Array.from({ length: count }, (_, place) => `img-${place}`)
  const images = ids.map((source_image_id) => ({
    source_image_id,
    url: image,
    media_type: dice.pick('image/png', 'image/jpeg'),
    ...dice.maybe(30, () => ({ description: dice.text() })),
  }))
  const visual = (): JsonObject => ({
    source_images: images,
    ...dice.maybe(count > 1 ? 100 : 50, () => ({ default_source_image_id: dice.one(ids) ?? '' })),
    ...dice.maybe(30, () => ({ instructions: dice.text() })),
  })
  return {
    avatar_id,
    ...dice.maybe(70, () => ({ instructions: dice.text() })),
    ...(how.voice
      ? { voice: { provider: 'p', provider_voice_id: 'v', model: 'm', speed: dice.pick(0.7, 1, 1.2) } }
      : {}),
    ...(count > 0 ? { visual: visual() } : {}),
  }
}

export function tool(name: string, dice: Dice): JsonObject {
  const parameters = { type: 'object', properties: { city: { type: 'string' } } }
  return { type: 'function', name, ...dice.maybe(50, () => ({ description: 'd', parameters })) }
}

/** Assets of a create; the events of a client name these ids. */
export function assets(dice: Dice): JsonObject {
  return {
    ...dice.maybe(60, () => ({
      audio: [{ asset_id: 'a1', url: audio, ...dice.maybe(50, () => ({ mime_type: 'audio/wav' })) }],
    })),
    ...dice.maybe(60, () => ({ speech_text: [{ asset_id: 't1', text: dice.text() }] })),
    ...dice.maybe(60, () => ({ visual_prompts: [{ asset_id: 'v1', prompt: dice.text() }] })),
  }
}

function conversation(dice: Dice): JsonObject {
  return {
    ...dice.maybe(50, () => ({ instructions: dice.text() })),
    ...dice.maybe(50, () => ({ tools: [tool('tool_0', dice), tool('tool_1', dice)] })),
    ...dice.maybe(40, () => ({
      response_defaults: { temperature: dice.pick(0, 0.7, 2), max_output_tokens: dice.number(1, 400) },
    })),
    ...dice.maybe(40, () => ({ turn_detection: { type: dice.pick('manual', 'server_vad') } })),
    ...dice.maybe(30, () => ({ input_audio_transcription: { enabled: dice.percent(50), language: 'auto' } })),
  }
}

function pipeline(dice: Dice, { voices }: Known): JsonObject {
  const tts_voice_id = (dice.percent(40) ? dice.one(voices) : undefined) ?? 'voice-x'
  return {
    tts_config: { tts_voice_id },
    ...dice.maybe(30, () => ({ tag_audio_enabled: dice.percent(50) })),
    ...dice.maybe(30, () => ({ llm_config: { llm_temperature: 0.4, llm_backend: 'openai' } })),
    ...dice.maybe(30, () => ({ asr_config: { provider: 'multilingual', language: 'en-US' } })),
  }
}

/** What a create and a character have in common. */
export function configuration(dice: Dice, known: Known): JsonObject {
  const [video, tts, count] = [dice.percent(50), dice.percent(30), dice.pick(1, 1, 1, 2, 3)]
  const ids = Array.from({ length: count }, (_, place) => dice.pick(`av-${place}`, `av-${place}`, `Av ${place}`))
  const output = { aspect_ratio: dice.pick('9:16', '1:1', '16:9'), resolution: dice.pick('480p', '720p') }
  return {
    model: dice.pick('svc-a1-stream', 'svc-a1-stream', 'svc-a1-stream-lite'),
    session: {
      ...(video ? dice.maybe(50, () => ({ mode: 'video_avatar' })) : { mode: 'text_chat' }),
      ...dice.maybe(count > 1 ? 100 : 30, () => ({ active_avatar_id: dice.one(ids) ?? '' })),
    },
    ...dice.maybe(video ? 100 : 20, () => ({ output })),
    ...(tts ? { pipeline_config: pipeline(dice, known) } : {}),
    avatars: ids.map((id) => avatar(dice, id, { video: video || dice.percent(50), voice: !tts && dice.percent(30) })),
    ...dice.maybe(50, () => ({ conversation: conversation(dice) })),
    ...dice.maybe(20, () => ({ max_duration_seconds: dice.pick(4, 60, 600, 1800) })),
    ...dice.maybe(20, () => ({
      auto_close: {
        disconnected_timeout_seconds: dice.pick(0, 10, 60),
        interaction_idle_timeout_seconds: dice.pick(0, 30, 60),
      },
    })),
    ...dice.maybe(20, () => ({ delivery: { media: { transport: dice.pick('rtc_a', 'rtc_b') } } })),
    ...dice.maybe(10, () => ({ unknown_field: { a: [1, null] } })),
  }
}

/** The same with a fault in it. */
export function spoilt(body: JsonObject, dice: Dice): JsonObject {
  const { avatars, ...rest } = body
  const [first] = Array.isArray(avatars) ? avatars : []
  const faulty: readonly [JsonObject, ...JsonObject[]] = [
    rest,
    { ...body, avatars: [] },
    { ...body, avatars: 'no' },
    { ...body, avatars: [first ?? null, first ?? null] },
    { ...body, avatars: [{ ...(first as JsonObject | undefined), avatar_id: '' }] },
    { ...body, session: { mode: 'hologram' } },
    { ...body, session: { active_avatar_id: 'nobody' } },
    { ...body, session: null },
    { ...body, model: 'svc-z9' },
    { ...body, max_duration_seconds: dice.pick<Json>(0, 3, -1, '60', 4.5) },
    { ...body, auto_close: { disconnected_timeout_seconds: 9 } },
    { ...body, pipeline_config: { tag_audio_enabled: 'true' } },
    { ...body, conversation: { response_defaults: { temperature: 3 } } },
    { ...body, output: { aspect_ratio: 7 } },
  ]
  return dice.pick(...faulty)
}

export function world(dice: Dice): JsonObject {
  const content = [{ type: 'input_text', text: dice.text() }]
  const body = {
    model: 'svc-w1-stream',
    initial_prompt: { content },
    ...dice.maybe(30, () => ({ opening_frame: { url: image, ...dice.maybe(50, () => ({ mime_type: 'image/png' })) } })),
    ...dice.maybe(30, () => ({
      references: [
        { name: 'r1', content },
        { name: dice.pick('r1', 'r2', 'r2'), content },
      ],
    })),
    ...dice.maybe(40, () => ({
      output: { aspect_ratio: dice.pick('16:9', '1:1', '4:3'), captions: dice.percent(50) },
    })),
    ...dice.maybe(30, () => ({ continuation: { start_mode: dice.pick('manual', 'automatic'), max_idle_ms: 30_000 } })),
    ...dice.maybe(30, () => ({ live_input: { audio: { enabled: dice.percent(50) } } })),
    ...dice.maybe(30, () => ({ max_session_duration_seconds: dice.pick(60, 600) })),
    ...dice.maybe(30, () => ({ metadata: { a: 'b' } })),
  }
  if (!dice.percent(15)) return body
  return dice.pick<JsonObject>(
    { ...body, model: 'svc-w9' },
    { ...body, initial_prompt: { content: [] } },
    { ...body, opening_frame: { url: 'nope' } },
  )
}
