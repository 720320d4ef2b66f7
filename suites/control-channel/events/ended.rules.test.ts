import { expect, test } from 'vitest'
import { opened, quiet } from '#testing/channel/opened'
import type { Step, Steps } from '#testing/channel/steps'
import { come, failed, pass, send, state } from '#testing/channel/talk'
import { verdictsOf } from '#testing/channel/verdicts'
import { endedByErrors } from './ended.rules.ts'

const row = 'error.usable-after-unknown-type'
type By = Extract<Step, { what: 'end' }>['by']

/** An unknown event on a connection of its own, the error about it, and what became of the connection after some time. */
function fault(channel: string, after: number, by: By = 'target'): Steps {
  const told: Steps = [send(channel, 'session.rewind'), failed(channel)].map((step) =>
    'event' in step ? { ...step, channel } : step,
  )
  return [{ what: 'open', channel, session: 's' }, ...told, pass(after), { what: 'end', channel, by }]
}

const broken = (...steps: readonly Steps[]) =>
  verdictsOf([endedByErrors], [...opened('s', state('text_chat', 'guide')), ...steps.flat(), quiet]).broken

test('connections that all end upon such an error were ended by it', () => {
  expect(broken(fault('a', 40), fault('b', 70), fault('c', 200))).toEqual([row])
})

test('two may have ended by accident, and one that went on shows that the others did', () => {
  expect(broken(fault('a', 40), fault('b', 70))).toEqual([])
  expect(broken(fault('a', 40), fault('b', 70), fault('c', 200), fault('d', 2_000))).toEqual([])
})

test('what we end, or the network, is not ended by the target', () => {
  expect(broken(...['a', 'b', 'c'].map((one) => fault(one, 40, 'us')))).toEqual([])
  expect(broken(...['a', 'b', 'c'].map((one) => fault(one, 40, 'network')))).toEqual([])
})

test('a target that ends connections anyway needs no error for it', () => {
  const idle = ['x', 'y', 'z'].map(
    (channel): Steps => [{ what: 'open', channel, session: 's' }, pass(500), { what: 'end', channel, by: 'target' }],
  )
  expect(broken(fault('a', 40), fault('b', 70), fault('c', 200), ...idle)).toEqual([])
})

test('the end of the session ends its connections', () => {
  const closed = come('end', 'session.closed', { session_id: 's', reason: 'maintenance' })
  expect(broken(fault('a', 40), fault('b', 70), fault('c', 200), [closed])).toEqual([row])
  const ends = ['a', 'b', 'c'].map((one) =>
    fault(one, 40).flatMap((step) =>
      step.what === 'pass' && 'event' in closed ? [{ ...closed, channel: one }, step] : [step],
    ),
  )
  expect(broken(...ends)).toEqual([])
})
