import type { Rule } from '#judge/rule'
import { versionChoices } from './choices.rules.ts'
import { paths } from './paths.rules.ts'

export const rules: readonly Rule[] = [paths, versionChoices]
