import { defectsOf } from '../tools/table.ts'
import { madeChannel } from '../tools/world-sessions.ts'

export const mediaDefects = defectsOf('world-sessions.media', madeChannel('media'))
