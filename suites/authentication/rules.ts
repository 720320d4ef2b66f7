import type { Rule } from '#judge/rule'
import { choices } from './choices.rules.ts'
import { echo } from './echo.rules.ts'
import { controlSecrets } from './secrets.rules.ts'

export const rules: readonly Rule[] = [controlSecrets, echo, choices]
