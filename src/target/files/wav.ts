const HEADER_BYTES = 12
const CHUNK_HEADER_BYTES = 8

/**
 * How long a WAV plays.
 * @returns seconds, or undefined for anything that is no WAV with a format and data.
 */
export function wavSeconds(bytes: Buffer): number | undefined {
  const { byteRate, dataBytes } = readChunks(bytes)
  return byteRate === undefined || byteRate === 0 || dataBytes === undefined ? undefined : dataBytes / byteRate
}

interface Chunks {
  byteRate?: number
  dataBytes?: number
}

function readChunks(bytes: Buffer): Chunks {
  const found: Chunks = {}
  if (text(bytes, 0) !== 'RIFF' || text(bytes, 8) !== 'WAVE') return found
  let at = HEADER_BYTES
  while (at + CHUNK_HEADER_BYTES <= bytes.length) {
    const size = bytes.readUInt32LE(at + 4)
    const start = at + CHUNK_HEADER_BYTES
    if (text(bytes, at) === 'fmt ' && start + 12 <= bytes.length) found.byteRate = bytes.readUInt32LE(start + 8)
    // A stream that was never finished claims more data than there is.
    if (text(bytes, at) === 'data') found.dataBytes ??= Math.min(size, bytes.length - start)
    at = start + size + (size % 2)
  }
  return found
}

const text = (bytes: Buffer, at: number): string => bytes.toString('latin1', at, at + 4)
