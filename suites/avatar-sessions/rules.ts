import type { Rule } from '#judge/rule'
import { createRules } from './created/rules.ts'
import { expiry } from './life/expiry.rules.ts'
import { idempotency } from './idempotency/idempotency.rules.ts'
import { shownAgain } from './idempotency/shown-again.rules.ts'
import { list } from './life/list.rules.ts'
import { lifecycle } from './life/status.rules.ts'
import { sessionLife } from './model/property.rules.ts'

export const rules: readonly Rule[] = [...createRules, lifecycle, list, idempotency, shownAgain, sessionLife, expiry]
