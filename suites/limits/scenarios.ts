import type { Scenario } from '#scenario/author/scenario'
import { concurrency } from './concurrency.check.ts'
import { keysApart } from './keys-apart.check.ts'
import { placesProperty } from './walk/places.property.ts'
import { rateLimit } from './rate-limit.check.ts'
import { sharedCap } from './shared-cap.check.ts'

export const scenarios: readonly Scenario[] = [concurrency, keysApart, rateLimit, sharedCap, placesProperty]
