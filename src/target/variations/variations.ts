import type { Variation } from '../deviation.ts'

/** Every legal alternative of the reference target. */
export const VARIATIONS: readonly Variation[] = []
