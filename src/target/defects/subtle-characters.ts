import { subtleListDefects } from './subtle-characters/lists.ts'
import { subtleRecordDefects } from './subtle-characters/records.ts'
import { subtleReplaceDefects } from './subtle-characters/replaces.ts'
import { subtleStartDefects } from './subtle-characters/starts.ts'

/** Mistakes of characters and of starts that show only in a combination: an edge of a page, a refusal, a namesake. */
export const subtleCharacterDefects = [
  ...subtleReplaceDefects,
  ...subtleListDefects,
  ...subtleRecordDefects,
  ...subtleStartDefects,
]
