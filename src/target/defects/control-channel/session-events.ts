import { type Wire, wireAt } from '#target/wire'
import { change, drop, put } from '../paths.ts'
import { defectsOf } from '../table.ts'
import { memory, onEvent, twice } from '../tools.ts'

const UPDATED = 'session.updated'
const DONE = 'session.update.done'
const OPENING = 'session.bootstrap.opening.done'

const updatedDefects = defectsOf('control-channel', {
  'session-updated.event-id-echoed': [
    'The id of the client is not echoed.',
    (b) =>
      onEvent(
        b,
        UPDATED,
        change('event_id', (id) => `event_${String(id)}`),
      ),
  ],
  'session-updated.event-id-generated': [
    'Without an id of the client there is none.',
    ({ update }) => void (update.ownEventId = () => ''),
  ],
  'session-updated.session-object': [
    'The state stands beside the type.',
    (b) => onEvent(b, UPDATED, ({ session, ...event }) => ({ ...wireAt({ session }, 'session'), ...event })),
  ],
  'session-updated.mode-in-set': [
    'The mode has a short name.',
    (b) =>
      onEvent(
        b,
        UPDATED,
        change('session.mode', (mode) => (mode === 'video_avatar' ? 'video' : 'text')),
      ),
  ],
  'session-updated.active-avatar-id-string': [
    'The active avatar is left out.',
    (b) => onEvent(b, UPDATED, drop('session.active_avatar_id')),
  ],
  'session-updated.source-image-id-string-or-null': [
    'An image of none is left out.',
    (b) =>
      onEvent(
        b,
        UPDATED,
        change('session.source_image_id', (id) => id ?? undefined),
      ),
  ],
  'session-updated.source-image-id-string-or-null~object': [
    'The image is an object.',
    (b) =>
      onEvent(
        b,
        UPDATED,
        change('session.source_image_id', (id) => (id === null ? null : { id })),
      ),
  ],
  'session-updated.source-image-null-in-text-chat': [
    'In text the image is empty.',
    (b) =>
      onEvent(
        b,
        UPDATED,
        change('session.source_image_id', (id) => id ?? ''),
      ),
  ],
  'session-updated.source-image-set-in-video': [
    'In video the image is null.',
    (b) => onEvent(b, UPDATED, put('session.source_image_id', null)),
  ],
  'session-updated.active-avatar-known': [
    'The active avatar has a prefix.',
    (b) =>
      onEvent(
        b,
        UPDATED,
        change('session.active_avatar_id', (id) => `avatar:${String(id)}`),
      ),
  ],
  'session-updated.media-transport-string': [
    'The transport is an object.',
    (b) => {
      b.update.announcesMedia = (_previous, { mode }) => mode === 'video_avatar'
      onEvent(
        b,
        UPDATED,
        change('media_transport', (transport) => (transport === undefined ? undefined : { name: transport })),
      )
    },
  ],
  'session-updated.media-object': [
    'The media is null where nothing changed.',
    (b) =>
      onEvent(
        b,
        UPDATED,
        change('media', (media) => media ?? null),
      ),
  ],
  'session-updated.only-when-applied': [
    'A new connection is told the state.',
    ({ extras }) => {
      extras.greeting = ({ state }) => [
        {
          type: UPDATED,
          session: { mode: state.mode, active_avatar_id: state.activeAvatarId, source_image_id: state.sourceImageId },
        },
      ]
    },
  ],
})

const doneDefects = defectsOf('control-channel', {
  'session-update-done.request-event-id': [
    'The request is not named.',
    (b) => onEvent(b, DONE, drop('request_event_id')),
  ],
  'session-update-done.request-event-id~other': [
    'The request is named by another id.',
    (b) =>
      onEvent(
        b,
        DONE,
        change('request_event_id', (id) => `req_${String(id)}`),
      ),
  ],
  'session-update-done.status-in-set': [
    'An update succeeds.',
    (b) =>
      onEvent(
        b,
        DONE,
        change('status', (status) => (status === 'completed' ? 'succeeded' : status)),
      ),
  ],
  'session-update-done.reason-string': [
    'Without a reason it is null.',
    (b) =>
      onEvent(
        b,
        DONE,
        change('reason', (reason) => reason ?? null),
      ),
  ],
  'session-update-done.not-replayed': [
    'A new connection gets the last result again.',
    (b) => {
      const last = memory(() => ({ event: undefined as Wire | undefined }))
      onEvent(b, DONE, (event, session) => {
        last(session).event = event
        return event
      })
      b.extras.greeting = (session) => {
        const { event } = last(session)
        return event === undefined ? [] : [{ ...event, event_id: `${String(event['event_id'])}_replay` }]
      }
    },
  ],
})

const openingDefects = defectsOf('control-channel', {
  'opening-done.status-in-set': [
    'An opening is finished.',
    ({ extras }) => void (extras.opening = { status: 'finished', reason: undefined }),
  ],
  'opening-done.reason-string': [
    'The reason of a failed opening is an object.',
    (b) => {
      b.extras.opening = { status: 'failed', reason: 'model_error' }
      onEvent(
        b,
        OPENING,
        change('reason', (reason) => ({ code: reason })),
      )
    },
  ],
  'opening-done.completed-without-reason': [
    'A completed opening has a reason.',
    ({ extras }) => void (extras.opening = { status: 'completed', reason: 'finished' }),
  ],
  'opening-done.once-a-connection': [
    'The opening is done twice.',
    (b) => {
      b.extras.opening = { status: 'completed', reason: undefined }
      twice(b, OPENING)
    },
  ],
  'opening-done.replay-agrees': [
    'A replayed opening ends otherwise.',
    (b) => {
      const told = memory(() => ({ count: 0 }))
      b.extras.opening = { status: 'completed', reason: undefined }
      onEvent(b, OPENING, (event, session) => {
        told(session).count += 1
        return told(session).count > 1 ? { ...event, status: 'cancelled', reason: 'restarted' } : event
      })
    },
  ],
})

export const sessionEventDefects = [...updatedDefects, ...doneDefects, ...openingDefects]
