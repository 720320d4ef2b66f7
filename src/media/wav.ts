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
export function wav(samples: Int16Array, form: WavForm): Uint8Array {
  return wavOfBytes(headBytes + 2 * samples.length, samples, form)
}

/**
 * A WAV file of exactly so many bytes, by saying the same again and again. An odd number takes a trailing byte, which no
 * chunk counts.
 */
export function wavOfBytes(bytes: number, samples: Int16Array, form: WavForm): Uint8Array {
  const file = new Uint8Array(bytes)
  const end = headBytes + 2 * Math.floor((bytes - headBytes) / 2)
  writeHead(file, end, form)
  const sound = littleEndian(samples)
  const most = sound.length === 0 ? headBytes : end
  for (let place = headBytes; place < most; place += sound.length) file.set(sound.subarray(0, most - place), place)
  return file
}

/** @param end of the samples, in bytes */
function writeHead(file: Uint8Array, end: number, { rate, channels = 1 }: WavForm): void {
  const view = new DataView(file.buffer)
  file.set(Buffer.from('RIFF'), 0)
  view.setUint32(4, end - 8, true)
  file.set(Buffer.from('WAVEfmt '), 8)
  view.setUint32(16, 16, true)
  view.setUint16(20, 1, true)
  view.setUint16(22, channels, true)
  view.setUint32(24, rate, true)
  view.setUint32(28, 2 * channels * rate, true)
  view.setUint16(32, 2 * channels, true)
  view.setUint16(34, 16, true)
  file.set(Buffer.from('data'), 36)
  view.setUint32(40, end - headBytes, true)
}

function littleEndian({ buffer, byteOffset, byteLength }: Int16Array): Uint8Array {
  const bytes = new Uint8Array(buffer, byteOffset, byteLength)
  const first = new Uint8Array(Uint16Array.of(1).buffer)[0]
  return first === 1 ? bytes : Buffer.from(bytes).swap16()
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
