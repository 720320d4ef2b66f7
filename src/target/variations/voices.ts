import type { Variation } from '../deviation.ts'

export const voiceVariations: readonly Variation[] = []
