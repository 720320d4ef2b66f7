import { overlookedChannelDefects } from './overlooked/channel.ts'
import { overlookedCharacterDefects } from './overlooked/characters.ts'
import { overlookedSessionDefects } from './overlooked/sessions.ts'
import { overlookedWorldDefects } from './overlooked/worlds.ts'

/** Mistakes that readers of the interface thought of who had not seen what is checked. */
export const overlookedDefects = [
  ...overlookedSessionDefects,
  ...overlookedChannelDefects,
  ...overlookedCharacterDefects,
  ...overlookedWorldDefects,
]
