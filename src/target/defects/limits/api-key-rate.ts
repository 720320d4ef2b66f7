import { type RateDecision, slidingWindow, tokenBucket } from '#target/behaviour/access/rate'
import { around, set } from '#target/overrides/operators'
import { defectsOf } from '../tools/table.ts'

const admitted: RateDecision = { admitted: true, retryAfterSeconds: 0 }

export const apiKeyRateDefects = defectsOf('limits.api-key-rate', {
  'exceeding-refused: No key is ever limited.': set('rate.decide', () => admitted),
  'exceeding-refused~failures: Requests that are answered with a failure do not count.': set(
    'rate.afterFailure',
    (state) => {
      state.level += 1
      state.times.pop()
    },
  ),
  'below-limit-admitted: A key is limited at two thirds of its limit.': set('rate.perMinute', (account) =>
    Math.floor((account.requestsPerMinute * 2) / 3),
  ),
  'retry-after: A limited key is not told when to come back.': set('http.retryAfter', () => undefined),
  'recovers: A key that crossed its limit is never admitted again.': set('rate.decide', (state, perMinute, now) => {
    const decision: RateDecision =
      state.times.length > 0 ? { admitted: false, retryAfterSeconds: 1 } : tokenBucket(state, perMinute, now)
    if (!decision.admitted) state.times = [now]
    return decision
  }),
  'per-key: When one key crosses its limit, all are refused for five seconds.': around('rate.decide', () => {
    let until = 0
    return (state, perMinute, now) => {
      if (now < until) return { admitted: false, retryAfterSeconds: Math.ceil((until - now) / 1000) }
      const decision = tokenBucket(state, perMinute, now)
      if (!decision.admitted) until = now + 5000
      return decision
    }
  }),
  'per-key~together: The requests of all keys count for each of them.': [
    set('rate.scope', () => 'all'),
    set('rate.decide', slidingWindow),
  ],
  'counts-reads: Only creates and closes count.': set('rate.counts', (operation) => /create|close/u.test(operation)),
  'counts-reads~list: List Sessions does not count.': set(
    'rate.counts',
    (operation) => operation !== 'list-avatar-sessions',
  ),
  'counts-creates: Creates do not count.': set('rate.counts', (operation) => !operation.startsWith('create')),
  'counts-creates~character-starts: Create Session from Character does not count.': set(
    'rate.counts',
    (operation) => operation !== 'create-session-from-character',
  ),
  'counts-characters: Lists of characters do not count.': set(
    'rate.counts',
    (operation) => operation !== 'list-characters',
  ),
  'counts-characters~writes: PUT and DELETE of characters do not count.': set(
    'rate.counts',
    (operation) => !/^(replace|delete)-character$/u.test(operation),
  ),
  'counts-voices: Voices do not count.': set('rate.counts', (operation) => !operation.includes('voice')),
  'counts-voices~uploads: Uploads do not count.': set('rate.counts', (operation) => operation !== 'upload-audio'),
  'counts-worlds: Worlds do not count.': set('rate.counts', (operation) => !operation.includes('world')),
  'refused-create-makes-nothing: A create over the limit makes its session all the same.': set(
    'rate.actsAnyway',
    (operation) => operation.startsWith('create'),
  ),
})
