import { call, close, long, opened, quiet } from './opened.ts'
import type { JsonObject } from '#trace/json'
import { type Change, set, type Steps } from './steps.ts'
import {
  answer,
  come,
  failed,
  message,
  refused,
  response,
  resource,
  retrieved,
  send,
  speech,
  speechAsset,
  state,
} from './talk.ts'

/** Responses in `text_chat`: scripted, generated, calling, cut, queued, refused. */
export const textResponses: Steps = [
  ...opened('text', state('text_chat', 'guide')),
  send('a1', 'asset.add', { assets: { speech_text: [{ asset_id: 'news', text: 'It rains.' }] } }),
  come('a1.added', 'asset.added', {
    assets: { images: [], audio: [], speech_text: [{ asset_id: 'news', text: 'It rains.' }], visual_prompts: [] },
  }),
  ...response('s1', { asked: speech('Hello there.') }),
  ...retrieved('s1.get', message('m-s1', 'assistant', 'Hello there.', { status: 'completed' })),
  ...response('s2', {
    asked: speech(' “Ünusual”\ntext ', { conversation: 'auto' }),
    pieces: [' “Ünusual”\n', 'text '],
    previous: 'm-s1',
  }),
  ...retrieved('s2.get', message('m-s2', 'assistant', ' “Ünusual”\ntext ', { status: 'completed' })),
  ...response('s3', { asked: speech('Aside.', { conversation: 'none' }), pieces: ['Aside.'] }),
  ...refused('s3.get', 'conversation.item.retrieve', { item_id: 'm-s3' }),
  ...response('s4', { asked: speechAsset('news'), pieces: ['It rains.'], previous: 'm-s2' }),
  ...retrieved('s4.get', message('m-s4', 'assistant', 'It rains.', { status: 'completed' })),
  ...response('s5', { asked: speechAsset('greet', { conversation: 'none' }), pieces: ['Good ', 'morning.'] }),
  ...refused('s5.get', 'conversation.item.retrieve', { item_id: 'm-s5' }),
  ...refused('a2', 'asset.add', {
    assets: {
      speech_text: [
        { asset_id: 'news', text: 'It snows.' },
        { asset_id: 'greet', text: 'Good night.' },
      ],
    },
  }),
  ...response('s6', { asked: speechAsset('news', { conversation: 'none' }), pieces: ['It rains.'] }),
  ...response('s7', { asked: speechAsset('greet', { conversation: 'none' }), pieces: ['Good morning.'] }),
  ...response('g1', { asked: { scheduling_policy: 'reject_if_busy' }, pieces: ['I think ', 'so.'], previous: 'm-s4' }),
  ...retrieved('g1.get', message('m-g1', 'assistant', 'I think so.', { status: 'completed' })),
  ...response('g2', { asked: { conversation: 'auto' }, pieces: ['Perhaps.'], previous: 'm-g1' }),
  ...retrieved('g2.get', message('m-g2', 'assistant', 'Perhaps.', { status: 'completed' })),
  ...response('g3', { asked: { conversation: 'none', instructions: 'Be brief.' }, pieces: ['No.'] }),
  ...refused('g3.get', 'conversation.item.retrieve', { item_id: 'm-g3' }),
  send('t1', 'response.create', {}),
  ...call('t1', 'look_up'),
  send('t2', 'response.create', { response: { tools: [{ type: 'function', name: 'own' }] } }),
  ...call('t2', 'own'),
  ...twofold('g4'),
  send('w1', 'response.create', { response: { script: { visual: { prompt: 'Wave.' } } } }),
  come('w1.created', 'response.created', { request_event_id: 'w1', response: resource('r-w1', 'in_progress') }),
  come('w1.done', 'response.done', { response: resource('r-w1', 'completed') }),
  ...refused('x1', 'response.create', { response: { script: {} } }),
  ...response('c1', {
    asked: speech(long),
    pieces: ['Once upon ', 'a time '],
    previous: 'm-g2',
    cut: [send('cancel', 'response.cancel')],
  }),
  send('n1', 'response.create', { response: speech(long) }),
  ...answer('n1', {
    asked: speech(long),
    pieces: ['Once upon '],
    previous: 'm-c1',
    cut: [send('n2', 'response.create', { response: speech('Now me.') })],
  }),
  ...answer('n2', { asked: speech('Now me.'), pieces: ['Now ', 'me.'], previous: 'm-n1' }),
  send('q1', 'response.create', { response: speech(long, { conversation: 'none' }) }),
  come('q1.created', 'response.created', { request_event_id: 'q1', response: resource('r-q1', 'in_progress') }),
  ...refused('q2', 'response.create', { response: speech('Busy?', { scheduling_policy: 'reject_if_busy' }) }),
  send('q3', 'response.create', {
    response: speech('Queued.', { scheduling_policy: 'after_current_response', conversation: 'none' }),
  }),
  ...refused('q4', 'response.create', {
    response: speech('Too much.', { scheduling_policy: 'after_current_response' }),
  }),
  ...answer('q1', { asked: speech(long, { conversation: 'none' }), pieces: [long] }).slice(1),
  ...answer('q3', { asked: speech('Queued.', { conversation: 'none' }), pieces: ['Queued.'] }),
  send('k1', 'response.create', {
    response: speech('First.', { scheduling_policy: 'reject_if_busy', conversation: 'none' }),
  }),
  send('k2', 'response.create', { response: speech('Second.', { scheduling_policy: 'reject_if_busy' }) }),
  ...answer('k1', { asked: speech('First.', { conversation: 'none' }), pieces: ['First.'] }).slice(0, 1),
  failed('k2'),
  ...answer('k1', { asked: speech('First.', { conversation: 'none' }), pieces: ['First.'] }).slice(1),
  quiet,
  close(),
]

/** A response in two items. */
function twofold(id: string): Steps {
  const items = ['a', 'b'].map((name) => message(`m-${id}-${name}`, 'assistant', name, { status: 'completed' }))
  return [
    send(id, 'response.create', { response: { conversation: 'none' } }),
    come(`${id}.created`, 'response.created', { request_event_id: id, response: resource(`r-${id}`, 'in_progress') }),
    ...items.flatMap((item, output_index) => {
      const place = { response_id: `r-${id}`, item_id: item['id'] ?? '', output_index }
      const text = output_index === 0 ? 'a' : 'b'
      return [
        come(`${id}.delta${output_index}`, 'response.output_text.delta', { ...place, delta: text }),
        come(`${id}.text${output_index}`, 'response.output_text.done', { ...place, text }),
        come(`${id}.item${output_index}.done`, 'response.output_item.done', {
          response_id: `r-${id}`,
          output_index,
          item,
        }),
      ]
    }),
    come(`${id}.done`, 'response.done', { response: resource(`r-${id}`, 'completed', items) }),
  ]
}

/** What the assistant said in a response. */
export const item = (id: string, text: string, more: JsonObject = {}) =>
  message(`m-${id}`, 'assistant', text, { status: 'completed', ...more })

/** Changes how a response ends. */
export const done = (id: string, status: string, ...output: JsonObject[]): Change =>
  set(`${id}.done`, { response: resource(`r-${id}`, status, output) })

/** Changes an item where it ends. */
export const ended = (id: string, shown: JsonObject): Change => set(`${id}.item.done`, { item: shown })
