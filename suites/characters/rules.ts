import type { Rule } from '../../src/judge/rule.ts'
import { characterChoices } from './choices.rules.ts'
import { savedConfiguration } from './configuration.rules.ts'
import { omissions } from './omissions.rules.ts'
import { presence } from './presence.rules.ts'
import { savedSession } from './session.rules.ts'
import { sessionShape } from './session-shape.rules.ts'
import { characterShape } from './shape.rules.ts'
import { interruptedByDelete } from './interrupted.rules.ts'
import { leftovers } from './leftovers.rules.ts'
import { listed } from './list.rules.ts'
import { characterTimes } from './times.rules.ts'
import { unsaved } from './unsaved.rules.ts'
import { walks } from './walks.rules.ts'

export const rules: readonly Rule[] = [
  characterShape,
  savedConfiguration,
  unsaved,
  omissions,
  characterTimes,
  presence,
  listed,
  walks,
  leftovers,
  interruptedByDelete,
  savedSession,
  sessionShape,
  characterChoices,
]
