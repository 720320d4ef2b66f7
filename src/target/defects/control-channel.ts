import { additionShownDefects } from './control-channel/additions-shown.ts'
import { admissionDefects } from './control-channel/admission.ts'
import { assetDefects } from './control-channel/assets.ts'
import { avatarDefects } from './control-channel/avatars.ts'
import { channelConnectionDefects } from './control-channel/connections.ts'
import { conversationDefects } from './control-channel/conversation.ts'
import { itemDefects } from './control-channel/items.ts'
import { channelMessageDefects } from './control-channel/message.ts'
import { outputDefects } from './control-channel/output.ts'
import { renderDefects } from './control-channel/render.ts'
import { responseCreateDefects } from './control-channel/response-create.ts'
import { responseDefects } from './control-channel/response.ts'
import { schedulingDefects } from './control-channel/scheduling.ts'
import { scriptMediaDefects } from './control-channel/script-media.ts'
import { scriptDefects } from './control-channel/script.ts'
import { sessionEventDefects } from './control-channel/session-events.ts'
import { sessionImageDefects } from './control-channel/session-image.ts'
import { sessionUpdateDefects } from './control-channel/session-update.ts'
import { snapshotDefects } from './control-channel/snapshot.ts'
import { userSpeechDefects } from './control-channel/user-speech.ts'

export const controlChannelDefects = [
  ...admissionDefects,
  ...channelConnectionDefects,
  ...channelMessageDefects,
  ...sessionUpdateDefects,
  ...sessionImageDefects,
  ...sessionEventDefects,
  ...assetDefects,
  ...avatarDefects,
  ...additionShownDefects,
  ...itemDefects,
  ...conversationDefects,
  ...responseCreateDefects,
  ...scriptDefects,
  ...scriptMediaDefects,
  ...schedulingDefects,
  ...snapshotDefects,
  ...responseDefects,
  ...renderDefects,
  ...outputDefects,
  ...userSpeechDefects,
]
