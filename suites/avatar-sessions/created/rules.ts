import type { Rule } from '#judge/rule'
import { autoClosePolicy } from '../auto-close/create.rules.ts'
import { createChoices } from './choices.rules.ts'
import { controlUrl } from './control.rules.ts'
import { sessionDelivery } from './delivery.rules.ts'
import { sessionsApart } from './distinct.rules.ts'
import { sessionEcho } from './echo.rules.ts'
import { effectiveSession } from './effective.rules.ts'
import { expiresInFuture } from './expiry.rules.ts'
import { refusedLeavesNoSession } from './leftovers.rules.ts'
import { regionNotKept } from './region.rules.ts'
import { sessionShape } from './shape.rules.ts'
import { updatedMedia } from './updated-media.rules.ts'
import { toolsOwnOnly } from './tools.rules.ts'

/** What a create answers. */
export const createRules: readonly Rule[] = [
  sessionShape,
  sessionEcho,
  effectiveSession,
  sessionDelivery,
  updatedMedia,
  autoClosePolicy,
  controlUrl,
  expiresInFuture,
  regionNotKept,
  toolsOwnOnly,
  sessionsApart,
  refusedLeavesNoSession,
  createChoices,
]
