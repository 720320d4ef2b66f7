import { defectsOf } from './table.ts'

export const characterDefects = defectsOf('characters', {})
