import type { Variation } from '../deviation.ts'

export const characterVariations: readonly Variation[] = []
