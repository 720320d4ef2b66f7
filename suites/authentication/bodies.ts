import type { JsonObject } from '#trace/json'

/** The least that a `text_chat` create needs (4.1). */
export function textChat(idempotency_key: string): JsonObject {
  return { model: 'svc-a1-stream', session: { mode: 'text_chat' }, avatars: [{ avatar_id: 'ada' }], idempotency_key }
}

/** A character that can start a session (4.2). */
export function character(name: string): JsonObject {
  return { name, model: 'svc-a1-stream', session: { mode: 'text_chat' }, avatars: [{ avatar_id: 'ada' }] }
}

/** The least that a world create needs (4.5). */
export function world(idempotency_key: string): JsonObject {
  const content = [{ type: 'input_text', text: 'A calm beach at dawn.' }]
  return { model: 'svc-w1-stream', initial_prompt: { content }, idempotency_key }
}

const rate = 16_000

/** One second of a 16-bit mono WAV: an honest file that every service must take. */
export function tone(): Uint8Array {
  const bytes = 2 * rate
  const view = new DataView(new ArrayBuffer(44 + bytes))
  const word = (place: number, text: string): void =>
    Buffer.from(text).forEach((byte, offset) => view.setUint8(place + offset, byte))
  word(0, 'RIFF')
  view.setUint32(4, 36 + bytes, true)
  word(8, 'WAVEfmt ')
  view.setUint32(16, 16, true)
  view.setUint16(20, 1, true)
  view.setUint16(22, 1, true)
  view.setUint32(24, rate, true)
  view.setUint32(28, 2 * rate, true)
  view.setUint16(32, 2, true)
  view.setUint16(34, 16, true)
  word(36, 'data')
  view.setUint32(40, bytes, true)
  for (let place = 0; place < rate; place += 1) {
    view.setInt16(44 + 2 * place, Math.round(12_000 * Math.sin((2 * Math.PI * 220 * place) / rate)), true)
  }
  return new Uint8Array(view.buffer)
}
