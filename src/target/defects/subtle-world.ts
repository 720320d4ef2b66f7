import { subtleFileDefects } from './subtle-world/files.ts'
import { subtleWorldKeyDefects } from './subtle-world/keys.ts'
import { subtleWorldSessionDefects } from './subtle-world/sessions.ts'
import { subtleVoiceDefects } from './subtle-world/voices.ts'

/** Mistakes of world sessions, audio files and voices that show only in company of another, or later. */
export const subtleWorldDefects = [
  ...subtleWorldKeyDefects,
  ...subtleWorldSessionDefects,
  ...subtleFileDefects,
  ...subtleVoiceDefects,
]
