import type { Behaviour, Override } from '#target/behaviour/behaviour'
import { imageOf, imagesOf } from '#target/behaviour/create'
import { validation } from '#target/behaviour/validations/input-validation'
import { withhold, twice } from '#target/overrides/events'
import { memory } from '#target/overrides/memory'
import { add, around, remembering, set, several } from '#target/overrides/operators'
import type { Session } from '#target/sessions/session'
import { textOf, type JsonObject, objectAt, without } from '#target/wire'
import { isStarted } from '../../tools/characters.ts'
import { acceptImage, hasVisual, named, ofAnotherAvatar, toVideo } from '../../tools/control-channel.ts'
import { refuseEvent } from '../../tools/refusals.ts'
import { MODES } from '../../tools/modes.ts'
import { defectsOf } from '../../tools/table.ts'

/** Tells of every valid session.update before it is performed. */
const onUpdate = (see: (event: JsonObject, session: Session) => void): Override =>
  add(
    'validations.sessionUpdate',
    'seen-by-defect',
    validation('4.4', 'session', ({ event, session }) => {
      see(event, session)
      return false
    }),
  )

export const sessionUpdateDefects = defectsOf('control-channel.session-update', {
  'cleared-image-not-restored: Back in video the old image returns.': remembering(() => {
    const last = memory(() => ({ image: null as string | null }))
    return [
      around('update.next', (next) => (current, resolution, session) => {
        if (resolution.sourceImageId !== null) last(session).image = resolution.sourceImageId
        return next(current, resolution, session)
      }),
      around('update.keptImage', (keptImage) => (current, avatar, session) => {
        const { image } = last(session)
        const remembered = image ?? session.plan.state.sourceImageId
        const back = current.mode === 'text_chat' && remembered !== null && imageOf(avatar, remembered) !== undefined
        return back ? remembered : keptImage(current, avatar, session)
      }),
    ]
  }),
  'cleared-image-not-restored~created: Back in video the image returns that the session was created with.': around(
    'update.keptImage',
    (keptImage) => (current, avatar, session) => {
      const first = session.plan.state.sourceImageId
      const isBack = current.mode === 'text_chat' && first !== null && imageOf(avatar, first) !== undefined
      return isBack ? first : keptImage(current, avatar, session)
    },
  ),
  'null-clears-explicit-image: Null leaves the image.': set('update.clearedImage', (current) => current.sourceImageId),
  'null-clears-explicit-image~beside: A source_image_id of null beside another field counts as omitted.': ({
    update,
  }) => {
    const image = update.image.bind(update)
    update.image = (asked, ...rest) => {
      const beside = asked['source_image_id'] === null && Object.keys(asked).length > 1
      return image(beside ? without(asked, 'source_image_id') : asked, ...rest)
    }
  },
  'image-of-other-avatar-rejected: An image of any avatar will do.': acceptImage(ofAnotherAvatar),
  'unusable-image-rejected: An image without URL will do.': acceptImage(
    (input) => imageOf(input.resolution.active, named(input) ?? '') !== undefined,
  ),
  'avatar-without-visual-rejected: In video an avatar needs no visual.': acceptImage(
    (input) => !toVideo(input) && !hasVisual(input) && named(input) === undefined,
  ),
  'avatar-switch-drops-old-image: The old avatar’s image stays.': [
    set('update.keptImage', (current) => current.sourceImageId),
    acceptImage((input) => !toVideo(input) && named(input) === undefined && hasVisual(input)),
  ],
  'avatar-switch-derives-image: With another avatar its last image is taken.': ({ update }) => {
    const { keptImage } = update
    update.keptImage = (current, avatar, session) => {
      const kept = keptImage(current, avatar, session)
      if (kept !== null || avatar?.['avatar_id'] === current.activeAvatarId || current.mode === 'text_chat') return kept
      const other = imagesOf(avatar).findLast((image) => image['source_image_id'] !== update.derivedImage(avatar))
      return textOf(other?.['source_image_id']) ?? null
    }
  },
  'avatar-without-visual-in-text-chat: In text an avatar needs a visual.': refuseEvent(
    'validations.sessionUpdate',
    (input) => input.resolution.mode === 'text_chat' && !hasVisual(input),
  ),
  'active-avatar-applied~busy: session.update is refused while a response is active.': refuseEvent(
    'validations.sessionUpdate',
    ({ session }) => session.response !== undefined,
  ),
  'active-avatar-applied~null-image: In text_chat a null image is refused where no mode is named.': refuseEvent(
    'validations.sessionUpdate',
    ({ asked, resolution }) =>
      resolution.mode === 'text_chat' && asked['mode'] === undefined && asked['source_image_id'] === null,
  ),
  'active-avatar-applied: An update never changes the avatar.': around('update.next', (next) => (...of) => ({
    ...next(...of),
    activeAvatarId: of[0].activeAvatarId,
  })),
  'mode-kept-when-omitted: An omitted mode means text.': set(
    'update.mode',
    (asked) => textOf(asked['mode']) ?? 'text_chat',
  ),
  'mode-kept-when-omitted~created: An update of the avatar alone brings back the mode of creation.': ({ update }) => {
    const resolve = update.resolve.bind(update)
    update.resolve = (asked, session) =>
      resolve(
        asked['mode'] === undefined &&
          asked['source_image_id'] === undefined &&
          typeof asked['active_avatar_id'] === 'string'
          ? { ...asked, mode: session.plan.state.mode }
          : asked,
        session,
      )
  },
  'mode-kept-when-omitted~third: After every third change of the mode an update without one takes it back.':
    remembering(() => {
      const changes = memory(() => ({ count: 0 }))
      return [
        around(
          'update.resolve',
          (resolve) =>
            function (this: Behaviour['update'], asked, session) {
              const { mode } = session.state
              const other = mode === 'text_chat' ? 'video_avatar' : 'text_chat'
              const back = asked['mode'] === undefined && changes(session).count === 3
              if (back) changes(session).count = 0
              else if (asked['mode'] !== undefined && asked['mode'] !== mode) changes(session).count += 1
              return resolve.call(this, back ? { ...asked, mode: other } : asked, session)
            },
        ),
      ]
    }),
  'active-avatar-kept-when-omitted: An omitted avatar means the first.': set(
    'update.activeAvatarId',
    (asked, current, session) =>
      textOf(asked['active_avatar_id']) ?? textOf(session.avatars[0]?.['avatar_id']) ?? current.activeAvatarId,
  ),
  'active-avatar-kept-when-omitted~started: A session from a character does not keep the avatar that is chosen.':
    around(
      'update.stored',
      (stored) => (current, next, session) => (isStarted(session) ? current : stored(current, next, session)),
    ),
  'source-image-kept-when-omitted: An omitted image means the default.': set('update.keptImage', () => null),
  'source-image-kept-when-omitted~same-avatar: An update that names the active avatar once more brings its default image back.':
    ({ update }) => {
      const image = update.image.bind(update)
      update.image = (asked, session, mode, active) => {
        const same = asked['active_avatar_id'] === session.state.activeAvatarId
        const derived = same && asked['source_image_id'] === undefined ? update.derivedImage(active) : null
        return mode === 'video_avatar' && derived !== null ? derived : image(asked, session, mode, active)
      }
    },
  'text-chat-mode-applied~busy: An update to another mode is refused while a response is active.': refuseEvent(
    'validations.sessionUpdate',
    ({ session, asked }) =>
      session.response !== undefined && asked['mode'] !== undefined && asked['mode'] !== session.state.mode,
  ),
  'text-chat-mode-applied~null-image: A null image is refused in text_chat.': refuseEvent(
    'validations.sessionUpdate',
    ({ asked, resolution }) => resolution.mode === 'text_chat' && asked['source_image_id'] === null,
  ),
  'text-chat-mode-applied: The mode stays video.': around(
    'update.next',
    (next) => (current, resolution, session) =>
      resolution.mode === 'text_chat' ? current : next(current, resolution, session),
  ),
  'video-mode-applied: The mode stays text.': around(
    'update.next',
    (next) => (current, resolution, session) =>
      current.mode === 'text_chat'
        ? { ...next(current, resolution, session), mode: 'text_chat', sourceImageId: null }
        : next(current, resolution, session),
  ),
  'source-image-applied: An explicit image of the active avatar is overlooked.': around(
    'update.next',
    (next) => (current, resolution, session) =>
      current.activeAvatarId === resolution.activeAvatarId &&
      current.mode === resolution.mode &&
      current.mode === 'video_avatar'
        ? { ...next(current, resolution, session), sourceImageId: current.sourceImageId }
        : next(current, resolution, session),
  ),
  'avatar-and-image-together: With another avatar its default image counts.': ({ update }) => {
    const { next } = update
    update.next = (current, resolution, session) =>
      current.activeAvatarId !== resolution.activeAvatarId && resolution.mode === 'video_avatar'
        ? {
            ...next(current, resolution, session),
            sourceImageId: update.derivedImage(resolution.active) ?? resolution.sourceImageId,
          }
        : next(current, resolution, session)
  },
  'newest-wins: An update during another is announced and not kept.': set('update.stored', (current, next, session) =>
    session.updates.size > 0 ? current : next,
  ),
  'tools-immutable: An update takes in tools.': set('update.absorb', (session, event) => {
    const asked = objectAt(event, 'session')
    const tools =
      asked['tools'] ??
      objectAt(asked, 'conversation')['tools'] ??
      event['tools'] ??
      objectAt(event, 'conversation')['tools']
    if (tools !== undefined) session.conversation = { ...session.conversation, tools }
  }),
  'rejected-changes-nothing: A refused update changes what was valid in it.': set(
    'update.keptOfRefused',
    (current, { activeAvatarId, active, mode }) => ({
      ...current,
      mode: mode === 'text_chat' ? 'text_chat' : current.mode,
      sourceImageId: mode === 'text_chat' ? null : current.sourceImageId,
      activeAvatarId: active === undefined ? current.activeAvatarId : activeAvatarId,
    }),
  ),
  'rejected-changes-nothing~image: An update that is refused for its image changes the active avatar.': around(
    'update.keptOfRefused',
    (keptOfRefused) => (current, resolution) => {
      const { active, activeAvatarId, mode } = resolution
      const kept = keptOfRefused(current, resolution)
      return active === undefined || mode === 'text_chat' ? kept : { ...kept, activeAvatarId }
    },
  ),
  'rejected-changes-nothing~image-beside: An update that is refused for its avatar chooses the image that it names.':
    around('update.keptOfRefused', (keptOfRefused) => (current, resolution) => {
      const kept = keptOfRefused(current, resolution)
      const { active, mode, sourceImageId } = resolution
      const namesImage = active === undefined && mode === 'video_avatar' && sourceImageId !== null
      return namesImage ? { ...kept, sourceImageId } : kept
    }),
  'rejected-changes-nothing~image-of-mode: An update that is refused for its mode chooses the image that it names.':
    around('update.keptOfRefused', (keptOfRefused) => (current, resolution) => {
      const kept = keptOfRefused(current, resolution)
      const { mode, sourceImage, sourceImageId } = resolution
      return MODES.includes(mode) || sourceImage === undefined ? kept : { ...kept, sourceImageId }
    }),
  'rejected-changes-nothing~unknown-avatar: An unknown avatar is refused and active all the same, so that what names none is refused.':
    several(
      around('update.keptOfRefused', (keptOfRefused) => (current, resolution) => {
        const { active, activeAvatarId, mode } = resolution
        const kept = keptOfRefused(current, resolution)
        return active === undefined && MODES.includes(mode) ? { ...kept, activeAvatarId } : kept
      }),
      refuseEvent('validations.sessionUpdate', ({ resolution }) => resolution.active === undefined),
    ),
  'rejected-changes-nothing~mode: An update that is refused for its avatar changes the mode.': set(
    'update.keptOfRefused',
    (current, { active, mode }) =>
      active !== undefined || !MODES.includes(mode)
        ? current
        : { ...current, mode, sourceImageId: mode === 'text_chat' ? null : current.sourceImageId },
  ),
  'rejected-changes-nothing~cleared: An update that is refused for its avatar clears the image that was chosen.': set(
    'update.keptOfRefused',
    (current, { active }) => (active === undefined ? { ...current, sourceImageId: null } : current),
  ),
  'invalid-answered-by-error: A refused update gets no answer.': withhold('error', (event) =>
    (textOf(objectAt(event, 'error')['param']) ?? '').startsWith('session'),
  ),
  'invalid-no-updated: A refused update is acknowledged, too.': set('update.refusedSteps', ['session.updated']),
  'invalid-no-done: A refused update is done, too.': set('update.refusedSteps', ['session.update.done']),
  'updated-once: An update is acknowledged twice.': twice('session.updated'),
  'updated-once~stale: An update without event_id is confirmed under that of the last one that had one.': (
    behaviour,
  ) => {
    const last = memory(() => ({ id: undefined as string | undefined }))
    let current: Session | undefined
    const resolve = behaviour.update.resolve.bind(behaviour.update)
    behaviour.update.resolve = (asked, session) => {
      current = session
      return resolve(asked, session)
    }
    onUpdate((event, session) => {
      const id = textOf(event['event_id'])
      if (id !== undefined && id !== '') last(session).id = id
    })(behaviour)
    behaviour.update.ownEventId = (generated) => (current === undefined ? undefined : last(current).id) ?? generated
  },
  'undisturbed-completes~video: Every update in video is cancelled in the end.': around(
    'update.outcome',
    (outcome) => (resolution) =>
      resolution.mode === 'video_avatar' ? { status: 'cancelled', reason: undefined } : outcome(resolution),
  ),
  'undisturbed-completes~refusal: An update that is refused cancels the one before it.': set(
    'update.refusalSupersedes',
    true,
  ),
  'undisturbed-completes: Every update is cancelled in the end.': set('update.outcome', () => ({
    status: 'cancelled',
    reason: 'superseded',
  })),
})
