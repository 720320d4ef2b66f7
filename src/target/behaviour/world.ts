import { worldCapabilities } from './world/capabilities.ts'
import { worldChannel } from './world/channel.ts'
import { worldCreate } from './world/create.ts'
import { worldIdempotency } from './world/idempotency.ts'
import { worldIds } from './world/ids.ts'
import { worldLife } from './world/life.ts'
import { worldReach } from './world/reach.ts'
import { worldValidations } from './world/validations.ts'
import { worldRuntime } from './world/runtime.ts'
import { worldViews } from './world/views.ts'

/** 2.11 to 2.13, 3.2, 3.3 and 4.5: world sessions. */
export const world = () => ({
  ids: worldIds(),
  create: worldCreate(),
  validations: worldValidations(),
  capabilities: worldCapabilities(),
  idempotency: worldIdempotency(),
  life: worldLife(),
  runtime: worldRuntime(),
  reach: worldReach(),
  views: worldViews(),
  channel: worldChannel(),
})
