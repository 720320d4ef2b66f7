import { expect, test } from 'vitest'
import { videoResponses } from '#testing/channel/video'
import { after, again, all, before, type Change, drop, move, set } from '#testing/channel/steps'
import { come, message, pass, resource } from '#testing/channel/talk'
import { verdictsOf } from '#testing/channel/verdicts'
import { rules } from '../rules.ts'

const verdicts = (change: Change) => verdictsOf(rules, change(videoResponses))
const cut = message('m-c1', 'assistant', 'Once upon a time ', { status: 'incomplete' })

test.each<[row: string, change: Change]>([
  ['render-started.for-speech', drop('s1.started', 's1.stopped')],
  ['render-started.for-model-output', drop('g1.started', 'g1.stopped')],
  ['render-started.for-visual-only', drop('w1.started', 'w1.stopped')],
  ['render-started.for-audio', drop('w2.started', 'w2.stopped')],
  ['render-started.once', again('s1.started', 's1.delta1')],
  ['render-started.after-created', move('s1.created', 's1.started')],
  ['render-stopped.follows-started', drop('s1.stopped')],
  ['render-stopped.only-after-started', drop('c1.started')],
  ['render-stopped.once', again('s1.stopped')],
  ['render-stopped.before-done', move('s1.stopped', 's1.done')],
  ['render-stopped.done-follows', drop('q2.done')],
  ['render-stopped.undisturbed-completed', set('s1.stopped', { status: 'interrupted' })],
  ['render-stopped.cut-not-completed', set('c1.stopped', { status: 'completed' })],
  [
    'render.not-for-tool-calls',
    after(
      't1.created',
      come('x', 'response.render.started', { response_id: 'r-t1' }),
      come('y', 'response.render.stopped', { response_id: 'r-t1', status: 'completed' }),
    ),
  ],
  ['render.tool-calls-reach-done', all(drop('t1.done'))],
  ['text-delta.for-spoken-media', drop('g1.delta1')],
  [
    'script.no-generated-text',
    after(
      'w1.started',
      come('x', 'response.output_text.delta', { response_id: 'r-w1', item_id: 'x', output_index: 0, delta: 'Look!' }),
      come('y', 'response.output_item.done', {
        response_id: 'r-w1',
        output_index: 0,
        item: message('x', 'assistant', 'Look!'),
      }),
    ),
  ],
  ['scheduling.after-current-not-before-done-in-video', move('q1.done', 'q2.created')],
])('%s (%#)', (row, change) => {
  const { broken, reasons } = verdicts(change)
  expect(broken, reasons.join('\n')).toContain(row)
})

test.each<[what: string, change: Change]>([
  ['rendering that starts when the text has come', move('s1.started', 's1.text')],
  ['an item that is done when its rendering has stopped', move('s1.item.done', 's1.stopped')],
  ['a long silence while it renders', after('s1.text', pass(50_000))],
  ['a cut rendering that stops as cancelled', set('c1.stopped', { status: 'cancelled' })],
  ['a cut response without rendering', drop('c1.started', 'c1.stopped')],
  ['a cut response that ends incomplete', set('c1.done', { response: resource('r-c1', 'incomplete', [cut]) })],
  [
    'audio with an item of its transcript',
    before(
      'w2.stopped',
      come('x', 'response.output_text.delta', { response_id: 'r-w2', item_id: 'x', output_index: 0, delta: 'Ding.' }),
      come('z', 'response.output_text.done', { response_id: 'r-w2', item_id: 'x', output_index: 0, text: 'Ding.' }),
      come('y', 'response.output_item.done', {
        response_id: 'r-w2',
        output_index: 0,
        item: message('x', 'assistant', 'Ding.'),
      }),
      come('i', 'conversation.item.created', { previous_item_id: null, item: message('x', 'assistant', 'Ding.') }),
    ),
  ],
])('%s: nothing is broken', (what, change) => {
  const more = what.startsWith('audio')
    ? set('w2.done', { response: resource('r-w2', 'completed', [message('x', 'assistant', 'Ding.')]) })
    : (same: typeof videoResponses) => same
  expect(verdicts(all(change, more)).reasons).toEqual([])
})

test('a model that answers without words leaves nothing to render, which is its choice', () => {
  const names = ['started', 'stopped', 'delta1', 'text', 'item.done', 'item']
  const change = all(
    drop(...names.map((name) => `g1.${name}`)),
    set('g1.done', { response: resource('r-g1', 'completed', []) }),
  )
  const { reasons, open } = verdicts(change)
  expect(reasons).toEqual([])
  expect([...open.keys()]).toContain('render-started.for-model-output')
})
