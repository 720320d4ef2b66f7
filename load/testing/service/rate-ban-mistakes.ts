import { slidingWindow } from './limiters.ts'
import type { Mistake } from './mistake.ts'

/** For so many minutes a key is shut. */
const SHUT = 5

/** All others are told the truth. */
const tellsASecond = (to: string, text: string): Mistake => ({
  text,
  laws: ['retry-after-untruthful'],
  seed: (rules) => {
    const { retryAfter } = rules
    rules.limiter = slidingWindow
    rules.retryAfter = (waitMs, now, operation) => (operation === to ? '1' : retryAfter(waitMs, now, operation))
  },
})

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
  'shut-from-the-second-time-on': {
    text: 'A key that crosses its limit again is shut for two minutes and a half, and told each time to come back in a sixth of one.',
    laws: ['retry-after-untruthful', 'rate-never-recovers'],
    seed: (rules) => {
      let [crossed, refusedAt, shutUntil] = [0, Number.NEGATIVE_INFINITY, 0]
      rules.limiter = (state, perMinute, now, minuteMs) => {
        const wait = now < shutUntil ? minuteMs / 6 : slidingWindow(state, perMinute, now, minuteMs)
        if (wait === 0) return 0
        if (now - refusedAt > minuteMs) crossed += 1
        if (crossed > 1 && now >= shutUntil) shutUntil = now + 2.5 * minuteMs
        refusedAt = now
        return crossed > 1 ? minuteMs / 6 : wait
      }
    },
  },
  'retry-after-a-second-from-the-second-time-on': {
    text: 'The first time that a key crosses its limit it is told the truth, and later to come back in a second.',
    laws: ['retry-after-untruthful'],
    seed: (rules) => {
      const { retryAfter } = rules
      let [crossed, toldAt] = [0, Number.NEGATIVE_INFINITY]
      rules.limiter = slidingWindow
      rules.retryAfter = (waitMs, now, operation) => {
        if (now - toldAt > rules.minuteMs) crossed += 1
        toldAt = now
        return crossed > 1 ? '1' : retryAfter(waitMs, now, operation)
      }
    },
  },
  'retry-after-five-seconds-short': {
    text: 'Whoever is refused is told to come back five seconds too early, and in a second at least.',
    laws: ['retry-after-untruthful'],
    seed: (rules) => {
      rules.limiter = slidingWindow
      rules.retryAfter = (waitMs) => String(Math.max(1, Math.ceil(waitMs / 1_000) - 5))
    },
  },
  'retry-after-a-second-for-creates': tellsASecond(
    'create',
    'Creates over the limit are told to come back in a second.',
  ),
  'retry-after-a-second-for-lists': tellsASecond('list', 'Lists over the limit are told to come back in a second.'),
  'retry-after-a-second-for-gets': tellsASecond('get', 'Gets over the limit are told to come back in a second.'),
} as const satisfies { readonly [name: string]: Mistake }
