import type { Defect } from '../deviation.ts'
import { audioFileDefects } from './audio-files.ts'
import { authenticationReachDefects } from './authentication-reach.ts'
import { authenticationDefects } from './authentication.ts'
import { avatarSessionDefects } from './avatar-sessions.ts'
import { characterDefects } from './characters.ts'
import { controlChannelDefects } from './control-channel.ts'
import { elsewhereDefects } from './elsewhere.ts'
import { errorDefects } from './errors.ts'
import { leavingDefects } from './leaving.ts'
import { limitDefects } from './limits.ts'
import { overlookedDefects } from './overlooked.ts'
import { subtleCharacterDefects } from './subtle-characters.ts'
import { subtleEventDefects } from './subtle-events.ts'
import { subtleRestDefects } from './subtle-rest.ts'
import { subtleWorldDefects } from './subtle-world.ts'
import { subtleDefects } from './subtle.ts'
import { versioningDefects } from './versioning.ts'
import { voiceDefects } from './voices.ts'
import { worldSessionDefects } from './world-sessions.ts'

/** Every seeded mistake of the reference target. */
export const DEFECTS: readonly Defect[] = [
  ...authenticationDefects,
  ...authenticationReachDefects,
  ...avatarSessionDefects,
  ...controlChannelDefects,
  ...characterDefects,
  ...audioFileDefects,
  ...voiceDefects,
  ...worldSessionDefects,
  ...errorDefects,
  ...limitDefects,
  ...versioningDefects,
  ...subtleDefects,
  ...subtleRestDefects,
  ...subtleEventDefects,
  ...subtleWorldDefects,
  ...subtleCharacterDefects,
  ...overlookedDefects,
  ...leavingDefects,
  ...elsewhereDefects,
]
