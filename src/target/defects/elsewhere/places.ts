import type { Rule } from '#target/behaviour/rules/rule'
import { isWire, type Wire, wiresAt } from '#target/wire'
import type { DefectEntry } from '../table.ts'
import type { Behaviour, Override } from '#target/behaviour/behaviour'

/** One end of a list: the only one that a careless loop, or one that is left too early, looks at. */
export type End = 'first' | 'last'

export const endOf = <Member>(list: readonly Member[], end: End): Member[] =>
  end === 'first' ? list.slice(0, 1) : list.slice(-1)

/** The same object with nothing but one end of a list in it. */
export const narrowed = (object: unknown, key: string, end: End): Wire => {
  const whole = isWire(object) ? object : {}
  return Array.isArray(whole[key]) ? { ...whole, [key]: endOf(wiresAt(whole, key), end) } : whole
}

/** Shows a rule less than there is to be seen. */
export function showLess<Input>(rule: Rule<Input>, less: (input: Input) => Input): void {
  const { broken } = rule
  rule.broken = (input) => broken(less(input))
}

/** A rule of the target, and what a client sees of it where only one end is looked at. */
export interface Looked {
  /** Id of the requirement without its part. */
  readonly row: string
  /** What is looked at. */
  readonly what: string
  readonly look: (behaviour: Behaviour, end: End) => void
}

/** Two defects for each: only the first one is looked at, only the last one is. */
export const atEnds = (word: string, looked: readonly Looked[]): Record<string, DefectEntry> =>
  Object.fromEntries(
    looked.flatMap(({ row, what, look }) =>
      (['first', 'last'] as const).map((end): [string, DefectEntry] => {
        const override: Override = (behaviour) => look(behaviour, end)
        return [`${row}~${end}-${word}`, [`Only the ${end} ${word} is looked at for ${what}.`, override]]
      }),
    ),
  )
