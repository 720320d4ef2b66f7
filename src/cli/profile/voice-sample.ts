import { readFileSync } from 'node:fs'
import type { Profile } from '#spec/profile'
import { fileTrouble, usage } from '../stop.ts'

/** @throws Stop (2) unless `media.voice_sample`, where given, is a file with something in it */
export function checkVoiceSample({ media }: Profile): void {
  const file = media?.voice_sample
  if (file === undefined) return
  if (sizeOf(file) === 0) throw usage(`media.voice_sample ${file} is empty; it must be a recording of clear speech`)
}

function sizeOf(file: string): number {
  try {
    return readFileSync(file).length
  } catch (error) {
    throw usage(`media.voice_sample ${file} cannot be read: ${fileTrouble(error)}`)
  }
}
