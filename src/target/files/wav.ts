const HEADER_BYTES = 12
const CHUNK_HEADER_BYTES = 8
const FORMAT_BYTES = 16

/** What a WAV says of itself. */
export interface WavFacts {
  readonly seconds: number
  readonly channels: number
  /** Samples a second of one channel. */
  readonly rate: number
  readonly bits: number
  /** Whether anything in it is louder than a whisper; true where it has other than 16 bits. */
  readonly audible: boolean
}

/** Reads a WAV; undefined for anything that has no format and data. */
export function readWav(bytes: Buffer): WavFacts | undefined {
  if (text(bytes, 0) !== 'RIFF' || text(bytes, 8) !== 'WAVE') return undefined
  const chunks = readChunks(bytes)
  const format = chunks.get('fmt ')
  const data = chunks.get('data')
  if (format === undefined || data === undefined || format.length < FORMAT_BYTES) return undefined
  const byteRate = format.readUInt32LE(8)
  if (byteRate === 0) return undefined
  const bits = format.readUInt16LE(14)
  return {
    seconds: data.length / byteRate,
    channels: format.readUInt16LE(2),
    rate: format.readUInt32LE(4),
    bits,
    audible: bits !== 16 || isAudible(data),
  }
}

/** The first chunk of each name. A stream that was never finished claims more data than there is. */
function readChunks(bytes: Buffer): Map<string, Buffer> {
  const chunks = new Map<string, Buffer>()
  let at = HEADER_BYTES
  while (at + CHUNK_HEADER_BYTES <= bytes.length) {
    const size = bytes.readUInt32LE(at + 4)
    const start = at + CHUNK_HEADER_BYTES
    const name = text(bytes, at)
    if (!chunks.has(name)) chunks.set(name, bytes.subarray(start, start + size))
    at = start + size + (size % 2)
  }
  return chunks
}

const WHISPER = 500

function isAudible(data: Buffer): boolean {
  for (let at = 0; at + 1 < data.length; at += 2) if (Math.abs(data.readInt16LE(at)) > WHISPER) return true
  return false
}

const text = (bytes: Buffer, at: number): string => bytes.toString('latin1', at, at + 4)
