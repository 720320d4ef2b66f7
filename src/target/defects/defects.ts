import type { Defect } from '../deviation.ts'

/** Every seeded mistake of the reference target. */
export const DEFECTS: readonly Defect[] = []
