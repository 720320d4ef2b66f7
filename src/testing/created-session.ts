import { at, isObject, type Json, type JsonObject } from '#trace/json'

/** The session object that a correct service returns for a body (2.1), each number another session. */
export function createdSession(body: JsonObject, number = 1): JsonObject {
  const video = at(body, '/session/mode') !== 'text_chat'
  const { model = 'svc-a1-stream', region = '', assets, conversation = {}, avatars = [] } = body
  const id = `session-${number}`
  return {
    session_id: id,
    status: 'active',
    auto_close: {
      disconnected_timeout_seconds: at(body, '/auto_close/disconnected_timeout_seconds') ?? 300,
      interaction_idle_timeout_seconds: at(body, '/auto_close/interaction_idle_timeout_seconds') ?? 0,
    },
    region,
    session: stateOf(body, video),
    control: {
      url: `wss://target.example/v1/realtime-avatar/control?session_id=${id}`,
      client_secret: `[client_secret ${number}]`,
    },
    ...(video ? { output: { ...(isObject(body['output']) ? body['output'] : {}), fps: 24 } } : {}),
    ...(assets === undefined ? {} : { assets }),
    conversation,
    avatars,
    ...(video ? { delivery: { media: mediaOf(body, number) } } : {}),
    model,
    expires_at: '2026-01-15T13:00:00Z',
  }
}

function stateOf(body: JsonObject, video: boolean): JsonObject {
  const avatars = at(body, '/avatars')
  const list = Array.isArray(avatars) ? (avatars as readonly Json[]) : []
  const active = at(body, '/session/active_avatar_id') ?? at(list[0], '/avatar_id') ?? ''
  const avatar = list.find((one) => at(one, '/avatar_id') === active)
  const image =
    at(body, '/session/source_image_id') ??
    at(avatar, '/visual/default_source_image_id') ??
    at(avatar, '/visual/source_images/0/source_image_id') ??
    ''
  const mode = video ? 'video_avatar' : 'text_chat'
  return { mode, active_avatar_id: active, ...(video ? { source_image_id: image } : {}) }
}

function mediaOf(body: JsonObject, number: number): JsonObject {
  const users = { user_id: `client-${number}`, publisher_user_id: `avatar-${number}` }
  if (at(body, '/delivery/media/transport') !== 'rtc_b') {
    const details = { sdk_app_id: '1400', room_id: `room-${number}`, user_sig: `[user_sig ${number}]` }
    return { transport: 'rtc_a', rtc_a: { ...details, ...users } }
  }
  const details = { app_id: 'b7', channel_name: `channel-${number}`, token: `[token ${number}]` }
  return { transport: 'rtc_b', rtc_b: { ...details, ...users } }
}
