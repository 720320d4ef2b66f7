import type { Rule } from '../../src/judge/rule.ts'
import { versionChoices } from './choices.rules.ts'
import { paths } from './paths.rules.ts'

export const rules: readonly Rule[] = [paths, versionChoices]
