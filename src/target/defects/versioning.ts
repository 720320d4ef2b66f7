import { defectsOf } from './table.ts'

export const versioningDefects = defectsOf('versioning', {})
