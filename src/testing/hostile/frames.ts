/** WebSocket opcodes (RFC 6455, 5.2). */
export const opcode = { continuation: 0, text: 1, binary: 2, close: 8, ping: 9 } as const

interface FrameShape {
  opcode: number
  /** False for a fragment that is not the last. Default true. */
  fin?: boolean
  /** The reserved bit that only a negotiated extension may set. */
  reserved?: boolean
  /** Masks the payload, which a server must not do. */
  mask?: Buffer
}

/** The head of a frame for a payload of `length` bytes, well-formed or not. */
export function frameHead(shape: FrameShape, length: number): Buffer {
  const first = (shape.fin === false ? 0 : 0x80) | (shape.reserved === true ? 0x40 : 0) | shape.opcode
  const masked = shape.mask === undefined ? 0 : 0x80
  if (length < 126) return Buffer.of(first, masked | length)
  if (length < 65_536) return Buffer.of(first, masked | 126, length >> 8, length & 0xff)
  const head = Buffer.alloc(10)
  head.set([first, masked | 127])
  head.writeBigUInt64BE(BigInt(length), 2)
  return head
}

/** A whole frame. */
export function frame(shape: FrameShape, payload: string | Uint8Array): Buffer {
  const bytes = Buffer.from(payload)
  const { mask } = shape
  if (mask === undefined) return Buffer.concat([frameHead(shape, bytes.length), bytes])
  const hidden = bytes.map((byte, place) => byte ^ (mask[place % 4] ?? 0))
  return Buffer.concat([frameHead(shape, bytes.length), mask, hidden])
}

/** A text frame with an event. */
export function eventFrame(event: object): Buffer {
  return frame({ opcode: opcode.text }, JSON.stringify(event))
}
