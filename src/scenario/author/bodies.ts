import type { JsonObject } from '#trace/json'

/** The least that a `text_chat` create needs (4.1), and more where it is given. */
export function textChat(more: JsonObject = {}): JsonObject {
  return { model: 'svc-a1-stream', session: { mode: 'text_chat' }, avatars: [{ avatar_id: 'ada' }], ...more }
}

/** The least that a world create needs (4.5), and more where it is given. */
export function world(more: JsonObject = {}): JsonObject {
  const content = [{ type: 'input_text', text: 'A calm beach at dawn, seen from a dune.' }]
  return { model: 'svc-w1-stream', initial_prompt: { content }, ...more }
}
