import type { Rule } from '../../src/judge/rule.ts'
import { autoClosePolicy } from './create-auto-close.rules.ts'
import { createChoices } from './create-choices.rules.ts'
import { controlUrl } from './create-control.rules.ts'
import { sessionDelivery } from './create-delivery.rules.ts'
import { sessionsApart } from './create-distinct.rules.ts'
import { sessionEcho } from './create-echo.rules.ts'
import { effectiveSession } from './create-effective.rules.ts'
import { expiresInFuture } from './create-expiry.rules.ts'
import { refusedLeavesNoSession } from './create-leftovers.rules.ts'
import { regionNotKept } from './create-region.rules.ts'
import { sessionShape } from './create-shape.rules.ts'

/** What a create answers. */
export const createRules: readonly Rule[] = [
  sessionShape,
  sessionEcho,
  effectiveSession,
  sessionDelivery,
  autoClosePolicy,
  controlUrl,
  expiresInFuture,
  regionNotKept,
  sessionsApart,
  refusedLeavesNoSession,
  createChoices,
]
