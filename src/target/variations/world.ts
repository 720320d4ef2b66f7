import type { Variation } from '../deviation.ts'
import { worldDeploymentVariations } from './world/deployments.ts'
import { worldBoundVariations } from './world/bounds.ts'
import { worldContractVariations } from './world/contract.ts'
import { worldEffectiveVariations } from './world/effective.ts'
import { worldKeyVariations } from './world/keys.ts'
import { worldLifeVariations } from './world/life.ts'
import { worldPayloadVariations } from './world/payloads.ts'
import { worldReadVariations } from './world/reads.ts'
import { worldTurnVariations } from './world/turns.ts'

/** World sessions: what the spec leaves open. */
export const worldVariations: readonly Variation[] = [
  ...worldLifeVariations,
  ...worldContractVariations,
  ...worldKeyVariations,
  ...worldPayloadVariations,
  ...worldEffectiveVariations,
  ...worldReadVariations,
  ...worldBoundVariations,
  ...worldTurnVariations,
  ...worldDeploymentVariations,
]
