import type { AutoClose } from './create-request.ts'
import type { ConversationDefaults } from './conversation-shape.ts'
import type { Session } from './session.ts'

export const CONTROL_PATH = '/v1/realtime-avatar/control'
/** A parameter of our own: "Connect to exactly this URL". */
export const EDGE = 'north 1/a'

function stringify(value: number | undefined): string | undefined {
  return value === undefined ? undefined : String(value)
}

/** Conventions: "64-bit integers may be returned as strings". This service does so wherever it can. */
function viewAutoClose(policy: AutoClose): Record<keyof AutoClose, string> {
  return {
    disconnected_timeout_seconds: String(policy.disconnected_timeout_seconds),
    interaction_idle_timeout_seconds: String(policy.interaction_idle_timeout_seconds),
  }
}

function viewConversation(given: ConversationDefaults): object {
  const { response_defaults, turn_detection } = given
  const view: Record<string, unknown> = { ...given }
  if (response_defaults !== undefined) {
    view.response_defaults = { ...response_defaults, max_output_tokens: stringify(response_defaults.max_output_tokens) }
  }
  if (turn_detection !== undefined) {
    view.turn_detection = {
      ...turn_detection,
      silence_duration_ms: stringify(turn_detection.silence_duration_ms),
    }
  }
  return view
}

function viewAssets(session: Session): object {
  const { assets } = session.opening
  if (assets === undefined) return {}
  const { audio = [], speech_text = [], visual_prompts = [] } = assets
  return { assets: { audio, speech_text, visual_prompts } }
}

/** What Create Session answers (2.1), as it stands now. */
export function viewCreated(session: Session, authority: string): object {
  const { opening } = session
  const query = `edge=${encodeURIComponent(EDGE)}&session_id=${encodeURIComponent(session.id)}`
  return {
    shard: 'b',
    session_id: session.id,
    status: session.status,
    auto_close: viewAutoClose(opening.auto_close),
    region: opening.region,
    session: { mode: 'text_chat', active_avatar_id: opening.active_avatar_id, locale: 'und' },
    control: { url: `wss://${authority}${CONTROL_PATH}?${query}`, client_secret: session.secret, protocol: 'json' },
    ...viewAssets(session),
    conversation: viewConversation(opening.conversation),
    avatars: opening.avatars,
    model: opening.model,
  }
}

/** What Get answers: the payload is not shown by the spec, and here it is nested. */
export function viewRecord(session: Session): object {
  const { id: session_id, status, active_avatar_id, opened_at } = session
  return { record: { session_id, status, active_avatar_id, opened_at, connections: String(session.outlet.size) } }
}

/** One line of List. */
export function viewLine(session: Session): object {
  return { session_id: session.id, state: session.status, since: session.opened_at }
}
