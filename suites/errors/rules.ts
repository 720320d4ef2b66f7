import type { Rule } from '../../src/judge/rule.ts'
import { choices } from './choices.rules.ts'
import { envelope } from './envelope.rules.ts'
import { naming, results } from './naming.rules.ts'

export const rules: readonly Rule[] = [envelope, naming, results, choices]
