import { expect, test } from 'vitest'
import { environmentOf, profileOf } from '#target/profile'
import type { TargetOptions } from '#target/options'
import { startTarget } from '#target/start'
import { judgedRun } from '#testing/judged-run'

/** Of the sessions that a run makes for this scenario, the first of the creates that come at once. */
const ofVolley = 3

/**
 * The create that gets the one free place fails, so that it is sent again a second later; the place goes to another one
 * meanwhile, whose session the service ends by itself, and is there for the first when it comes.
 */
const endsMeanwhile: TargetOptions['override'] = ({ create, lifecycle }) => {
  let sessions = 0
  create.internalError = (count) => (count === ofVolley ? 'before' : undefined)
  lifecycle.maintainedAfterMs = () => {
    sessions += 1
    return sessions === ofVolley ? 140 : Infinity
  }
}

test('a session that the service ended holds no place that a close could free', async () => {
  const target = await startTarget({ tls: false, concurrentSessions: 1, override: endsMeanwhile })
  try {
    const { results } = await judgedRun({
      profile: profileOf(target),
      environment: environmentOf(target),
      only: ['limits.concurrency'],
    })
    const verdicts = new Map(results.requirements.map(({ id, verdict }) => [id, verdict]))
    expect([...verdicts].filter(([, verdict]) => verdict === 'fail')).toEqual([])
    expect(verdicts.get('characters.create.holds-no-quota')).toBe('pass')
  } finally {
    await target.stop()
  }
})
