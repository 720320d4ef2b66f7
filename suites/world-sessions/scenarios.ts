import type { Scenario } from '../../src/scenario/scenario.ts'
import { otherWorkspace, sameWorkspace } from './access.check.ts'
import { creates } from './create.check.ts'
import { denied } from './denied.check.ts'
import { expiry } from './expiry.check.ts'
import { idempotency } from './idempotency.check.ts'
import { life } from './life.check.ts'
import { running } from './running.check.ts'

export const scenarios: readonly Scenario[] = [
  creates,
  life,
  otherWorkspace,
  sameWorkspace,
  denied,
  idempotency,
  running,
  expiry,
]
