import type { Override } from '../behaviour/behaviour.ts'
import type { Defect } from '../deviation.ts'

/** What a client sees, and the change that makes it so. */
export type DefectEntry = readonly [text: string, override: Override]

/**
 * Defects of one part by the requirement that they break, without the part's name. A second defect of the same
 * requirement has a word of its own after `~`: `session.region-echoed~upper-case`.
 */
export const defectsOf = (part: string, entries: Readonly<Record<string, DefectEntry>>): Defect[] =>
  Object.entries(entries).map(([key, [text, override]]) => ({
    id: `${part}.${key}`,
    requirement: `${part}.${key.split('~')[0] ?? key}`,
    text,
    override,
  }))
