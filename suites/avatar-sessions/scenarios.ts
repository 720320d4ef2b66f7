import type { Scenario } from '#scenario/author/scenario'
import { access } from './life/access.check.ts'
import { disconnected } from './auto-close/disconnected.check.ts'
import { idle } from './auto-close/idle.check.ts'
import { creates } from './create/scenarios.ts'
import { expiry } from './life/expiry.check.ts'
import { idempotencyChecks } from './idempotency/idempotency.check.ts'
import { lifecycles } from './life/life.check.ts'
import { sessionLives } from './walk/session-life.property.ts'

export const scenarios: readonly Scenario[] = [
  ...creates,
  ...lifecycles,
  ...access,
  ...idempotencyChecks,
  ...disconnected,
  ...idle,
  ...sessionLives,
  expiry,
]
