import { close, image, opened, quiet } from './opened.ts'
import type { Steps } from './steps.ts'
import { applied, come, created, message, refused, retrieved, send, state } from './talk.ts'

/** Updates, additions and items in `text_chat`. */
export const textStateRepeated: Steps = [
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

const repetitions = new Set(['a4', 'a4.added', 'v4', 'v4.added'])

/** The same without ids that are added again and shown as they are, which a service should refuse. */
export const textState: Steps = textStateRepeated.filter((step) => !('tag' in step && repetitions.has(step.tag)))
