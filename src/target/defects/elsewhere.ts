import { assetPlaceDefects } from './elsewhere/assets.ts'
import { avatarPlaceDefects } from './elsewhere/avatars.ts'
import { hiddenDefects } from './elsewhere/hidden.ts'
import { leftBehindDefects } from './elsewhere/left-behind.ts'
import { listPlaceDefects } from './elsewhere/lists.ts'
import { modeDefects } from './elsewhere/modes.ts'
import { operationDefects } from './elsewhere/operations.ts'

/** Mistakes that show in one other place only: at one end of a list, in one mode, by one operation, behind another fault. */
export const elsewhereDefects = [
  ...avatarPlaceDefects,
  ...assetPlaceDefects,
  ...listPlaceDefects,
  ...modeDefects,
  ...operationDefects,
  ...hiddenDefects,
  ...leftBehindDefects,
]
