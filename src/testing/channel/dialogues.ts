import type { JsonObject } from '../../trace/json.ts'
import type { Step, Steps } from './steps.ts'
import {
  answer,
  applied,
  come,
  created,
  message,
  pass,
  refused,
  response,
  resource,
  retrieved,
  send,
  speech,
  speechAsset,
  state,
} from './talk.ts'

const image = (id: string, url = `https://media.example/${id}.png`): JsonObject => ({
  source_image_id: id,
  url,
  media_type: 'image/png',
})

/** `guide` has two images and a default, `host` one of its own and one by the same name, `only` a single one, `plain` none. */
const avatars: readonly JsonObject[] = [
  {
    avatar_id: 'guide',
    instructions: 'Be kind.',
    visual: { source_images: [image('g1'), image('g2'), image('bare', '')], default_source_image_id: 'g1' },
  },
  { avatar_id: 'host', visual: { source_images: [image('h1'), image('g2')], default_source_image_id: 'h1' } },
  { avatar_id: 'only', visual: { source_images: [image('o1')] } },
  { avatar_id: 'several', visual: { source_images: [image('s1'), image('s2')] } },
  { avatar_id: 'urlless', visual: { source_images: [image('u1', '')] } },
  { avatar_id: 'plain' },
]
const speechTexts: readonly JsonObject[] = [{ asset_id: 'greet', text: 'Good morning.' }]
const tools: readonly JsonObject[] = [
  { type: 'function', name: 'look_up' },
  { type: 'function', name: 'hang_up' },
]

/** The create of a session and its first connection. */
export function opened(session: string, shown: JsonObject, channel = 'one', body: JsonObject = {}): Steps {
  const conversation = {
    turn_detection: { type: 'manual' },
    input_audio_transcription: { enabled: true },
    tools,
    ...(body['conversation'] as JsonObject | undefined),
  }
  const asked = { model: 'svc-a1-stream', avatars, assets: { speech_text: speechTexts }, ...body, conversation }
  const data = { session: shown, avatars, conversation, assets: { speech_text: speechTexts } }
  return [
    { what: 'create', session, body: asked, data },
    { what: 'open', channel, session },
  ]
}

const quiet = pass(20_000)
const close = (channel = 'one'): Step => ({ what: 'end', channel, by: 'us' })

/** Updates, additions and items in `text_chat`. */
export const textState: Steps = [
  ...opened('text', state('text_chat', 'guide')),
  ...applied('u1', { active_avatar_id: 'host' }, state('text_chat', 'host')),
  ...applied('u2', { mode: 'text_chat' }, state('text_chat', 'host')),
  ...refused('u3', 'session.update', { session: { active_avatar_id: 'nobody' } }),
  ...refused('u3b', 'session.update', { session: { mode: 'hologram', active_avatar_id: 'guide' } }),
  ...applied('u4', { mode: 'text_chat' }, state('text_chat', 'host')),
  send('a1', 'asset.add', {
    assets: {
      speech_text: [{ asset_id: 'news', text: 'It rains.' }],
      visual_prompts: [{ asset_id: 'wave', text: 'Wave.' }],
    },
  }),
  come('a1.added', 'asset.added', {
    assets: {
      images: [],
      audio: [],
      speech_text: [{ asset_id: 'news', text: 'It rains.' }],
      visual_prompts: [{ asset_id: 'wave', text: 'Wave.' }],
    },
  }),
  ...refused('a2', 'asset.add', { assets: { speech_text: [{ asset_id: 'news', text: 'It snows.' }] } }),
  send('a3', 'asset.add', {
    assets: {
      images: [{ asset_id: 'map', url: 'https://media.example/map.png' }],
      audio: [{ asset_id: 'bell', url: 'https://media.example/bell.wav', mime_type: 'audio/wav' }],
    },
  }),
  come('a3.added', 'asset.added', {
    assets: {
      images: [{ asset_id: 'map', url: 'https://media.example/map.png' }],
      audio: [{ asset_id: 'bell', url: 'https://media.example/bell.wav', mime_type: 'audio/wav' }],
      speech_text: [],
      visual_prompts: [],
    },
  }),
  ...refused('v0', 'avatar.add', { avatars: [] }),
  send('v1', 'avatar.add', {
    avatars: [
      {
        avatar_id: 'late',
        instructions: 'Be late.',
        voice: { provider: 'p', provider_voice_id: 'v', model: 'm' },
        visual: { source_images: [image('l1')] },
      },
    ],
  }),
  come('v1.added', 'avatar.added', {
    avatars: [
      {
        avatar_id: 'late',
        instructions: 'Be late.',
        voice: { provider: 'p', provider_voice_id: 'v', model: 'm' },
        visual: { source_images: [image('l1')] },
      },
    ],
  }),
  send('v3', 'avatar.add', { avatars: [{ avatar_id: 'extra' }] }),
  come('v3.added', 'avatar.added', { avatars: [{ avatar_id: 'extra' }] }),
  ...refused('v2', 'avatar.add', { avatars: [{ avatar_id: 'guide', instructions: 'Be rude.' }] }),
  ...applied('u5', { mode: 'text_chat' }, state('text_chat', 'host')),
  ...applied('u6', { active_avatar_id: 'late' }, state('text_chat', 'late')),
  ...applied('u7', {}, state('text_chat', 'late')),
  send('u9', 'session.update', { session: { active_avatar_id: 'plain' } }),
  send('u10', 'session.update', { session: { active_avatar_id: 'host' } }),
  come('u9.updated', 'session.updated', { event_id: 'u9', session: state('text_chat', 'plain') }),
  come('u9.done', 'session.update.done', { request_event_id: 'u9', status: 'cancelled', reason: 'superseded' }),
  come('u10.updated', 'session.updated', { event_id: 'u10', session: state('text_chat', 'host') }),
  come('u10.done', 'session.update.done', { request_event_id: 'u10', status: 'completed' }),
  send('a4', 'asset.add', { assets: { speech_text: [{ asset_id: 'news', text: 'It hails.' }] } }),
  come('a4.added', 'asset.added', {
    assets: { images: [], audio: [], speech_text: [{ asset_id: 'news', text: 'It rains.' }], visual_prompts: [] },
  }),
  send('v4', 'avatar.add', { avatars: [{ avatar_id: 'late', instructions: 'Be early.' }] }),
  come('v4.added', 'avatar.added', { avatars: [{ avatar_id: 'late', instructions: 'Be late.' }] }),
  {
    what: 'send',
    channel: 'one',
    tag: 'u8',
    event: { type: 'session.update', session: { active_avatar_id: 'guide' } },
  },
  come('u8.updated', 'session.updated', { event_id: 'made-up', session: state('text_chat', 'guide') }),
  come('u8.done', 'session.update.done', { request_event_id: 'made-up', status: 'completed' }),
  ...created('i1', message('i1', 'user', 'One.'), null),
  ...created('i2', message('i2', 'user', 'Two.'), 'i1'),
  ...created('i3', message('i3', 'system', 'Zero.'), null, { previous_item_id: 'root' }),
  ...created('i4', message('i4', 'user', 'Between.'), 'i1', { previous_item_id: 'i1' }),
  ...created('i5', message('i5', 'user', 'Three.'), 'i2'),
  ...created('c1', { id: 'c1', type: 'function_call', name: 'look_up', arguments: '{}', call_id: 'call-1' }, 'i5'),
  ...created('c2', { id: 'c2', type: 'function_call_output', call_id: 'call-1', output: 'Nothing.' }, 'c1'),
  ...created(
    'p1',
    {
      id: 'p1',
      type: 'message',
      role: 'user',
      content: [
        { type: 'input_image', image_url: 'https://media.example/x.png', detail: 'low' },
        { type: 'input_audio', audio: 'AAAA', transcript: 'Hm.' },
      ],
    },
    'c2',
  ),
  ...refused('i6', 'conversation.item.create', {
    item: message('i6', 'user', 'Refused.'),
    previous_item_id: 'nothing',
  }),
  ...refused('i1.again', 'conversation.item.create', { item: message('i1', 'user', 'Another one.') }),
  ...retrieved('g1', message('i1', 'user', 'One.')),
  ...retrieved('g2', message('i1', 'user', 'One.')),
  ...refused('g3', 'conversation.item.retrieve', { item_id: 'never-was' }),
  send('d1', 'conversation.item.delete', { item_id: 'i2' }),
  come('d1.deleted', 'conversation.item.deleted', { item_id: 'i2' }),
  ...refused('g4', 'conversation.item.retrieve', { item_id: 'i2' }),
  ...retrieved('g5', message('i1', 'user', 'One.')),
  send('d2', 'conversation.item.delete', { item_id: 'p1' }),
  come('d2.deleted', 'conversation.item.deleted', { item_id: 'p1' }),
  ...created('i7', message('i7', 'user', 'Four.'), 'c2'),
  quiet,
  close(),
]

const long = ['Once upon ', 'a time ', 'there was ', 'a river.'].join('')

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

/** A response that calls a function, without its request. Tags: `id.created`, `id.item.done`, `id.done`. */
export function call(id: string, name: string): Steps {
  const item = {
    id: `m-${id}`,
    type: 'function_call',
    status: 'completed',
    call_id: `call-${id}`,
    name,
    arguments: '{"a":1}',
  }
  return [
    come(`${id}.created`, 'response.created', { request_event_id: id, response: resource(`r-${id}`, 'in_progress') }),
    come(`${id}.item`, 'conversation.item.created', {
      previous_item_id: null,
      item: { ...item, status: 'in_progress' },
    }),
    come(`${id}.item.done`, 'response.output_item.done', { response_id: `r-${id}`, output_index: 0, item }),
    come(`${id}.done`, 'response.done', { response: resource(`r-${id}`, 'completed', [item]) }),
  ]
}

/** The state in `video_avatar`. */
export const videoState: Steps = [
  ...opened('video', state('video_avatar', 'guide', 'g1')),
  ...applied('u1', { source_image_id: 'g2' }, state('video_avatar', 'guide', 'g2')),
  ...applied('u2', {}, state('video_avatar', 'guide', 'g2')),
  ...applied('u3', { source_image_id: null }, state('video_avatar', 'guide', 'g1')),
  ...applied('u4', { active_avatar_id: 'host' }, state('video_avatar', 'host', 'h1')),
  ...applied('u5', { active_avatar_id: 'guide', source_image_id: 'g2' }, state('video_avatar', 'guide', 'g2')),
  ...applied('u6', { mode: 'text_chat' }, state('text_chat', 'guide')),
  send('u7', 'session.update', { session: { mode: 'video_avatar' } }),
  come('u7.updated', 'session.updated', {
    event_id: 'u7',
    session: state('video_avatar', 'guide', 'g1'),
    media_transport: 'rtc_a',
    media: { room_id: 'room' },
  }),
  come('u7.done', 'session.update.done', { request_event_id: 'u7', status: 'completed' }),
  ...applied('u8', { mode: 'text_chat', active_avatar_id: 'only' }, state('text_chat', 'only')),
  ...applied('u9', { mode: 'video_avatar' }, state('video_avatar', 'only', 'o1')),
  ...applied('u10', { mode: 'text_chat', active_avatar_id: 'guide' }, state('text_chat', 'guide')),
  ...applied('u11', { mode: 'video_avatar', source_image_id: 'g2' }, state('video_avatar', 'guide', 'g2')),
  ...refused('f1', 'session.update', { session: { source_image_id: 'zzz' } }),
  ...refused('f2', 'session.update', { session: { source_image_id: 'h1' } }),
  ...refused('f3', 'session.update', { session: { source_image_id: 'bare' } }),
  ...refused('f4', 'session.update', { session: { active_avatar_id: 'plain' } }),
  ...applied('u12', {}, state('video_avatar', 'guide', 'g2')),
  send('v1', 'avatar.add', { avatars: [{ avatar_id: 'late', visual: { source_images: [image('l1')] } }] }),
  come('v1.added', 'avatar.added', { avatars: [{ avatar_id: 'late', visual: { source_images: [image('l1')] } }] }),
  ...applied('u13', {}, state('video_avatar', 'guide', 'g2')),
  ...applied('u14', { mode: 'text_chat', active_avatar_id: 'plain' }, state('text_chat', 'plain')),
  ...refused('f5', 'session.update', { session: { mode: 'video_avatar' } }),
  ...applied('u15', { active_avatar_id: 'urlless' }, state('text_chat', 'urlless')),
  ...refused('f6', 'session.update', { session: { mode: 'video_avatar' } }),
  ...applied('u16', { active_avatar_id: 'several' }, state('text_chat', 'several')),
  ...refused('f7', 'session.update', { session: { mode: 'video_avatar' } }),
  ...applied('u17', {}, state('text_chat', 'several')),
  quiet,
  close(),
]

/** A response without text, in video. */
function shown(id: string, asked: JsonObject): Steps {
  return [
    send(id, 'response.create', { response: asked }),
    come(`${id}.created`, 'response.created', { request_event_id: id, response: resource(`r-${id}`, 'in_progress') }),
    come(`${id}.started`, 'response.render.started', { response_id: `r-${id}` }),
    pass(30_000),
    come(`${id}.stopped`, 'response.render.stopped', { response_id: `r-${id}`, status: 'completed' }),
    come(`${id}.done`, 'response.done', { response: resource(`r-${id}`, 'completed') }),
  ]
}

/** Responses in `video_avatar`. */
export const videoResponses: Steps = [
  ...opened('video', state('video_avatar', 'guide', 'g1')),
  ...response('s1', { asked: speech('Hello there.'), video: true }),
  ...response('g1', { asked: {}, pieces: ['I think so.'], video: true, previous: 'm-s1' }),
  ...shown('w1', { script: { visual: { prompt: 'Wave.' } } }),
  ...shown('w2', {
    script: { vocal: { type: 'audio', mime_type: 'audio/wav', url: 'https://media.example/bell.wav' } },
  }),
  send('t1', 'response.create', {}),
  ...call('t1', 'look_up'),
  ...response('c1', {
    asked: speech(long),
    pieces: ['Once upon ', 'a time '],
    previous: 'm-g1',
    video: true,
    cut: [send('cancel', 'response.cancel')],
  }),
  send('q1', 'response.create', { response: speech(long, { conversation: 'none' }) }),
  come('q1.created', 'response.created', { request_event_id: 'q1', response: resource('r-q1', 'in_progress') }),
  send('q2', 'response.create', {
    response: speech('Queued.', { scheduling_policy: 'after_current_response', conversation: 'none' }),
  }),
  ...answer('q1', { asked: speech(long, { conversation: 'none' }), pieces: [long], video: true }).slice(1),
  ...answer('q2', { asked: speech('Queued.', { conversation: 'none' }), pieces: ['Queued.'], video: true }),
  pass(200_000),
  close(),
]

/** What a user says, and an opening that is told to a second connection again. */
export const speechAndOpening: Steps = [
  ...opened('heard', state('text_chat', 'guide')),
  come('o1', 'session.bootstrap.opening.done', { status: 'failed', reason: 'moon_phase' }),
  come('b1', 'input_audio.speech_started', { item_id: 'w1', audio_start_ms: '10' }),
  come('b2', 'input_audio.speech_stopped', { item_id: 'w1', audio_end_ms: 900 }),
  come('b3', 'conversation.item.input_audio_transcription.delta', { item_id: 'w1', content_index: 0, delta: 'Hi' }),
  come('b4', 'conversation.item.input_audio_transcription.completed', {
    item_id: 'w1',
    content_index: '0',
    transcript: 'Hi',
  }),
  come('b5', 'conversation.item.input_audio_transcription.failed', {
    item_id: 'w2',
    content_index: 0,
    error: { type: 'server_error', code: 'unclear', message: 'No.' },
  }),
  { what: 'open', channel: 'two', session: 'heard' },
  come('o2', 'session.bootstrap.opening.done', { event_id: 'server-1', status: 'failed', reason: 'moon_phase' }, 'two'),
  { what: 'open', channel: 'three', session: 'heard' },
  come('o3', 'session.bootstrap.opening.done', { status: 'failed' }, 'three'),
  { what: 'rest', operation: 'close-avatar-session', path: '/v1/realtime-avatar/sessions/heard/close', data: {} },
  come('z1', 'session.closed', { session_id: 'heard', reason: 'client_request' }),
  { what: 'end', channel: 'one', by: 'target' },
  {
    what: 'rest',
    operation: 'get-avatar-session',
    path: '/v1/realtime-avatar/sessions/heard',
    data: { status: 'closed' },
  },
  { what: 'end', channel: 'two', by: 'target' },
  { what: 'end', channel: 'three', by: 'target' },
]

/** Two sessions at once, the first of them with two connections, one after the other. */
export const twoSessions: Steps = [
  ...opened('first', state('text_chat', 'guide')),
  ...applied('u1', { active_avatar_id: 'host' }, state('text_chat', 'host')),
  ...created('mine', message('mine', 'user', 'Mine.'), null),
  ...opened('second', state('text_chat', 'guide'), 'other'),
  send('e1', 'conversation.item.create', { item: message('yours', 'user', 'Yours.') }, 'other'),
  come(
    'e1.created',
    'conversation.item.created',
    { previous_item_id: null, item: message('yours', 'user', 'Yours.') },
    'other',
  ),
  send('e2', 'conversation.item.retrieve', { item_id: 'yours' }, 'other'),
  come('e2.retrieved', 'conversation.item.retrieved', { item: message('yours', 'user', 'Yours.') }, 'other'),
  send('e3', 'conversation.item.retrieve', { item_id: 'mine' }, 'other'),
  come('e3.error', 'error', { error: { type: 'invalid_request_error', message: 'No.', event_id: 'e3' } }, 'other'),
  close(),
  { what: 'open', channel: 'again', session: 'first' },
  come('o1', 'session.bootstrap.opening.done', { status: 'completed' }, 'again'),
  quiet,
  close('again'),
  close('other'),
]
