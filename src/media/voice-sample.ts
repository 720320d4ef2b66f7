import { readFileSync } from 'node:fs'
import { basename } from 'node:path'

/** A recording of the user's own, ready to be uploaded. */
export interface VoiceSample {
  readonly filename: string
  readonly content_type: string
  readonly data: Uint8Array
}

const types: readonly (readonly [ending: RegExp, type: string])[] = [
  [/\.mp3$/i, 'audio/mpeg'],
  [/\.(m4a|mp4)$/i, 'audio/mp4'],
  [/\.(ogg|oga|opus)$/i, 'audio/ogg'],
  [/\.webm$/i, 'audio/webm'],
]

/** Reads `media.voice_sample` of a profile; its name tells its type, and one without a known ending is a WAV file. */
export function voiceSample(file: string): VoiceSample {
  const content_type = types.find(([ending]) => ending.test(file))?.[1] ?? 'audio/wav'
  return { filename: basename(file), content_type, data: new Uint8Array(readFileSync(file)) }
}
