import { defectsOf } from './table.ts'

export const worldSessionDefects = defectsOf('world-sessions', {})
