import type { Override } from '#target/behaviour/behaviour'
import type { Defect } from '#target/deviation'
import { several } from '#target/overrides/operators'

/**
 * A row for each defect: the rest of its id and what a client sees, then the change that makes it so. A second defect of
 * the same requirement has a word of its own after `~`: `region-echoed~upper-case: A region comes back in capitals.`
 */
export type Rows = Readonly<Record<`${string}: ${string}`, Override | readonly Override[]>>

/** The defects of a subject, such as `avatar-sessions.session`. */
export const defectsOf = (subject: string, rows: Rows): Defect[] =>
  Object.entries(rows).map(([row, change]) => {
    const end = row.indexOf(': ')
    const id = `${subject}.${row.slice(0, end)}`
    const [requirement = id] = id.split('~')
    const override = typeof change === 'function' ? change : several(...change)
    return { id, requirement, text: row.slice(end + 2), override }
  })
