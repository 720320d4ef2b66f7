import type { Rule } from '../../src/judge/rule.ts'
import { choices } from './choices.rules.ts'
import { file } from './file.rules.ts'

export const rules: readonly Rule[] = [file, choices]
