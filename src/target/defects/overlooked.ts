import { overlookedCallDefects } from './overlooked/calls.ts'
import { overlookedCountDefects } from './overlooked/counts.ts'
import { overlookedChannelDefects } from './overlooked/channel.ts'
import { overlookedCharacterDefects } from './overlooked/characters.ts'
import { overlookedConnectionDefects } from './overlooked/connections.ts'
import { overlookedContentDefects } from './overlooked/contents.ts'
import { overlookedConversationDefects } from './overlooked/conversation.ts'
import { overlookedCreateDefects } from './overlooked/creates.ts'
import { overlookedEndingDefects } from './overlooked/endings.ts'
import { overlookedRecordDefects } from './overlooked/records.ts'
import { overlookedRefusalDefects } from './overlooked/refusals.ts'
import { overlookedRepeatDefects } from './overlooked/repeats.ts'
import { overlookedResponseDefects } from './overlooked/responses.ts'
import { overlookedSampleDefects } from './overlooked/samples.ts'
import { overlookedSaveDefects } from './overlooked/saves.ts'
import { overlookedSessionDefects } from './overlooked/sessions.ts'
import { overlookedServiceDefects } from './overlooked/whole-services.ts'
import { overlookedPlaceDefects } from './overlooked/places.ts'
import { overlookedWorldDefects } from './overlooked/worlds.ts'

/** Mistakes that readers of the interface thought of who had not seen what is checked. */
export const overlookedDefects = [
  ...overlookedSessionDefects,
  ...overlookedCreateDefects,
  ...overlookedChannelDefects,
  ...overlookedConnectionDefects,
  ...overlookedConversationDefects,
  ...overlookedResponseDefects,
  ...overlookedEndingDefects,
  ...overlookedContentDefects,
  ...overlookedCharacterDefects,
  ...overlookedSaveDefects,
  ...overlookedSampleDefects,
  ...overlookedCallDefects,
  ...overlookedWorldDefects,
  ...overlookedRecordDefects,
  ...overlookedRepeatDefects,
  ...overlookedRefusalDefects,
  ...overlookedCountDefects,
  ...overlookedServiceDefects,
  ...overlookedPlaceDefects,
]
