import type { JsonObject } from '#trace/json'
import { call, close, image, long, opened, quiet } from './opened.ts'
import type { Steps } from './steps.ts'
import { answer, applied, come, pass, refused, response, resource, send, speech, state } from './talk.ts'

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
