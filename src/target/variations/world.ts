import type { Variation } from '../deviation.ts'

export const worldVariations: readonly Variation[] = []
