import { expect, test } from 'vitest'
import { ask, created, done, first, later, ping, text } from '#testing/channel/meetings'
import { quiet } from '#testing/channel/opened'
import type { Steps } from '#testing/channel/steps'
import { failed } from '#testing/channel/talk'
import { verdictsOf } from '#testing/channel/verdicts'
import { schedules } from './scheduling.rules.ts'

// "Whether a pending response runs when the active one failed or was cancelled" is not said.

/** The active one fails, and what took the place of the one that waited runs. */
const replaced: Steps = [done('i1', 'failed'), created('q3'), done('q3')]

test.each<[what: string, steps: Steps]>([
  [
    'a failure that takes with it what waits, without a word',
    [ask('i1'), created('i1'), ask('q2'), ...ping(), later, done('i1', 'failed')],
  ],
  [
    'a failure that takes with it what waits, and says so',
    [ask('i1'), created('i1'), ask('q2'), ...ping(), later, done('i1', 'failed'), failed('q2')],
  ],
  [
    'a failure that takes with it what waits, says so, and leaves the session busy until it is told',
    [ask('i1'), created('i1'), ask('q2'), ...ping(), failed('q2'), ask('r3'), failed('r3'), done('i1', 'failed')],
  ],
  [
    'a failure that takes with it what waits, says so, and takes another one in its place before it is told',
    [ask('i1'), created('i1'), ask('q2'), ...ping(), failed('q2'), ask('q3'), ask('q4'), failed('q4'), ...replaced],
  ],
  [
    'a failure that takes with it what waits, and leaves the session idle before it is told',
    [ask('i1'), created('i1'), ask('q2'), ask('r3'), ...ping(), later, done('i1', 'failed'), created('r3'), done('r3')],
  ],
])('%s is legal', (_, steps) => {
  expect(verdictsOf([schedules], [...first, ...steps, quiet]).broken).toEqual([])
})

/** Nothing waits, and one that would is refused its place. */
const refused: Steps = [ask('i1'), created('i1'), ask('q2'), failed('q2')]
const interrupted: Steps = [ask('i3'), done('i1', 'cancelled'), created('i3'), done('i3')]

test.each<[what: string, steps: Steps, broken: readonly string[]]>([
  [
    'goes on speaking until it is interrupted: there was a place',
    [text('i1'), ...interrupted],
    ['scheduling.after-current-queued', 'scheduling.pending-one-accepted'],
  ],
  ['is interrupted without another word, and may have failed before', interrupted, []],
  ['speaks on, and fails', [text('i1'), done('i1', 'failed')], []],
])('what is active when one is refused %s', (_, steps, expected) => {
  const { broken } = verdictsOf([schedules], [...first, ...refused, ...steps, quiet])
  expect([...broken].toSorted()).toEqual(expected)
})
