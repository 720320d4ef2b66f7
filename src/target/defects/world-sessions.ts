import { worldBlockDefects } from './world-sessions/blocks.ts'
import { worldCapabilityDefects } from './world-sessions/capabilities.ts'
import { worldCloseDefects } from './world-sessions/close.ts'
import { worldCodeDefects } from './world-sessions/codes.ts'
import { worldCreateDefects } from './world-sessions/create.ts'
import { worldGetDefects } from './world-sessions/get.ts'
import { worldIdempotencyDefects } from './world-sessions/idempotency.ts'
import { worldOptionDefects } from './world-sessions/options.ts'
import { worldReturnedDefects } from './world-sessions/returned.ts'
import { worldSecretDefects } from './world-sessions/secrets.ts'
import { worldSessionStateDefects } from './world-sessions/session.ts'
import { worldSettingDefects } from './world-sessions/settings.ts'

export const worldSessionDefects = [
  ...worldSessionStateDefects,
  ...worldSettingDefects,
  ...worldReturnedDefects,
  ...worldCapabilityDefects,
  ...worldBlockDefects,
  ...worldCreateDefects,
  ...worldOptionDefects,
  ...worldIdempotencyDefects,
  ...worldGetDefects,
  ...worldSecretDefects,
  ...worldCloseDefects,
  ...worldCodeDefects,
]
