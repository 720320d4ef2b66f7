import type { Rule } from '../../src/judge/rule.ts'
import { choices } from './choices.rules.ts'
import { descriptors } from './descriptors.rules.ts'
import { echo } from './echo.rules.ts'
import { generation } from './generation.rules.ts'
import { getSession } from './get.rules.ts'
import { idempotency } from './idempotency.rules.ts'
import { lifetime } from './lifetime.rules.ts'
import { references } from './references.rules.ts'
import { secrets } from './secrets.rules.ts'
import { shapes } from './shape.rules.ts'
import { lifecycle } from './status.rules.ts'
import { strangers } from './strangers.rules.ts'

export const rules: readonly Rule[] = [
  shapes,
  echo,
  references,
  getSession,
  descriptors,
  secrets,
  lifecycle,
  generation,
  idempotency,
  lifetime,
  strangers,
  choices,
]
