/** Where the bits of a sample are told in the chunk that tells the format of a WAV file. */
const bitsPlace = 14

/**
 * A WAV file with a mark in the lower bytes of its last samples, which nobody hears. What has other samples than of 16 bits stays
 * as it is.
 */
export function marked(wav: Uint8Array, mark: string): Uint8Array {
  const letters = new TextEncoder().encode(mark)
  const end = endOfSamples(wav)
  if (end === undefined || end < 2 * letters.length) return wav
  const data = Uint8Array.from(wav)
  for (const [place, letter] of letters.entries()) {
    const at = end - 2 * (place + 1)
    data[at] = (data[at] ?? 0) ^ letter
  }
  return data
}

/** Behind the last sample of 16 bits; undefined where there is none. */
function endOfSamples(wav: Uint8Array): number | undefined {
  const view = new DataView(wav.buffer, wav.byteOffset, wav.byteLength)
  let bits = 0
  for (let at = 12; at + 8 <= wav.length; ) {
    const name = String.fromCharCode(...wav.subarray(at, at + 4))
    const size = view.getUint32(at + 4, true)
    const start = at + 8
    if (name === 'fmt ' && start + bitsPlace + 2 <= wav.length) bits = view.getUint16(start + bitsPlace, true)
    if (name === 'data') return bits === 16 && start + size <= wav.length ? start + (size & ~1) : undefined
    at = start + size + (size % 2)
  }
  return undefined
}
