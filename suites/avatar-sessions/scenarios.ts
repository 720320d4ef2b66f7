import type { Scenario } from '../../src/scenario/scenario.ts'
import { access } from './access.check.ts'
import { disconnected } from './auto-close-disconnected.check.ts'
import { idle } from './auto-close-idle.check.ts'
import { creates } from './create-scenarios.ts'
import { expiry } from './expiry.check.ts'
import { idempotencyChecks } from './idempotency.check.ts'
import { lifecycles } from './lifecycle.check.ts'
import { sessionLives } from './session-life.property.ts'

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
