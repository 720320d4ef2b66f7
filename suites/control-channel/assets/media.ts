import type { JsonObject } from '#trace/json'

/** What the address of an image tells of its type. */
export function imageType(url: string): string {
  return /\.jpe?g$/i.test(pathOf(url)) ? 'image/jpeg' : 'image/png'
}

type AudioType = 'audio/wav' | 'audio/mpeg'

/** Types that the audio behind an address may have; a second one where the address does not tell. */
export function audioTypes(url: string): readonly [AudioType, ...AudioType[]] {
  const path = pathOf(url)
  if (/\.wav$/i.test(path)) return ['audio/wav']
  return /\.(mp3|mpeg|mpga)$/i.test(path) ? ['audio/mpeg'] : ['audio/wav', 'audio/mpeg']
}

function pathOf(url: string): string {
  return URL.parse(url)?.pathname ?? url
}

/** Seconds of silence as base64 of a WAV file: 16 bit, 16 kHz, mono. */
export function silence(seconds: number): string {
  const rate = 16_000
  const samples = Math.round(seconds * rate) * 2
  const head = Buffer.alloc(44)
  head.write('RIFF', 0, 'latin1')
  head.writeUInt32LE(36 + samples, 4)
  head.write('WAVEfmt ', 8, 'latin1')
  head.writeUInt32LE(16, 16)
  head.writeUInt16LE(1, 20)
  head.writeUInt16LE(1, 22)
  head.writeUInt32LE(rate, 24)
  head.writeUInt32LE(rate * 2, 28)
  head.writeUInt16LE(2, 32)
  head.writeUInt16LE(16, 34)
  head.write('data', 36, 'latin1')
  head.writeUInt32LE(samples, 40)
  return Buffer.concat([head, Buffer.alloc(samples)]).toString('base64')
}

/** Seconds of silence as base64 of an MP3 file: frames of 32 kbit/s, 32 kHz, mono, with nothing in them. */
export function silentMp3(seconds: number): string {
  // MPEG 1, layer III, no CRC; 144 * 32000 / 32000 bytes a frame of 1152 samples.
  const frame = Buffer.alloc(144)
  frame.set([0xff, 0xfb, 0x18, 0xc4])
  const frames = Math.ceil((seconds * 32_000) / 1152)
  return Buffer.concat(Array.from({ length: frames }, () => frame)).toString('base64')
}

/** A response that plays so many seconds of silence. */
export const silentAudio = (seconds: number): JsonObject => ({
  script: { vocal: { type: 'audio', mime_type: 'audio/wav', audio: silence(seconds) } },
})
