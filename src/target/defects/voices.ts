import { defectsOf } from './table.ts'

export const voiceDefects = defectsOf('voices', {})
