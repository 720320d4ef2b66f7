import type { Scenario } from '../../src/scenario/scenario.ts'
import { admission } from './admission.check.ts'
import { isolation } from './connections-isolation.check.ts'
import { errors } from './errors.check.ts'
import { itemsBasic } from './items-basic.check.ts'
import { sessionUpdate } from './session-update.check.ts'

export const scenarios: readonly Scenario[] = [admission, ...isolation, errors, itemsBasic, sessionUpdate]
