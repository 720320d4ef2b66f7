import { type Avatar, avatar } from './avatar-shape.ts'
import { createAssets } from './asset-shape.ts'
import { type ConversationDefaults, conversationDefaults } from './conversation-shape.ts'
import { pipelineConfig } from './pipeline-shape.ts'
import { type Check, distinct, Fault, integer, list, nonempty, oneOf, shape, str } from './reading.ts'

/** The spec shows neither value; this service has chosen them. Seconds. */
const LONGEST = 3600
const USUAL = 1800
const PLATFORM_DISCONNECTED = 90

function zeroOr(least: number, most: number): Check<number> {
  const within = integer(least, most)
  return (value, at) => (value === 0 ? 0 : within(value, at))
}

const body = shape(
  { model: oneOf('svc-a1-stream', 'svc-a1-stream-lite'), avatars: list(avatar, 1) },
  {
    idempotency_key: str,
    region: str,
    recording_mode: oneOf('on', 'off'),
    session: shape({}, { mode: oneOf('text_chat', 'video_avatar'), active_avatar_id: nonempty, source_image_id: str }),
    pipeline_config: pipelineConfig,
    assets: createAssets,
    conversation: conversationDefaults,
    max_duration_seconds: integer(4, LONGEST),
    auto_close: shape(
      {},
      {
        disconnected_timeout_seconds: zeroOr(10, 3600),
        interaction_idle_timeout_seconds: zeroOr(30, 3600),
      },
    ),
  },
)

type Body = ReturnType<typeof body>
type Assets = ReturnType<typeof createAssets>

export interface AutoClose {
  disconnected_timeout_seconds: number
  interaction_idle_timeout_seconds: number
}

/** The effective configuration of a session that may be opened. */
export interface Opening {
  model: string
  region: string
  active_avatar_id: string
  avatars: Avatar[]
  assets: Assets | undefined
  conversation: ConversationDefaults
  has_session_voice: boolean
  max_duration_seconds: number
  auto_close: AutoClose
}

function readAutoClose(given: Body, longest: number): AutoClose {
  const platform = PLATFORM_DISCONNECTED > longest ? 0 : PLATFORM_DISCONNECTED
  const effective = {
    disconnected_timeout_seconds: given.auto_close?.disconnected_timeout_seconds ?? platform,
    interaction_idle_timeout_seconds: given.auto_close?.interaction_idle_timeout_seconds ?? 0,
  }
  for (const [name, seconds] of Object.entries(effective)) {
    if (seconds > longest) throw new Fault(`auto_close.${name}`, 'exceeds the maximum session duration')
  }
  return effective
}

function readActiveAvatar(given: Body): string {
  const ids = given.avatars.map((each) => each.avatar_id)
  distinct(ids, 'avatars[].avatar_id')
  const chosen = given.session?.active_avatar_id ?? (ids.length === 1 ? ids[0] : undefined)
  if (chosen === undefined) throw new Fault('session.active_avatar_id', 'is required with several avatars')
  if (!ids.includes(chosen)) throw new Fault('session.active_avatar_id', 'names no avatar')
  return chosen
}

function checkAssetIds(assets: Assets | undefined): void {
  const all = [...(assets?.audio ?? []), ...(assets?.speech_text ?? []), ...(assets?.visual_prompts ?? [])]
  distinct(
    all.map((each) => each.asset_id),
    'assets[].asset_id',
  )
}

/** Reads the body of Create Session (4.1). Throws a `Fault` for whatever the spec forbids. */
export function readCreateRequest(value: unknown): Opening {
  const given = body(value, 'body')
  if (given.session?.mode !== 'text_chat') throw new Fault('session.mode', 'video_avatar: video not offered here')
  checkAssetIds(given.assets)
  const longest = given.max_duration_seconds ?? USUAL
  return {
    model: given.model,
    region: given.region ?? '',
    active_avatar_id: readActiveAvatar(given),
    avatars: given.avatars,
    assets: given.assets,
    conversation: given.conversation ?? {},
    has_session_voice: given.pipeline_config !== undefined,
    max_duration_seconds: longest,
    auto_close: readAutoClose(given, longest),
  }
}
