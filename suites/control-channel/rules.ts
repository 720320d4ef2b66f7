import type { Rule } from '../../src/judge/rule.ts'
import { assets, avatars } from './additions.rules.ts'
import { askedChoices } from './asked-choices.rules.ts'
import { choices } from './choices.rules.ts'
import { errors } from './errors.rules.ts'
import { eventIds } from './event-ids.rules.ts'
import { frames } from './frames.rules.ts'
import { isolation } from './isolation.rules.ts'
import { itemsAsked } from './items-asked.rules.ts'
import { itemsCreated } from './items-created.rules.ts'
import { itemsOrder } from './items-order.rules.ts'
import { openings } from './openings.rules.ts'
import { outputItems } from './output-items.rules.ts'
import { render } from './render.rules.ts'
import { requests } from './requests.rules.ts'
import { responseChoices } from './response-choices.rules.ts'
import { responseLife } from './response-life.rules.ts'
import { scheduling } from './scheduling.rules.ts'
import { scripts } from './scripts.rules.ts'
import { sessionClosed } from './session-closed.rules.ts'
import { sessionFaults } from './session-faults.rules.ts'
import { sessionState } from './session-state.rules.ts'
import { shapes } from './shapes.rules.ts'
import { speech } from './speech.rules.ts'
import { staleErrors } from './stale-errors.rules.ts'
import { text } from './text.rules.ts'
import { tools } from './tools.rules.ts'
import { updates } from './updates.rules.ts'

export const rules: readonly Rule[] = [
  frames,
  shapes,
  eventIds,
  errors,
  staleErrors,
  updates,
  sessionState,
  sessionFaults,
  openings,
  sessionClosed,
  assets,
  avatars,
  itemsCreated,
  itemsAsked,
  itemsOrder,
  requests,
  responseLife,
  text,
  outputItems,
  tools,
  scripts,
  render,
  scheduling,
  speech,
  isolation,
  choices,
  askedChoices,
  responseChoices,
]
