import type { Override } from '../behaviour/behaviour.ts'
import type { Variation } from '../deviation.ts'

/** A change, or one with what else is to be said of it. */
type Legal = Override | Omit<Variation, 'id' | 'section' | 'text'>

/**
 * A row for each variation: its id, the section that leaves it open and what a client sees, then the change that makes it
 * so: `failures-with-422 §3.2: A failure has the status 422.`
 */
type Rows = Readonly<Record<`${string} §${string}: ${string}`, Legal>>

export const variationsOf = (rows: Rows): Variation[] =>
  Object.entries(rows).map(([row, legal]) => {
    const [id = '', section = '', text = ''] = /^(\S+) §(\S+): (.+)$/.exec(row)?.slice(1) ?? []
    return { id, section, text, ...(typeof legal === 'function' ? { override: legal } : legal) }
  })
