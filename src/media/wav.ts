/** How a WAV file holds its sound: PCM, 16 bits a sample. */
export interface WavForm {
  /** Samples a second, in each channel. */
  readonly rate: number
  /** Default 1. */
  readonly channels?: number
}

const headBytes = 44

/**
 * A WAV file of 16-bit PCM.
 *
 * @param samples interleaved where there are several channels
 */
export function wav(samples: Int16Array, { rate, channels = 1 }: WavForm): Uint8Array {
  const file = new Uint8Array(headBytes + 2 * samples.length)
  const view = new DataView(file.buffer)
  file.set(Buffer.from('RIFF'), 0)
  view.setUint32(4, file.length - 8, true)
  file.set(Buffer.from('WAVEfmt '), 8)
  view.setUint32(16, 16, true)
  view.setUint16(20, 1, true)
  view.setUint16(22, channels, true)
  view.setUint32(24, rate, true)
  view.setUint32(28, 2 * channels * rate, true)
  view.setUint16(32, 2 * channels, true)
  view.setUint16(34, 16, true)
  file.set(Buffer.from('data'), 36)
  view.setUint32(40, 2 * samples.length, true)
  samples.forEach((sample, place) => view.setInt16(headBytes + 2 * place, sample, true))
  return file
}

/** A WAV file of exactly so many bytes (an even number), by saying the same again and again. */
export function wavOfBytes(bytes: number, samples: Int16Array, form: WavForm): Uint8Array {
  const wanted = Math.floor((bytes - headBytes) / 2)
  const filled = new Int16Array(wanted)
  for (let place = 0; place < wanted; place += samples.length) {
    filled.set(samples.subarray(0, Math.min(samples.length, wanted - place)), place)
  }
  return padded(wav(filled, form), bytes)
}

/** An odd number of bytes takes a trailing one, which no chunk counts. */
function padded(file: Uint8Array, bytes: number): Uint8Array {
  if (file.length === bytes) return file
  const whole = new Uint8Array(bytes)
  whole.set(file)
  return whole
}

/** Two channels of one: the second is the first at half its loudness. */
export function stereo(samples: Int16Array): Int16Array {
  const both = new Int16Array(2 * samples.length)
  samples.forEach((sample, place) => {
    both[2 * place] = sample
    both[2 * place + 1] = Math.trunc(sample / 2)
  })
  return both
}
