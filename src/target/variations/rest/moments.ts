import { around, remembering } from '#target/overrides/operators'
import type { Override } from '#target/behaviour/behaviour'
import { everyNth } from '../every-nth.ts'
import { variationsOf } from '../table.ts'

/** Successes are held back for as long as this says. */
const holding = (make: () => (operation: string) => number): Override =>
  remembering(() => {
    const more = make()
    return around('http.holdsMs', (holds) => (operation) => holds(operation) + more(operation))
  })

/** How long it takes until what serves an operation is there, in milliseconds. */
const cold_ms = 3_500

/** From one time at which answers go out to the next, in milliseconds. */
const tick_ms = 350

/** When answers come: no time is promised. */
export const momentVariations = variationsOf({
  'operations-start-cold §Conventions: The first success of each operation takes three seconds and a half (no time is promised).':
    holding(() => {
      const warm = new Set<string>()
      return (operation) => {
        if (warm.has(operation)) return 0
        warm.add(operation)
        return cold_ms
      }
    }),
  'answers-in-bunches §Conventions: Answers go out together, three times a second (no time is promised).': holding(
    () => () => tick_ms - (Date.now() % tick_ms),
  ),
  'creates-grow-slower §4.1: Each create takes a fiftieth of a second longer than the one before, up to a second (no time is promised).':
    holding(() => {
      let count = 0
      return (operation) => (/^create-.*session/u.test(operation) ? Math.min(1000, 20 * (count += 1)) : 0)
    }),
  'closes-slow-at-times §3.1: Every third close takes two seconds and a half (no time is promised).': holding(() => {
    const isSlow = everyNth(3, 0)
    return (operation) => (operation.startsWith('close-') && isSlow() ? 2500 : 0)
  }),
  'reads-of-sessions-slow-at-times §4.1: Every fifth Get or List of avatar sessions takes a second and a half (no time is promised).':
    holding(() => {
      const isSlow = everyNth(5, 0)
      return (operation) => (/^(?:get|list)-avatar/u.test(operation) && isSlow() ? 1500 : 0)
    }),
  'upgrades-slow-at-times §5: Every seventh upgrade takes four seconds (no time is promised).': remembering(() => {
    const isSlow = everyNth(7, 0)
    return ({ channel }) =>
      void Object.defineProperty(channel, 'upgradeMs', {
        get: () => (isSlow() ? 4000 : 0),
        // Another variation beside this one may set its own.
        set: () => {},
      })
  }),
})
