import type { Rule } from '../../src/judge/rule.ts'
import { createRules } from './create-rules.ts'
import { expiry } from './expiry.rules.ts'
import { idempotency } from './idempotency.rules.ts'
import { list } from './lifecycle-list.rules.ts'
import { lifecycle } from './lifecycle-status.rules.ts'
import { sessionLife } from './property.rules.ts'

export const rules: readonly Rule[] = [...createRules, lifecycle, list, idempotency, sessionLife, expiry]
