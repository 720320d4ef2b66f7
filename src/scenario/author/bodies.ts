import type { JsonObject } from '#trace/json'

/** The least that a `text_chat` create needs (4.1), and more where it is given. */
export function textChat(more: JsonObject = {}): JsonObject {
  return { model: 'svc-a1-stream', session: { mode: 'text_chat' }, avatars: [{ avatar_id: 'ada' }], ...more }
}
