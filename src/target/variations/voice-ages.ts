import { around, remembering } from '#target/overrides/operators'
import type { Override } from '../behaviour/behaviour.ts'

/** What goes by how long ago a voice was cloned, in milliseconds; one that was there from the start is as old as time. */
export const byAge = (make: (ageOf: (id: string) => number) => Override): Override =>
  remembering(() => {
    const made = new Map<string, number>()
    return [
      around('voices.id', (id) => (random, account) => {
        const drawn = id(random, account)
        made.set(drawn, Date.now())
        return drawn
      }),
      make((id) => Date.now() - (made.get(id) ?? 0)),
    ]
  })
