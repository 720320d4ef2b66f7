import type { Variation } from '../deviation.ts'
import { characterTokenVariations } from './characters/tokens.ts'
import { characterBoundVariations } from './characters/bounds.ts'
import { characterPageVariations } from './characters/pages.ts'
import { characterReadVariations } from './characters/reads.ts'
import { characterIdentityVariations, characterRecordVariations } from './characters/records.ts'
import { characterSaveVariations } from './characters/saves.ts'
import { characterStoreVariations } from './characters/stores.ts'
import { startVariations } from './characters/starts.ts'

/** 2.7, 4.2 and the sessions from characters of 4.1: what the spec leaves open. */
export const characterVariations: readonly Variation[] = [
  ...characterIdentityVariations,
  ...characterRecordVariations,
  ...characterSaveVariations,
  ...characterPageVariations,
  ...characterReadVariations,
  ...characterBoundVariations,
  ...characterStoreVariations,
  ...startVariations,
  ...characterTokenVariations,
]
