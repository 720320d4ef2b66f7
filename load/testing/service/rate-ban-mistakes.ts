import { slidingWindow } from './limiters.ts'
import type { Mistake } from './mistake.ts'

/** For so many minutes a key is shut. */
const SHUT = 5

/** Mistakes that take a target so long to show that nothing would be judged before a run has to end. */
export const rateBanMistakes = {
  'shut-for-five-minutes-told-of-one': {
    text: 'A key that crossed its limit is shut for five minutes, and told each time to come back in one.',
    laws: ['retry-after-untruthful'],
    seed: (rules) => {
      rules.limiter = (state, perMinute, now, minuteMs) => {
        if (state.since !== undefined && now - state.since < SHUT * minuteMs) return minuteMs
        const wait = slidingWindow(state, perMinute, now, minuteMs)
        if (wait > 0) state.since = now
        return wait > 0 ? minuteMs : 0
      }
    },
  },
} as const satisfies { readonly [name: string]: Mistake }
