import type { Rule } from '#judge/rule'
import { choices } from './choices.rules.ts'
import { file } from './file.rules.ts'

export const rules: readonly Rule[] = [file, choices]
