import { createDefects } from './avatar-sessions/create.ts'
import { definitionDefects } from './avatar-sessions/definitions.ts'
import { deliveryDefects } from './avatar-sessions/delivery.ts'
import { echoDefects } from './avatar-sessions/echoes.ts'
import { lifecycleDefects } from './avatar-sessions/lifecycle.ts'
import { pipelineDefects } from './avatar-sessions/pipeline.ts'
import { reachDefects } from './avatar-sessions/reach.ts'
import { resolutionDefects } from './avatar-sessions/resolution.ts'
import { sessionDefects } from './avatar-sessions/session.ts'

export const avatarSessionDefects = [
  ...sessionDefects,
  ...echoDefects,
  ...deliveryDefects,
  ...definitionDefects,
  ...pipelineDefects,
  ...createDefects,
  ...resolutionDefects,
  ...lifecycleDefects,
  ...reachDefects,
]
