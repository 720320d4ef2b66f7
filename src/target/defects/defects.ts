import type { Defect } from '../deviation.ts'
import { authenticationDefects } from './authentication.ts'
import { avatarSessionDefects } from './avatar-sessions.ts'
import { controlChannelDefects } from './control-channel.ts'
import { errorDefects } from './errors.ts'
import { limitDefects } from './limits.ts'

/** Every seeded mistake of the reference target. */
export const DEFECTS: readonly Defect[] = [
  ...authenticationDefects,
  ...avatarSessionDefects,
  ...controlChannelDefects,
  ...errorDefects,
  ...limitDefects,
]
