import { avatarOf, imageOf } from '#target/behaviour/create'
import type { UpdateInput } from '#target/behaviour/validations/session-update'
import { change, omit, put } from '#target/overrides/changes'
import { onEvent } from '#target/overrides/events'
import { memory } from '#target/overrides/memory'
import { append, around, remembering, set } from '#target/overrides/operators'
import { textOf, objectAt } from '#target/wire'
import { onceReturned } from '../../tools/refusals.ts'
import { defectsOf } from '../../tools/table.ts'

const UPDATED = 'session.updated'

export const sessionUpdatedDefects = defectsOf('control-channel.session-updated', {
  'event-id-echoed: The id of the client is not echoed.': onEvent(
    UPDATED,
    change('event_id', (id) => `event_${String(id)}`),
  ),
  'event-id-echoed~case: The id of the client comes back in small letters.': onEvent(
    UPDATED,
    change('event_id', (id) => textOf(id)?.toLowerCase()),
  ),
  'event-id-echoed~reconnect: After a reconnect the id of the client is not echoed.': onceReturned((returned) => [
    append('outgoing', (event, session) => [
      event['type'] === UPDATED && returned(session)
        ? { ...event, event_id: `event_${String(event['event_id'])}` }
        : event,
    ]),
  ]),
  'event-id-generated: Without an id of the client there is none.': set('update.ownEventId', () => ''),
  'session-object: The state stands beside the type.': onEvent(UPDATED, ({ session, ...event }) => ({
    ...objectAt({ session }, 'session'),
    ...event,
  })),
  'mode-in-set: The mode has a short name.': onEvent(
    UPDATED,
    change('session.mode', (mode) => (mode === 'video_avatar' ? 'video' : 'text')),
  ),
  'active-avatar-id-string: The active avatar is left out.': onEvent(UPDATED, omit('session.active_avatar_id')),
  'source-image-id-string-or-null: An image of none is left out.': onEvent(
    UPDATED,
    change('session.source_image_id', (id) => id ?? undefined),
  ),
  'source-image-id-string-or-null~object: The image is an object.': onEvent(
    UPDATED,
    change('session.source_image_id', (id) => (id === null ? null : { id })),
  ),
  'source-image-null-in-text-chat: In text the image is empty.': onEvent(
    UPDATED,
    change('session.source_image_id', (id) => id ?? ''),
  ),
  'source-image-null-in-text-chat~by-image: An update in text_chat that names an image shows it.': ({ update }) => {
    const image = update.image.bind(update)
    update.image = (asked, session, mode, active) => {
      const named = textOf(asked['source_image_id'])
      const known = named !== undefined && imageOf(avatarOf(session.avatars, session.state.activeAvatarId), named)
      return mode === 'text_chat' && asked['mode'] === undefined && known ? named : image(asked, session, mode, active)
    }
  },
  'source-image-null-in-text-chat~with-avatar: An update to text_chat that names another avatar, too, shows the image of that one.':
    ({ update }) => {
      const image = update.image.bind(update)
      update.image = (asked, session, mode, active) =>
        asked['mode'] === 'text_chat' &&
        typeof asked['active_avatar_id'] === 'string' &&
        asked['active_avatar_id'] !== session.state.activeAvatarId
          ? update.derivedImage(active)
          : image(asked, session, mode, active)
    },
  'source-image-null-in-text-chat~named: An update to text that names an image is acknowledged with that image.':
    remembering(() => {
      const asked = memory(() => ({ image: undefined as unknown }))
      return [
        around('validations.sessionUpdate.session-missing.broken', (broken) => (input: UpdateInput) => {
          asked(input.session).image = input.asked['source_image_id']
          return broken(input)
        }),
        onEvent('session.updated', (event, session) => {
          const { image } = asked(session)
          const text = objectAt(event, 'session')['mode'] === 'text_chat'
          return text && typeof image === 'string' ? put('session.source_image_id', image)(event) : event
        }),
      ]
    }),
  'source-image-set-in-video: In video the image is null.': onEvent(UPDATED, put('session.source_image_id', null)),
  'active-avatar-known: The active avatar has a prefix.': onEvent(
    UPDATED,
    change('session.active_avatar_id', (id) => `avatar:${String(id)}`),
  ),
  'media-transport-string: The transport is an object.': [
    set('update.announcesMedia', (_previous, { mode }) => mode === 'video_avatar'),
    onEvent(
      UPDATED,
      change('media_transport', (transport) => (transport === undefined ? undefined : { name: transport })),
    ),
  ],
  'media-object: The media is null where nothing changed.': onEvent(
    UPDATED,
    change('media', (media) => media ?? null),
  ),
  'only-when-applied: A new connection is told the state.': set('extras.greeting', ({ state }) => [
    {
      type: UPDATED,
      session: { mode: state.mode, active_avatar_id: state.activeAvatarId, source_image_id: state.sourceImageId },
    },
  ]),
})
