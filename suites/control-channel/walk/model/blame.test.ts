import { expect, test } from 'vitest'
import { opened, quiet } from '#testing/channel/opened'
import type { Step, Steps } from '#testing/channel/steps'
import { come, failed, message, pass, resource, send, speech, state } from '#testing/channel/talk'
import { verdictsOf } from '#testing/channel/verdicts'
import { schedules } from './scheduling.rules.ts'

const words = 'Once upon a time there was a river.'

/** Requests, all with the same words: `i` interrupts, `r` rejects if busy, `q` waits. */
const policies = { i: 'interrupt', r: 'reject_if_busy', q: 'after_current_response' } as const
const ask = (id: string): Step => {
  const scheduling_policy = policies[id[0] as keyof typeof policies]
  return send(id, 'response.create', { response: speech(words, { scheduling_policy }) })
}
const created = (id: string): Step =>
  come(`${id}.created`, 'response.created', { request_event_id: id, response: resource(`r-${id}`, 'in_progress') })
const done = (id: string, status = 'completed'): Step =>
  come(`${id}.done`, 'response.done', { response: resource(`r-${id}`, status) })

const update = (id: string): Step => send(id, 'session.update', { session: { active_avatar_id: 'guide' } })
const updated = (id: string): Step =>
  come(`${id}.done`, 'session.update.done', { request_event_id: id, status: 'completed' })

/** What was sent before it was read; a while later it was handled, too. */
let pings = 0
const ping = (): Steps => {
  pings += 1
  const known = message('known', 'user', 'Hello.')
  return [
    send(`ping${pings}`, 'conversation.item.retrieve', { item_id: 'known' }),
    come(`pong${pings}`, 'conversation.item.retrieved', { item: known }),
  ]
}
const later: Step = pass(400)
const text = (id: string): Step =>
  come(`${id}.delta`, 'response.output_text.delta', {
    response_id: `r-${id}`,
    item_id: `m-${id}`,
    output_index: 0,
    delta: 'Once ',
  })

/** The first response tells that the words are fine. */
const first: Steps = [
  ...opened('text', state('text_chat', 'guide')),
  send('known', 'conversation.item.create', { item: message('known', 'user', 'Hello.') }),
  come('known.created', 'conversation.item.created', {
    previous_item_id: null,
    item: message('known', 'user', 'Hello.'),
  }),
  ask('i0'),
  created('i0'),
  done('i0'),
]
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
