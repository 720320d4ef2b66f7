import type { Scenario } from '../../src/scenario/scenario.ts'
import { life } from './life.check.ts'
import { refused } from './refused.check.ts'

export const scenarios: readonly Scenario[] = [life, refused]
