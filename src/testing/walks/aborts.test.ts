import { expect, test } from 'vitest'
import { volleySize } from '#scenario/author/volley'
import { environmentOf, profileOf } from '#target/profile'
import { startTarget } from '#target/start'
import { WHOLE_RUN_MS } from '../hang.ts'
import { judgedRun } from '../judged-run.ts'

/** The run is given up while this request is on its way: the walk is in the midst of something then. */
const last = 4

const nothing = { sessions: [], worlds: [], characters: [] }

test.each([
  'avatar-sessions.session-life-property-long',
  'characters.lives-property-long',
  'limits.places-property',
  'voices.library-property',
  'world-sessions.lives-property-long',
])('after an abort %s only ends what it made, and nothing stays open', { timeout: WHOLE_RUN_MS }, async (id) => {
  const abort = new AbortController()
  let arrived = 0
  // The clock is looked at when a request comes in, before anything is done.
  const clock = (): number => {
    arrived += 1
    if (arrived === last) abort.abort()
    return Date.now()
  }
  const target = await startTarget({ tls: false, clock })
  try {
    const [profile, environment] = [profileOf(target), environmentOf(target)]
    const wishes = { only: [id], tier: 'full', signal: abort.signal } as const
    const { trace, end, results } = await judgedRun({ profile, environment, ...wishes })
    const requests = trace.entries.flatMap((entry) => (entry.kind === 'request' ? [entry] : []))
    expect(end).toBe('interrupted')
    expect(requests.length).toBeGreaterThanOrEqual(last)
    // What ends what was made belongs to no scenario; requests that were sent at once are on their way by then.
    const later = requests.slice(last + volleySize - 1)
    expect(later.filter(({ scenario }) => scenario === id).map(({ operation }) => operation)).toEqual([])
    await expect.poll(() => target.left()).toEqual(nothing)
    expect(results.leaked).toEqual([])
  } finally {
    await target.stop()
  }
})
