import { expect, test } from 'vitest'
import { ask, created, done, first, later, ping, text, update, updated } from '#testing/channel/meetings'
import { quiet } from '#testing/channel/opened'
import type { Step, Steps } from '#testing/channel/steps'
import { come, failed, pass, resource, send, speech } from '#testing/channel/talk'
import { verdictsOf } from '#testing/channel/verdicts'
import { schedules } from './scheduling.rules.ts'

const cancel = (id: string): Step => send(id, 'response.cancel')

/** One is active, one waits, and another one would wait; the first one spoke until it was over. */
const three: Steps = [ask('i1'), created('i1'), ask('q2'), ask('q3')]
const spoken: Steps = [later, text('i1'), done('i1'), created('q2')]

const broken = (...steps: Steps): readonly string[] => verdictsOf([schedules], [...first, ...steps, quiet]).broken

test.each<[what: string, steps: Steps]>([
  [
    'a queue of one',
    [ask('q1'), created('q1'), ask('q2'), ask('q3'), failed('q3'), done('q1'), created('q2'), done('q2')],
  ],
  ['an end before the answer', [ask('i1'), created('i1'), ask('r2'), done('i1'), created('r2'), done('r2')]],
  ['a refusal just before the end', [ask('i1'), created('i1'), ask('r2'), done('i1'), failed('r2')]],
  [
    'a start before the end of the one it interrupts',
    [ask('i1'), created('i1'), ask('i2'), created('i2'), done('i1', 'cancelled'), done('i2')],
  ],
  ['an interruption that came too late', [ask('i1'), created('i1'), ask('i2'), done('i1'), created('i2'), done('i2')]],
  [
    'a cancel that lets run what waits',
    [ask('i1'), created('i1'), ask('q2'), cancel('c'), done('i1', 'cancelled'), created('q2'), done('q2')],
  ],
  ['a cancel that clears what waits', [ask('i1'), created('i1'), ask('q2'), cancel('c'), done('i1', 'cancelled')]],
  [
    'an update that ends what is active, and leaves what waits',
    [ask('i1'), created('i1'), ask('q2'), update('u'), done('i1', 'cancelled'), created('q2'), done('q2')],
  ],
  ['a failure of its own', [ask('i1'), created('i1'), done('i1', 'failed'), ask('r2'), created('r2'), done('r2')]],
  [
    'an end by an update that takes with it what waits for it since',
    [ask('i1'), created('i1'), update('u'), updated('u'), ask('q2'), ...ping(), later, done('i1', 'cancelled')],
  ],
  [
    'a slow one that overtakes',
    [ask('i1'), created('i1'), ask('q2'), ask('q3'), failed('q2'), done('i1'), created('q3'), done('q3')],
  ],
  [
    'one that overtakes what is handled a moment after what was sent behind it',
    [ask('i1'), created('i1'), ask('q2'), ...ping(), ask('q3'), failed('q2'), done('i1'), created('q3'), done('q3')],
  ],
  [
    'an answer that comes late',
    [ask('i1'), pass(20_000), created('i1'), done('i1'), ask('r2'), pass(20_000), ...ping(), created('r2'), done('r2')],
  ],
  ['an interruption of what was not told yet, and never is', [ask('i1'), ask('i2'), created('i2'), done('i2')]],
  [
    'an action in text that is passed over',
    [
      send('v', 'response.create', { response: { script: { visual: { prompt: 'Nods.' } } } }),
      quiet,
      ask('i1'),
      created('i1'),
      done('i1'),
    ],
  ],
  ['a refusal that comes late', [ask('i1'), created('i1'), ask('r2'), done('i1'), pass(20_000), failed('r2')]],
])('%s is legal', (_, steps) => {
  expect(broken(...steps)).toEqual([])
})

const heard = (...steps: Steps): readonly string[] =>
  verdictsOf([schedules], [...first, ...steps, quiet], { recording: 'watch' }).broken

test.each<[what: string, steps: Steps]>([
  ['what never starts', [ask('i1')]],
  ['what waits, and does not start', [ask('i1'), created('i1'), ask('q2'), ...ping(), later, done('i1')]],
  [
    'what was handled long after what was sent behind it',
    [
      ask('i1'),
      created('i1'),
      ask('q2'),
      ask('q3'),
      ...ping(),
      later,
      text('i1'),
      done('i1'),
      created('q2'),
      done('q2'),
      created('q3'),
      done('q3'),
    ],
  ],
  [
    'a text that is refused for what it says',
    [ask('i1'), created('i1'), send('i2', 'response.create', { response: speech('No!') }), failed('i2'), done('i1')],
  ],
  [
    'a text that is refused after an update',
    [send('u', 'session.update', { session: { active_avatar_id: 'host' } }), ask('i1'), failed('i1')],
  ],
])('in a recording %s may be legal', (_, steps) => {
  expect(heard(...steps)).toEqual([])
})

test('in a recording order alone shows what is wrong', () => {
  expect(heard(ask('i2'), failed('i2'))).toContain('scheduling.interrupt-idle-starts')
  const refusedFirst = [ask('i1'), created('i1'), ask('q2'), ask('q3'), failed('q3'), done('i1'), created('q2')]
  expect(heard(...refusedFirst, done('q2'), created('q3'), done('q3'))).toContain(
    'scheduling.pending-second-never-starts',
  )
})

test.each<[row: string, steps: Steps]>([
  ['after-current-runs', [ask('i1'), created('i1'), ask('q2'), ...ping(), done('i1')]],
  [
    'after-current-runs',
    [ask('i1'), created('i1'), ask('q2'), ...ping(), done('i1'), ask('r3'), created('r3'), done('r3')],
  ],
  [
    'reject-if-busy-leaves-pending',
    [ask('i1'), created('i1'), ask('q2'), ...ping(), ask('r3'), failed('r3'), done('i1')],
  ],
  [
    'pending-second-leaves-first',
    [ask('i1'), created('i1'), ask('q2'), ...ping(), ask('q3'), failed('q3'), done('i1')],
  ],
  [
    'interrupt-leaves-later-pending',
    [ask('i1'), created('i1'), ask('i2'), done('i1', 'cancelled'), created('i2'), ask('q3'), ...ping(), done('i2')],
  ],
  ['pending-second-rejected', [...three, ...ping(), ...spoken, done('q2'), created('q3'), done('q3')]],
  // What got a place that it must not have takes it from the next one.
  ['pending-second-rejected', [...three, ...ping(), ...spoken, ask('q4'), failed('q4'), done('q2'), created('q3')]],
  ['pending-second-rejected', [...three, failed('q2'), ...ping(), ...spoken, done('q2')]],
  [
    'pending-second-never-starts',
    [
      ask('i1'),
      created('i1'),
      ask('q2'),
      ask('q3'),
      failed('q3'),
      done('i1'),
      created('q2'),
      done('q2'),
      created('q3'),
      done('q3'),
    ],
  ],
  [
    'pending-runs-once',
    [
      ask('q1'),
      created('q1'),
      done('q1'),
      come('x', 'response.created', { request_event_id: 'q1', response: resource('r-x', 'in_progress') }),
      come('y', 'response.done', { response: resource('r-x', 'completed') }),
    ],
  ],
  [
    'pending-slot-frees',
    [ask('i1'), created('i1'), ask('q2'), done('i1'), created('q2'), ask('q3'), failed('q3'), done('q2')],
  ],
  [
    'interrupt-clears-pending',
    [
      ask('i1'),
      created('i1'),
      ask('q2'),
      ...ping(),
      later,
      ask('i3'),
      done('i1', 'cancelled'),
      created('i3'),
      done('i3'),
      created('q2'),
      done('q2'),
    ],
  ],
  ['interrupt-starts-new', [ask('i1'), created('i1'), ask('i2'), failed('i2'), done('i1')]],
  ['interrupt-idle-starts', [ask('i1'), failed('i1')]],
  [
    'reject-if-busy-active-rejected',
    [ask('i1'), created('i1'), ask('r2'), done('i1', 'cancelled'), created('r2'), done('r2')],
  ],
  ['reject-if-busy-leaves-active', [ask('i1'), created('i1'), ask('r2'), failed('r2'), done('i1', 'cancelled')]],
  [
    'reject-if-busy-leaves-active',
    [update('u'), updated('u'), ask('i1'), created('i1'), ask('r2'), failed('r2'), done('i1', 'cancelled')],
  ],
  ['idle-after-done', [ask('r1'), failed('r1')]],
  ['after-current-idle-starts', [ask('q1'), failed('q1')]],
])('%s', (row, steps) => {
  expect(broken(...steps)).toContain(`scheduling.${row}`)
})

test.each<[what: string, steps: Steps]>([
  [
    'an error that names nobody',
    [
      ask('i1'),
      created('i1'),
      ask('q2'),
      ...ping(),
      come('e', 'error', { error: { type: 'x', message: 'x' } }),
      done('i1'),
    ],
  ],
  [
    'a failure of the server',
    [
      ask('i1'),
      created('i1'),
      ask('q2'),
      ...ping(),
      come('e', 'error', { error: { type: 'server_error', message: 'x', event_id: 'q2' } }),
      done('i1'),
    ],
  ],
  [
    'a response that names no request',
    [come('x', 'response.created', { response: resource('r-x', 'in_progress') }), ask('r2'), failed('r2')],
  ],
  [
    'the end of the session, told behind what it cut short',
    [
      ask('i1'),
      created('i1'),
      ask('q2'),
      done('i1', 'cancelled'),
      come('closed', 'session.closed', { session_id: 'ses_1', reason: 'maintenance' }),
    ],
  ],
  [
    'the end of the session, told long behind what it cut short',
    [
      ask('i1'),
      created('i1'),
      ask('q2'),
      done('i1', 'cancelled'),
      pass(6_000),
      come('closed', 'session.closed', { session_id: 'ses_1', reason: 'maintenance' }),
    ],
  ],
  [
    'the end of the session, of which nothing but the end of the connection tells',
    [ask('i1'), created('i1'), ask('q2'), done('i1', 'cancelled'), { what: 'end', channel: 'one', by: 'target' }],
  ],
  ['the end of the connection', [ask('i1'), created('i1'), ask('q2'), { what: 'end', channel: 'one', by: 'us' }]],
])('nothing is said after %s', (_, steps) => {
  expect(broken(...steps)).toEqual([])
})

test('where more orders are possible than are followed, the rows say so', () => {
  const flood = Array.from({ length: 14 }, (_, place) => ask(`${'iq'[place % 2]}${place + 1}`))
  const { broken: red, open } = verdictsOf([schedules], [...first, ...flood, done('i0'), quiet])
  expect(red).toEqual([])
  expect(open.get('scheduling.pending-second-rejected')).toContain('more than 2000 orders')
})

test('what comes when all of that is answered is judged again', () => {
  const names = Array.from({ length: 14 }, (_, place) => `i${place + 1}`)
  const answers = names.flatMap((name) => [created(name), done(name, 'cancelled')])
  const flood = [...names.map(ask), done('i0', 'cancelled'), ...answers]
  const { open } = verdictsOf([schedules], [...first, ...flood, ask('r20'), created('r20'), done('r20'), quiet])
  expect(open.get('scheduling.pending-second-rejected')).toContain('more than 2000 orders')
  expect(broken(...flood, ask('r20'), failed('r20'))).toContain('scheduling.idle-after-done')
  // One that never heard anything may still be there, and in the way.
  expect(broken(ask('i30'), ...flood, ask('r20'), failed('r20'))).not.toContain('scheduling.idle-after-done')
})

test('what interruptions clear, one after the other, does not add up to more orders than are followed', () => {
  const rounds = Array.from({ length: 14 }, (_, round) => [
    ask(`i${round + 1}a`),
    created(`i${round + 1}a`),
    ask(`q${round + 1}b`),
    ...ping(),
    later,
    ask(`i${round + 1}c`),
    done(`i${round + 1}a`, 'cancelled'),
    created(`i${round + 1}c`),
    done(`i${round + 1}c`),
  ]).flat()
  const { broken: red, open } = verdictsOf([schedules], [...first, ...rounds, ask('r20'), failed('r20'), quiet])
  expect([...open.values()].filter((why) => why.includes('orders'))).toEqual([])
  expect(red).toContain('scheduling.idle-after-done')
})

test('silence on a connection that was dead says nothing, whatever was sent into it', () => {
  const steps: Steps = [ask('i1'), created('i1'), done('i1'), ask('i2'), pass(30_000), send('c', 'response.cancel')]
  expect(broken(...steps, pass(9_000))).not.toEqual([])
  expect(broken(...steps, { what: 'dead', channel: 'one' })).toEqual([])
})
