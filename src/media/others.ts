/** An honest AIFF file: 16-bit mono, whole samples of silence. Its type is none of those that Upload Audio takes. */
export function aiff(seconds: number): Uint8Array {
  const frames = Math.round(seconds * 8000)
  const sound = Buffer.alloc(8 + 2 * frames)
  const common = Buffer.alloc(18)
  common.writeInt16BE(1, 0)
  common.writeUInt32BE(frames, 2)
  common.writeInt16BE(16, 6)
  // 8000 as an 80-bit float.
  Buffer.from('400bfa00000000000000', 'hex').copy(common, 8)
  const form = Buffer.concat([Buffer.from('AIFF'), chunk('COMM', common), chunk('SSND', sound)])
  return new Uint8Array(chunk('FORM', form))
}

function chunk(name: string, content: Buffer): Buffer {
  const size = Buffer.alloc(4)
  size.writeUInt32BE(content.length)
  return Buffer.concat([Buffer.from(name), size, content])
}

/** A PNG image of one grey pixel. */
export function png(): Uint8Array {
  const base64 = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNoAAAAggCBd81ytgAAAABJRU5ErkJggg=='
  return new Uint8Array(Buffer.from(base64, 'base64'))
}
