import type { Scenario } from '#scenario/author/scenario'
import { oddForms } from './odd-forms.check.ts'
import { refused } from './refusals.check.ts'
import { between, size } from './size.check.ts'
import { types } from './types.check.ts'

export const scenarios: readonly Scenario[] = [types, refused, size, between, oddForms]
