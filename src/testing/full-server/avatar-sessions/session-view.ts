import { type Avatar, imageOf } from '../shapes/avatar-shape.ts'
import { type JsonObject, isBag } from '../reader.ts'
import type { AvatarSession } from './session.ts'
import { stamp } from '../stamps.ts'

/** Section 2.1, as the creates return it. @param host host and port of this server */
export function createdView(session: AvatarSession, host: string): JsonObject {
  const { plan } = session
  const video = plan.output !== undefined
  return {
    expires_at: session.choices.contrary ? stamp(session.expiresAt).toLowerCase() : stamp(session.expiresAt),
    model: plan.model,
    region: plan.region,
    avatars: plan.avatars.map((avatar) => (session.choices.contrary ? filledIn(avatar) : avatar.sent)),
    conversation: plan.conversation,
    ...(plan.assets === undefined ? {} : { assets: assetsView(session) }),
    ...(video ? { delivery: { media: mediaOf(session) }, output: { fps: '24', ...plan.output } } : {}),
    session: {
      mode: plan.mode,
      active_avatar_id: plan.activeAvatar,
      ...(plan.sourceImage === undefined ? {} : { source_image_id: plan.sourceImage }),
    },
    auto_close: {
      interaction_idle_timeout_seconds: String(plan.idle_s),
      disconnected_timeout_seconds: String(plan.disconnected_s),
    },
    control: {
      client_secret: session.secret,
      url: `wss://${host}/v1/realtime-avatar/control?edition=second&session_id=${session.id}`,
    },
    cost_hint: null,
    status: session.status,
    session_id: session.id,
  }
}

function assetsView(session: AvatarSession): JsonObject {
  const of = (shelf: string) => (session.plan.assets ?? []).filter((one) => one.shelf === shelf).map((one) => one.sent)
  return { visual_prompts: of('visual_prompts'), speech_text: of('speech_text'), audio: of('audio') }
}

/** Section 2.2. */
export function mediaOf(session: AvatarSession): JsonObject {
  const seat = session.id.slice(0, 8)
  const room = BigInt(`0x${session.id.replaceAll('-', '').slice(0, 15)}`)
  const people = { user_id: `guest-${seat}`, publisher_user_id: `avatar-${seat}` }
  if (session.plan.transport === 'rtc_b') {
    const rtc_b = { token: `t.${session.id}`, channel_name: session.id, app_id: '71', ...people }
    return { rtc_b, transport: 'rtc_b' }
  }
  const rtc_a = { user_sig: `s.${session.id}`, room_id: String(room), sdk_app_id: '1400000000', ...people }
  return { rtc_a, transport: 'rtc_a' }
}

/** An avatar with what holds where nothing was said. */
function filledIn(avatar: Avatar): JsonObject {
  const { voice, visual } = avatar.sent
  const chosen = imageOf(avatar)
  return {
    instructions: '',
    ...avatar.sent,
    ...(isBag(voice) ? { voice: { speed: 1, ...voice } } : {}),
    ...(isBag(visual) && chosen !== undefined ? { visual: { default_source_image_id: chosen, ...visual } } : {}),
  }
}

/** What Get Session says: the state is told in a nest of its own. */
export function lookedUpView(session: AvatarSession): JsonObject {
  if (session.choices.contrary) {
    const { source_image_id, ...kept } = {
      source_image_id: session.sourceImage,
      active_avatar_id: session.activeAvatar,
    }
    const scene = { mode: session.mode, ...kept, ...(source_image_id === undefined ? {} : { source_image_id }) }
    return { status: session.status, session_id: session.id, session: scene }
  }
  return {
    session: {
      identity: { session_id: session.id },
      lifecycle: { status: session.status, since: stamp(session.createdAt) },
      connections: session.connections.sockets.size,
    },
  }
}
