import type { Variation } from '../deviation.ts'

export const fileVariations: readonly Variation[] = []
