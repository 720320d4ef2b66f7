import type { Account } from '../keys.ts'
import type { WavFacts } from './wav.ts'

/** An uploaded file (2.8), without its bytes: nothing asks for them again. */
export interface AudioFile {
  readonly id: string
  /** Who uploaded it; its workspace owns it (1.6). */
  readonly account: Account
  /** The type that was found in its bytes, and the one that its form declared. */
  readonly detected: string
  readonly declared: string
  readonly bytes: number
  /** Size of the whole form that brought it. */
  readonly formBytes: number
  /** SHA-256 of its bytes. */
  readonly digest: string
  /** Undefined for all but WAV: lengths of other files are not read. */
  readonly wav: WavFacts | undefined
  readonly createdAt: number
}
