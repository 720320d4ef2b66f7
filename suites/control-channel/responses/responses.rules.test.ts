import { expect, test } from 'vitest'
import { done, ended, item, textResponses } from '#testing/channel/text-responses'
import { after, again, all, type Change, drop, edit, move, set, type Steps } from '#testing/channel/steps'
import { answer, come, message, resource, send, speech } from '#testing/channel/talk'
import { verdictsOf } from '#testing/channel/verdicts'
import type { JsonObject } from '#trace/json'
import { rules } from '../rules.ts'

const verdicts = (change: Change, steps: Steps = textResponses) => verdictsOf(rules, change(steps))
const asked = (id: string, response: JsonObject): Change => set(id, { response })

test.each<[row: string, change: Change]>([
  [
    'response.id-unique',
    after('s1.delta1', come('x', 'response.created', { response: resource('r-s1', 'in_progress') })),
  ],
  [
    'response.no-raw-media',
    set('s5.done', {
      response: {
        ...resource('r-s5', 'completed', [item('s5', 'Good morning.')]),
        media: { audio: { format: 'wav', data: 'A'.repeat(100) } },
      },
    }),
  ],
  ['response-done.all-output-items', done('s5', 'completed', item('s5', 'Good morning.', { role: 'user' }))],
  [
    'response-done.all-output-items',
    done('s5', 'completed', { id: 'm-s5', type: 'function_call_output', call_id: 'c', output: 'Good morning.' }),
  ],
  ['response.no-raw-media', done('s5', 'completed', item('s5', 'Good morning.', { audio: 'A'.repeat(100) }))],
  [
    'response-created.id-known',
    all(
      edit('x1', (event) => event),
      set('g3.created', { response: { ...resource('', 'in_progress'), id: 0 } }),
    ),
  ],
  ['response-created.precedes-output', move('s1.created', 's1.delta1')],
  ['response-created.request-event-id-names-request', set('s5.created', { request_event_id: 'nobody' })],
  ['response-created.request-event-id-names-request', set('s2.created', { request_event_id: 's1' })],
  [
    'response-create.created-once',
    after(
      's5.done',
      ...answer('z', { pieces: ['Hm.'], asked: { conversation: 'none' } }).map((step) =>
        'event' in step && step.tag === 'z.created'
          ? { ...step, event: { ...step.event, request_event_id: 's5' } }
          : step,
      ),
    ),
  ],
  [
    'response-create.created-only-when-asked',
    after(
      's5.done',
      ...answer('z', { pieces: ['Hm.'], asked: { conversation: 'none' } }).map((step) =>
        'event' in step && step.tag === 'z.created'
          ? { ...step, event: { type: 'response.created', response: resource('r-z', 'in_progress') } }
          : step,
      ),
    ),
  ],
  [
    'response-create.rejected-not-created',
    after('x1.error', ...answer('x1', { pieces: ['Hm.'], asked: { conversation: 'none' } })),
  ],
  [
    'scheduling.reject-if-busy-never-starts',
    after('q3.done', ...answer('q2', { asked: speech('Busy?', { conversation: 'none' }), pieces: ['Busy?'] })),
  ],
  [
    'scheduling.pending-second-never-starts',
    after('q3.done', ...answer('q4', { asked: speech('Too much.', { conversation: 'none' }), pieces: ['Too much.'] })),
  ],
  [
    'scheduling.pending-runs-once',
    after(
      'q3.done',
      ...answer('z', { pieces: ['Queued.'], asked: { conversation: 'none' } }).map((step) =>
        'event' in step && step.tag === 'z.created'
          ? { ...step, event: { ...step.event, request_event_id: 'q3' } }
          : step,
      ),
    ),
  ],
  ['scheduling.after-current-not-before-output-ends', move('q3.created', 'q4.error')],
  [
    'scheduling.reject-if-busy-one-of-a-volley',
    all(
      drop('q2.error'),
      after('q1.created', ...answer('q2', { asked: speech('Busy?', { conversation: 'none' }), pieces: ['Busy?'] })),
      move('q2', 'q1'),
    ),
  ],
  ['response-done.always', drop('q3.done')],
  ['response-done.once', again('s1.done')],
  ['response-done.last-event', after('s1.done', come('x', 'response.render.started', { response_id: 'r-s1' }))],
  ['response-done.all-output-items', done('s1', 'completed')],
  ['response-done.output-items-finished', done('s5', 'completed', item('s5', 'Good morning.'), item('more', 'Ha.'))],
  ['response-done.output-item-once', done('s1', 'completed', item('s1', 'Hello there.'), item('s1', 'Hello there.'))],
  ['response-done.item-text-agrees', done('s5', 'completed', item('s5', 'Good morning'))],
  [
    'response-done.items-in-order',
    edit('g4.done', (event) => ({
      ...event,
      response: resource('r-g4', 'completed', [
        message('m-g4-b', 'assistant', 'b'),
        message('m-g4-a', 'assistant', 'a'),
      ]),
    })),
  ],
  ['text-delta.of-active-response', set('s5.delta1', { response_id: 'r-nobody' })],
  ['text-delta.concatenate-to-final-text', edit('g3.delta1', (event) => ({ ...event, delta: 'Nope.' }))],
  [
    'text-delta.cut-item-text',
    all(
      ended('c1', item('c1', 'Once upon a moon', { status: 'incomplete' })),
      done('c1', 'cancelled', item('c1', 'Once upon a moon')),
    ),
  ],
  ['text-delta.item-of-one-response', set('s5.delta2', { output_index: 1 })],
  ['text-delta.for-model-output', drop('g3.delta1')],
  ['script-speech.text-streamed', drop('s3.delta1')],
  ['text-done.for-every-completed-stream', drop('g3.text')],
  ['text-done.once', again('s1.text')],
  ['text-done.no-delta-after', move('g3.delta1', 'g3.text')],
  ['output-item-done.for-every-introduced-item', drop('g3.item.done')],
  ['output-item-done.on-cancelled', drop('c1.item.done')],
  ['output-item-done.once', again('s1.item.done')],
  ['output-item-done.index-agrees', set('s1.item.done', { output_index: 1 })],
  [
    'output-item-done.index-distinct',
    all(...['delta1', 'text1', 'item1.done'].map((name) => set(`g4.${name}`, { output_index: 0 }))),
  ],
  ['output-item-done.after-text', move('g3.delta1', 'g3.item.done')],
  ['output-item-done.text-agrees', ended('g3', item('g3', 'No'))],
  [
    'output-item-done.streamed-text-is-assistant-message',
    all(ended('s5', item('s5', 'Good morning.', { role: 'user' }))),
  ],
  ['output-item-done.cut-not-completed', ended('c1', item('c1', 'Once upon a time ', { status: 'completed' }))],
  [
    'output-item-done.function-call-arguments',
    set('t1.item.done', { item: { id: 'm-t1', type: 'function_call', name: 'look_up', arguments: '{', call_id: 'c' } }),
  ],
  [
    'output-item-done.function-call-call-id',
    set('t1.item.done', { item: { id: 'm-t1', type: 'function_call', name: 'look_up', arguments: '{}' } }),
  ],
  [
    'output-item-done.function-call-name-offered',
    set('t1.item.done', { item: { id: 'm-t1', type: 'function_call', name: 'fly', arguments: '{}', call_id: 'c' } }),
  ],
  [
    'response-create.tools-override',
    set('t2.item.done', {
      item: { id: 'm-t2', type: 'function_call', name: 'look_up', arguments: '{}', call_id: 'c' },
    }),
  ],
  ['response-create.tools-empty-override', asked('t1', { tools: [] })],
  [
    'response-create.tools-this-response-only',
    after(
      't2.done',
      send('t3', 'response.create'),
      come('t3.created', 'response.created', { request_event_id: 't3', response: resource('r-t3', 'in_progress') }),
      come('t3.item.done', 'response.output_item.done', {
        response_id: 'r-t3',
        output_index: 0,
        item: { id: 'm-t3', type: 'function_call', name: 'own', arguments: '{}', call_id: 'c' },
      }),
    ),
  ],
  [
    'item.function-call-arguments-json',
    edit('t1.done', (event) => ({
      ...event,
      response: resource('r-t1', 'completed', [
        { id: 'm-t1', type: 'function_call', name: 'look_up', arguments: 'x', call_id: 'c' },
      ]),
    })),
  ],
  ['script.no-tool-calls', asked('t1', speech('Hm.'))],
  ['script.no-generated-text', asked('g4', speech('a', { conversation: 'none' }))],
  ['script-speech.text-done-exact', asked('s3', speech('Something else.', { conversation: 'none' }))],
  ['script-speech.unusual-text-exact', asked('s3', speech('“Aside.”', { conversation: 'none' }))],
  ['script-speech.completes', done('s3', 'cancelled', item('s3', 'Aside.'))],
  [
    'script-speech-asset.added-asset-spoken',
    edit('a1', (event) => ({ ...event, assets: { speech_text: [{ asset_id: 'news', text: 'Else.' }] } })),
  ],
  [
    'asset-add.existing-content-kept',
    all(
      edit('a1', (event) => ({ ...event, assets: { speech_text: [{ asset_id: 'news', text: 'It pours.' }] } })),
      edit('a2', (event) => ({ ...event, assets: { speech_text: [{ asset_id: 'news', text: 'It rains.' }] } })),
    ),
  ],
  [
    'asset-add.create-time-content-kept',
    all(
      drop('s5.done'),
      edit('a2', (event) => ({ ...event, assets: { speech_text: [{ asset_id: 'greet', text: 'Good night.' }] } })),
      set('s7.delta1', { delta: 'Good night.' }),
      set('s7.text', { text: 'Good night.' }),
    ),
  ],
  [
    'script-speech-asset.create-time-asset-spoken',
    all(set('s7.delta1', { delta: 'Bye.' }), set('s7.text', { text: 'Bye.' })),
  ],
  [
    'script-speech-asset.right-asset-spoken',
    all(set('s7.delta1', { delta: 'It rains.' }), set('s7.text', { text: 'It rains.' })),
  ],
  ['response-done.completed-text-whole', asked('s3', speech('Aside. And more.', { conversation: 'none' }))],
  ['response-done.final-statuses-told', done('n1', 'completed', item('n1', 'Once upon '))],
  ['item-created.for-generated-output', drop('g1.item')],
  [
    'script.none-announces-no-item',
    after('s3.created', come('x', 'conversation.item.created', { previous_item_id: 'm-s2', item: item('s3', '') })),
  ],
  [
    'item.id-unique',
    all(
      ...['item', 'delta1', 'text', 'item.done'].map((name) =>
        set(`g2.${name}`, name.startsWith('item') ? { item: item('g1', 'Perhaps.') } : { item_id: 'm-g1' }),
      ),
    ),
  ],
  ['render.never-in-text-chat', after('s1.created', come('x', 'response.render.started', { response_id: 'r-s1' }))],
  [
    'render.no-stop-in-text-chat',
    after('s1.created', come('x', 'response.render.stopped', { response_id: 'r-s1', status: 'completed' })),
  ],
  [
    'script-visual.not-rendered-in-text-chat',
    after('w1.created', come('x', 'response.render.started', { response_id: 'r-w1' })),
  ],
])('%s (%#)', (row, change) => {
  const { broken, reasons } = verdicts(change)
  expect(broken, reasons.join('\n')).toContain(row)
})
