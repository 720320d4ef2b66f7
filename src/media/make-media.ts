import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Mp3Encoder } from '@breezystack/lamejs'
import { type MediumName, mediaFolder } from './media.ts'
import { m4a, ogg, webm } from './mux.ts'
import { aiff, png } from './others.ts'
import { speech } from './speech.ts'
import { wav } from './wav.ts'

const rate = 16_000
/** 4.3 recommends 10 to 20 seconds. */
const sampleSeconds = 12
const kilobits = 64

interface Maker {
  readonly make: () => Uint8Array | Promise<Uint8Array>
  /** Whether it comes out the same each time; muxers write ids and dates of their own. */
  readonly same: boolean
}

export const makers: { readonly [name in MediumName]: Maker } = {
  'speech.wav': { make: () => wav(speech(sampleSeconds, rate), { rate }), same: true },
  'speech.mp3': { make: () => mp3(speech(sampleSeconds, rate)), same: true },
  'silence.m4a': { make: async () => m4a(sampleSeconds), same: false },
  'silence.ogg': { make: async () => ogg(sampleSeconds), same: false },
  'silence.webm': { make: async () => webm(sampleSeconds), same: false },
  'short.wav': { make: () => wav(speech(2, rate), { rate }), same: true },
  'silence.aiff': { make: () => aiff(1), same: true },
  'pixel.png': { make: png, same: true },
  'image-named.wav': { make: png, same: true },
  'empty.wav': { make: () => new Uint8Array(), same: true },
}

function mp3(samples: Int16Array): Uint8Array {
  const encoder = new Mp3Encoder(1, rate, kilobits)
  // It calls its bytes unsigned, and hands out signed ones.
  return Uint8Array.of(...encoder.encodeBuffer(samples), ...encoder.flush())
}

if (import.meta.main) {
  for (const [name, { make }] of Object.entries(makers)) writeFileSync(join(mediaFolder(), name), await make())
}
