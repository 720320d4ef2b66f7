import { readFileSync } from 'node:fs'
import type { Profile } from '#spec/profile'
import { fileTrouble } from '../stop.ts'

/** What is wrong with `media.voice_sample`, in a sentence; nothing where it has something in it or is not given. */
export function voiceSampleFaults({ media }: Profile): readonly string[] {
  const file = media?.voice_sample
  if (file === undefined) return []
  try {
    return readFileSync(file).length > 0
      ? []
      : [`media.voice_sample ${file} is empty; it must be a recording of clear speech`]
  } catch (error) {
    return [`media.voice_sample ${file} cannot be read: ${fileTrouble(error)}`]
  }
}
