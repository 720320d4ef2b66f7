import { defectsOf } from './table.ts'

export const audioFileDefects = defectsOf('audio-files', {})
