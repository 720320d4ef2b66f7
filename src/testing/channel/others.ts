import { close, opened, quiet } from './opened.ts'
import type { Steps } from './steps.ts'
import { applied, come, created, message, send, state } from './talk.ts'

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
  ...applied('u1', { active_avatar_id: 'host' }, state('text_chat', 'host')),
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
