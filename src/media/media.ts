import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { packageRoot } from '#spec/package-root'

/** The files of `fixtures/media/`, each with the type that its bytes have; `null` for bytes of no type. */
export const media = {
  'speech.wav': 'audio/wav',
  'speech.mp3': 'audio/mpeg',
  'silence.m4a': 'audio/mp4',
  'silence.ogg': 'audio/ogg',
  'silence.webm': 'audio/webm',
  'short.wav': 'audio/wav',
  'silence.aiff': 'audio/aiff',
  'pixel.png': 'image/png',
  'image-named.wav': 'image/png',
  'empty.wav': null,
} as const

export type MediumName = keyof typeof media

/** Where the media stand; absolute. */
export function mediaFolder(): string {
  return join(packageRoot(), 'fixtures/media')
}

/** Bytes of a file of `fixtures/media/`. */
export function medium(name: MediumName): Uint8Array {
  return new Uint8Array(readFileSync(join(mediaFolder(), name)))
}
