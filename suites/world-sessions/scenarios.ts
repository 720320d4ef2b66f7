import type { Scenario } from '#scenario/author/scenario'
import { otherWorkspace, sameWorkspace } from './life/access.check.ts'
import { creates } from './create/create.check.ts'
import { denied } from './life/denied.check.ts'
import { expiry } from './life/expiry.check.ts'
import { idempotency } from './idempotency/idempotency.check.ts'
import { life } from './life/life.check.ts'
import { lives } from './walk/lives.property.ts'
import { running } from './life/running.check.ts'

export const scenarios: readonly Scenario[] = [
  creates,
  life,
  otherWorkspace,
  sameWorkspace,
  denied,
  idempotency,
  running,
  expiry,
  ...lives,
]
