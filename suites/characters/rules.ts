import type { Rule } from '#judge/rule'
import { characterChoices } from './choices.rules.ts'
import { deletes } from './life/deletes.rules.ts'
import { savedConfiguration } from './save/configuration.rules.ts'
import { ownOnly } from './save/own.rules.ts'
import { omissions } from './save/omissions.rules.ts'
import { presence } from './save/presence.rules.ts'
import { savedSession } from './session/session.rules.ts'
import { starts } from './session/starts.rules.ts'
import { sessionShape } from './session/shape.rules.ts'
import { characterShape } from './save/shape.rules.ts'
import { interruptedByDelete } from './save/interrupted.rules.ts'
import { leftovers } from './save/leftovers.rules.ts'
import { listed } from './list/list.rules.ts'
import { characterTimes } from './save/times.rules.ts'
import { unsaved } from './save/unsaved.rules.ts'
import { walks } from './list/pages.rules.ts'
import { characterWalks } from './model/walk.rules.ts'
import { drawnCharacters } from './model/drawn.rules.ts'
import { startKeys } from './model/keys.rules.ts'

export const rules: readonly Rule[] = [
  characterShape,
  savedConfiguration,
  unsaved,
  omissions,
  ownOnly,
  characterTimes,
  presence,
  listed,
  walks,
  leftovers,
  interruptedByDelete,
  deletes,
  savedSession,
  starts,
  sessionShape,
  characterWalks,
  startKeys,
  drawnCharacters,
  characterChoices,
]
