import { fromSchema } from '../from-schema.ts'
import { text } from '../text.ts'

/** Far below the 128 characters of section 8: whether a sign of two halves counts once or twice is not said. */
const longestName = 60

/** Names of voices, and one of the codes of 2.8 or none: a clone without its `file_id`. */
export const voices = fromSchema('rest/clone-voice.request', { '/file_id': 'absent', '/name': text(longestName) })
