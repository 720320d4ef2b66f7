import type { AudioFile } from '../files/audio-file.ts'
import type { Account } from '../keys.ts'

/** A voice of 2.8, cloned by a workspace. */
export interface Voice {
  readonly id: string
  /** Who cloned it; its workspace owns it (1.6). */
  readonly account: Account
  readonly name: string
  /** What was sent; undefined where it was omitted. */
  readonly language: string | undefined
  readonly file: AudioFile
}

/** A voice that every workspace sees. */
export interface PublicVoice {
  readonly id: string
  readonly name: string
  readonly language: string
}
