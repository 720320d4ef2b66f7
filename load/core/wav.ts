/** Samples a second, one channel, 16 bits each: what every service that takes WAV takes. */
const RATE = 16_000

const HEADER = 44

/**
 * A WAV file of about so many bytes: a tone whose pitch follows from the seed.
 * @param bytes with the header; rounded down to whole samples
 * @param mark nobody else's, which is in the last samples: a service may give the same bytes the same id, and of all numbers that
 *   are drawn in a long run some come twice
 */
export function wavFile(bytes: number, seed: number, mark: string): ArrayBuffer {
  const samples = Math.max(1, Math.floor((bytes - HEADER) / 2))
  const file = new ArrayBuffer(HEADER + 2 * samples)
  const view = new DataView(file)
  const text = (at: number, word: string): void => {
    for (let index = 0; index < word.length; index += 1) view.setUint8(at + index, word.charCodeAt(index))
  }
  text(0, 'RIFF')
  view.setUint32(4, file.byteLength - 8, true)
  text(8, 'WAVEfmt ')
  view.setUint32(16, 16, true)
  view.setUint16(20, 1, true)
  view.setUint16(22, 1, true)
  view.setUint32(24, RATE, true)
  view.setUint32(28, 2 * RATE, true)
  view.setUint16(32, 2, true)
  view.setUint16(34, 16, true)
  text(36, 'data')
  view.setUint32(40, 2 * samples, true)
  const sound = new Int16Array(file, HEADER, samples)
  fill(sound, seed)
  const from = Math.max(0, samples - mark.length)
  for (let at = from; at < samples; at += 1) sound[at] = mark.charCodeAt(at - from)
  return file
}

/** One period is computed and copied: k6 takes a hundred times longer for a sine than for a copy. */
function fill(samples: Int16Array, seed: number): void {
  const period = 40 + (seed % 120)
  const length = Math.min(period, samples.length)
  for (let index = 0; index < length; index += 1)
    samples[index] = Math.round(8_000 * Math.sin((2 * Math.PI * index) / period))
  for (let done = length; done < samples.length; done *= 2)
    samples.set(samples.subarray(0, Math.min(done, samples.length - done)), done)
}
