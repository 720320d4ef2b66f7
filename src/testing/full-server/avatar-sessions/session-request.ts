import { type Asset, readAssets } from '../shapes/asset-shape.ts'
import { type Avatar, imageOf, readAvatars } from '../shapes/avatar-shape.ts'
import { effectiveConversation, readConversation } from '../shapes/conversation-shape.ts'
import { readPipeline } from '../shapes/pipeline-shape.ts'
import type { JsonObject, Reader } from '../reader.ts'
import { LONGEST_SESSION_S, PLATFORM_DISCONNECTED_S } from '../choices.ts'

export type Mode = 'text_chat' | 'video_avatar'

/** Everything that a session starts with. */
export interface SessionPlan {
  readonly model: string
  readonly region: string
  readonly mode: Mode
  readonly activeAvatar: string
  readonly sourceImage: string | undefined
  readonly output: { readonly aspect_ratio: string; readonly resolution: string } | undefined
  readonly transport: 'rtc_a' | 'rtc_b'
  readonly hasVoice: boolean
  readonly assets: readonly Asset[] | undefined
  readonly conversation: JsonObject
  readonly avatars: readonly Avatar[]
  readonly longest_s: number
  readonly disconnected_s: number
  readonly idle_s: number
}

export interface Offer {
  readonly textOnly: boolean
  readonly voiceKnown: (id: string) => boolean
}

const models = ['svc-a1-stream', 'svc-a1-stream-lite'] as const

/** Section 4.1, Create Session. */
export function readSessionRequest(body: Reader, offer: Offer): SessionPlan {
  body.need('model')
  const model = body.choice('model', models) ?? ''
  body.string('idempotency_key')
  body.choice('recording_mode', ['on', 'off'])
  const pipeline = body.child('pipeline_config')
  if (pipeline !== undefined) readPipeline(pipeline, offer.voiceKnown)
  const assets = body.child('assets')
  const conversation = body.child('conversation')
  if (conversation !== undefined) readConversation(conversation)
  const avatars = readAvatars(body.children('avatars'), false)
  if (avatars.length === 0) throw body.bad('avatars', 'is required')
  const scene = readScene(body, avatars, offer)
  return {
    model,
    region: body.string('region') ?? '',
    ...scene,
    hasVoice: pipeline !== undefined,
    assets: assets === undefined ? undefined : readAssets(assets, 'create'),
    conversation: effectiveConversation(conversation?.bag ?? {}),
    avatars,
    ...readTimes(body),
  }
}

type Scene = Pick<SessionPlan, 'mode' | 'activeAvatar' | 'sourceImage' | 'output' | 'transport'>

function readScene(body: Reader, avatars: readonly Avatar[], offer: Offer): Scene {
  const session = body.child('session')
  const mode = session?.choice('mode', ['text_chat', 'video_avatar']) ?? 'video_avatar'
  const asked = session?.string('active_avatar_id')
  const image = session?.string('source_image_id')
  if (asked === undefined && avatars.length > 1) throw body.complain('which of the avatars is active?')
  const active = avatars.find((avatar) => avatar.id === (asked ?? avatars[0]?.id))
  if (active === undefined) throw body.complain('the active avatar is not defined')
  const plain: Scene = {
    mode,
    activeAvatar: active.id,
    sourceImage: undefined,
    output: undefined,
    transport: 'rtc_a',
  }
  if (mode === 'text_chat') return plain
  if (offer.textOnly) throw body.complain('this service speaks, but does not show itself')
  const sourceImage = image ?? imageOf(active)
  if (sourceImage === undefined || !active.usable.includes(sourceImage)) {
    throw body.complain('no usable source image for the active avatar')
  }
  return { ...plain, sourceImage, output: readOutput(body.needChild('output')), transport: readTransport(body) }
}

export function readOutput(output: Reader): { aspect_ratio: string; resolution: string } {
  output.need('aspect_ratio')
  output.need('resolution')
  return {
    aspect_ratio: output.choice('aspect_ratio', ['9:16', '1:1', '16:9']) ?? '',
    resolution: output.choice('resolution', ['480p', '720p']) ?? '',
  }
}

export function readTransport(body: Reader): 'rtc_a' | 'rtc_b' {
  return body.child('delivery')?.child('media')?.choice('transport', ['rtc_a', 'rtc_b']) ?? 'rtc_a'
}

function readTimes(body: Reader): Pick<SessionPlan, 'longest_s' | 'disconnected_s' | 'idle_s'> {
  const longest_s = body.whole('max_duration_seconds', 4, LONGEST_SESSION_S) ?? LONGEST_SESSION_S
  const auto = body.child('auto_close')
  const platform = longest_s < 10 ? 0 : Math.min(PLATFORM_DISCONNECTED_S, longest_s)
  return {
    longest_s,
    disconnected_s: readTimeout(auto, 'disconnected_timeout_seconds', 10, longest_s) ?? platform,
    idle_s: readTimeout(auto, 'interaction_idle_timeout_seconds', 30, longest_s) ?? 0,
  }
}

function readTimeout(auto: Reader | undefined, name: string, least: number, longest_s: number): number | undefined {
  const value = auto?.whole(name, 0, 3600)
  if (auto === undefined || value === undefined || value === 0) return value
  if (value < least) throw auto.bad(name, `is neither 0 nor at least ${least}`)
  if (value > longest_s) throw auto.bad(name, 'exceeds the longest duration of the session')
  return value
}
