import { autoCloseDefects } from './characters/auto-close.ts'
import { characterCodeDefects } from './characters/codes.ts'
import { configurationDefects } from './characters/configuration.ts'
import { characterCreateDefects } from './characters/create.ts'
import { deleteDefects } from './characters/delete.ts'
import { getCharacterDefects } from './characters/get.ts'
import { characterKeyDefects } from './characters/keys.ts'
import { listDefects } from './characters/list.ts'
import { pageDefects } from './characters/pages.ts'
import { recordDefects } from './characters/record.ts'
import { saveRefusalDefects } from './characters/refusals.ts'
import { replaceDefects } from './characters/replace.ts'
import { scopeDefects } from './characters/scope.ts'
import { sessionLifeDefects } from './characters/session-life.ts'
import { sessionSavedDefects } from './characters/session-saved.ts'
import { sessionSentDefects } from './characters/session-sent.ts'

export const characterDefects = [
  ...scopeDefects,
  ...recordDefects,
  ...configurationDefects,
  ...characterCreateDefects,
  ...saveRefusalDefects,
  ...autoCloseDefects,
  ...getCharacterDefects,
  ...listDefects,
  ...pageDefects,
  ...replaceDefects,
  ...deleteDefects,
  ...characterCodeDefects,
  ...sessionSavedDefects,
  ...sessionSentDefects,
  ...sessionLifeDefects,
  ...characterKeyDefects,
]
