import { expect, test } from 'vitest'
import { opened, quiet } from '#testing/channel/opened'
import type { Step, Steps } from '#testing/channel/steps'
import { answer, failed, message, pass, response, retrieved, send, speech, state } from '#testing/channel/talk'
import { verdictsOf } from '#testing/channel/verdicts'
import { schedules } from './scheduling.rules.ts'

// `request_event_id` is optional: where a response can come of one request alone, it is taken for an answer to that.

const text = (id: string): string => `These are the words of ${id}, and of nobody else.`
const said = (id: string, policy: string) => speech(text(id), { scheduling_policy: policy })
const ask = (id: string, policy: string): Step => send(id, 'response.create', { response: said(id, policy) })
const begun = (id: string): Steps => answer(id, { pieces: ['These ', text(id).slice(6)] })
const first = response('w', { asked: speech(text('w')), pieces: [text('w')] })
const read: Steps = [...retrieved('k', message('m-w', 'assistant', text('w'))), pass(900)]

/** What comes names no request. */
function nameless(steps: Steps): Steps {
  return steps.map((step) => {
    if (step.what !== 'come' || step.event['type'] !== 'response.created') return step
    const { request_event_id, ...event } = step.event
    return request_event_id === undefined ? step : { ...step, event }
  })
}

/** One is active while this happens, and comes to its end. */
const beside = (...meanwhile: Steps): Steps => {
  const steps = begun('r1')
  const place = steps.findIndex((step) => 'tag' in step && step.tag === 'r1.delta1') + 1
  return [ask('r1', 'interrupt'), ...steps.slice(0, place), ...meanwhile, ...steps.slice(place)]
}

const broken = (...steps: Steps): readonly string[] =>
  verdictsOf([schedules], [...opened('s', state('text_chat', 'guide')), ...nameless([...first, ...steps]), quiet])
    .broken

test.each<[what: string, row: string, steps: Steps]>([
  [
    'what waits is lost',
    'scheduling.after-current-runs',
    [...beside(ask('p', 'after_current_response'), ...read), pass(20_000), ask('z', 'reject_if_busy'), ...begun('z')],
  ],
  [
    'two that wait both run',
    'scheduling.pending-second-rejected',
    [
      ...beside(ask('p', 'after_current_response'), ask('q', 'after_current_response'), ...read),
      ...begun('p'),
      ...begun('q'),
    ],
  ],
  [
    'what is idle refuses',
    'scheduling.reject-if-busy-idle-starts',
    [ask('z', 'reject_if_busy'), failed('z'), ask('y', 'interrupt'), ...begun('y')],
  ],
])('%s is seen', (_, row, steps) => {
  expect(broken(...steps)).toContain(row)
})

test.each<[what: string, steps: Steps]>([
  ['one that waits, and runs', [...beside(ask('p', 'after_current_response'), ...read), ...begun('p')]],
  [
    'one that waits, and one that is refused',
    [
      ...beside(ask('p', 'after_current_response'), ask('q', 'after_current_response'), failed('q'), ...read),
      ...begun('p'),
    ],
  ],
  [
    'an opening that nobody asked for, and a start that comes late',
    [ask('z', 'reject_if_busy'), ...answer('o'), ...begun('z')],
  ],
])('%s is legal', (_, steps) => {
  expect(broken(...steps)).toEqual([])
})
