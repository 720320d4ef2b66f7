import { expect, test } from 'vitest'
import { ask, created, done, first, later, ping, text, update, updated } from '#testing/channel/meetings'
import { quiet } from '#testing/channel/opened'
import type { Step, Steps } from '#testing/channel/steps'
import { come, failed, send } from '#testing/channel/talk'
import { verdictsOf } from '#testing/channel/verdicts'
import { schedules } from './scheduling.rules.ts'

const broken = (...steps: Steps): readonly string[] => verdictsOf([schedules], [...first, ...steps, quiet]).broken

const on = (step: Step): Step => ('channel' in step ? { ...step, channel: 'two' } : step)
const reconnected: Steps = [
  { what: 'end', channel: 'one', by: 'us' },
  { what: 'open', channel: 'two', session: 'text' },
]

test('a connection that asked and was answered in full may end, and what follows is judged', () => {
  const legal = [ask('r1'), created('r1'), done('r1')].map(on)
  expect(broken(...reconnected, ...legal)).toEqual([])
  const refused = [ask('r1'), failed('r1')].map(on)
  expect(broken(...reconnected, ...refused)).toContain('scheduling.reject-if-busy-idle-starts')
  // What was on its way may have begun.
  expect(broken(ask('i1'), ...reconnected, ...refused)).toEqual([])
})

test('what is lost beside an update or an addition is told as harmed by it', () => {
  const harmed = broken(ask('i1'), created('i1'), ask('q2'), ...ping(), update('u'), updated('u'), done('i1'))
  expect(harmed).toContain('snapshot.later-session-update-harmless')
})

test('a second one that waits and starts is named where it takes the place of the first', () => {
  const taken = [ask('i1'), created('i1'), ask('q2'), ask('q3'), ...ping(), ...ping(), later, text('i1')]
  expect(broken(...taken, done('i1'), created('q3'), done('q3'))).toContain('scheduling.pending-second-rejected')
})

test('what is told as begun and cut at once by the interruption that cleared it was not to begin', () => {
  const busy = [ask('i1'), created('i1'), ask('q2'), ...ping(), later, text('i1'), ask('i3')]
  const told = [created('q2'), done('q2', 'cancelled'), done('i1', 'cancelled'), created('i3'), done('i3')]
  expect(broken(...busy, ...told)).toContain('scheduling.interrupt-clears-pending')
})

test('what is active may end when its item is deleted while that streams, and what waits runs', () => {
  const busy = [ask('i1'), created('i1'), text('i1'), ask('q2'), ...ping(), later, text('i1')]
  const deleted = [
    send('x', 'conversation.item.delete', { item_id: 'm-i1' }),
    come('x.deleted', 'conversation.item.deleted', { item_id: 'm-i1' }),
  ]
  const end = [done('i1', 'cancelled'), created('q2'), done('q2')]
  expect(broken(...busy, ...deleted, ...end)).toEqual([])
  expect(broken(...busy, ...end)).toContain('scheduling.after-current-leaves-active')
})
