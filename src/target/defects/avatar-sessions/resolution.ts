import { imageOf, imagesOf } from '#target/behaviour/create'
import { textOf, wireAt, wiresAt } from '#target/wire'
import { put, replace } from '../paths.ts'
import { defectsOf } from '../table.ts'
import { onCreated } from '../tools.ts'

/** 4.1: how a create is resolved. */
export const resolutionDefects = defectsOf('avatar-sessions', {
  'create.region-echoed': [
    'The region is returned in capitals.',
    ({ create }) => {
      const { region } = create
      create.region = (body) => region(body).toUpperCase()
    },
  ],
  'create.mode-default-session-omitted': [
    'Without a session the mode is text.',
    ({ create }) => {
      const { mode } = create
      create.mode = (session) => (Object.keys(session).length === 0 ? 'text_chat' : mode(session))
    },
  ],
  'create.mode-default-mode-omitted': [
    'Without a mode beside other fields the mode is text.',
    ({ create }) => {
      const { mode } = create
      create.mode = (session) =>
        Object.keys(session).length > 0 && session['mode'] === undefined ? 'text_chat' : mode(session)
    },
  ],
  'create.transport-default': [
    'The default transport is rtc_b.',
    ({ create }) => {
      const { transport } = create
      create.transport = (body) => (body['delivery'] === undefined ? 'rtc_b' : transport(body))
    },
  ],
  'create.transport-rtc-a': [
    'rtc_a is delivered over rtc_b.',
    ({ create }) => {
      const { transport } = create
      create.transport = (body) => (body['delivery'] === undefined ? transport(body) : 'rtc_b')
    },
  ],
  'create.transport-rtc-b': ['rtc_b is delivered over rtc_a.', ({ create }) => void (create.transport = () => 'rtc_a')],
  'create.active-avatar-sole': [
    'The only avatar is not shown as active.',
    (b) =>
      onCreated(b, (data) =>
        Array.isArray(data['avatars']) && data['avatars'].length === 1
          ? put('session.active_avatar_id', '')(data)
          : data,
      ),
  ],
  'create.active-avatar-ambiguous-rejected': [
    'Of several avatars the first is active.',
    ({ create }) => {
      create.activeAvatarId = (session, avatars) =>
        textOf(session['active_avatar_id']) ?? textOf(avatars[0]?.['avatar_id'])
    },
  ],
  'create.active-avatar-explicit': [
    'The first avatar is active, whatever was asked.',
    ({ create }) => {
      const { activeAvatarId } = create
      create.activeAvatarId = (session, avatars) => {
        const asked = activeAvatarId(session, avatars)
        return avatars.some((avatar) => avatar['avatar_id'] === asked) ? textOf(avatars[0]?.['avatar_id']) : asked
      }
    },
  ],
  'create.active-avatar-unknown-rejected': [
    'An unknown active avatar means the first.',
    ({ create }) => {
      const { activeAvatarId } = create
      create.activeAvatarId = (session, avatars) => {
        const asked = activeAvatarId(session, avatars)
        return asked === undefined || avatars.some((avatar) => avatar['avatar_id'] === asked)
          ? asked
          : textOf(avatars[0]?.['avatar_id'])
      }
    },
  ],
  'create.source-image-explicit': [
    'The default image wins over the explicit one.',
    ({ create }) => {
      const { sourceImageId } = create
      create.sourceImageId = (session, avatar) => {
        const named = textOf(wireAt(avatar, 'visual')['default_source_image_id'])
        return imageOf(avatar, sourceImageId(session, avatar) ?? '') === undefined
          ? sourceImageId(session, avatar)
          : (named ?? sourceImageId(session, avatar))
      }
    },
  ],
  'create.source-image-default': [
    'The last image is taken for the default.',
    ({ create }) => {
      const { sourceImageId } = create
      create.sourceImageId = (session, avatar) => {
        const resolved = sourceImageId(session, avatar)
        return resolved === undefined || session['source_image_id'] !== undefined
          ? resolved
          : (textOf(imagesOf(avatar).findLast((image) => image['source_image_id'] !== resolved)?.['source_image_id']) ??
              resolved)
      }
    },
  ],
  'create.source-image-of-active-avatar': [
    'The image shown is that of the first avatar.',
    ({ views }) => {
      views.created['session'] = ({ state, plan }) => {
        const first = imagesOf(plan.avatars[0])[0]?.['source_image_id']
        const shown = plan.avatars.length > 1 ? (first ?? state.sourceImageId) : state.sourceImageId
        const image = state.sourceImageId === null ? {} : { source_image_id: shown }
        return { mode: state.mode, active_avatar_id: state.activeAvatarId, ...image }
      }
    },
  ],
  'create.source-image-sole': [
    'An only image is shown as `auto`.',
    (b) =>
      onCreated(b, (data) => {
        const images = wiresAt(data, 'avatars').flatMap(imagesOf)
        const named = wiresAt(data, 'avatars').some(
          (avatar) => wireAt(avatar, 'visual')['default_source_image_id'] !== undefined,
        )
        return images.length === 1 && !named ? replace('session.source_image_id', 'auto')(data) : data
      }),
  ],
  'create.source-image-unresolvable-rejected': [
    'Of several images without default the first is taken.',
    ({ create }) => {
      const { sourceImageId } = create
      create.sourceImageId = (session, avatar) =>
        sourceImageId(session, avatar) ?? textOf(imagesOf(avatar)[0]?.['source_image_id'])
    },
  ],
  'create.source-images-empty-rejected': [
    'A video session may have no images.',
    ({ rules }) => {
      const rule = rules.createSession['source-image-unresolved']
      const { broken } = rule
      rule.broken = (input) =>
        broken(input) && !(input.active?.['visual'] !== undefined && imagesOf(input.active).length === 0)
    },
  ],
  'create.source-image-unknown-rejected': [
    'An unknown image is accepted.',
    ({ rules }) => {
      const rule = rules.createSession['source-image-unknown']
      const { broken } = rule
      rule.broken = (input) =>
        broken(input) && input.avatars.some((avatar) => imageOf(avatar, input.sourceImageId ?? '') !== undefined)
    },
  ],
  'create.source-image-of-other-avatar-rejected': [
    'An image of any avatar will do.',
    ({ rules }) => {
      const rule = rules.createSession['source-image-unknown']
      const { broken } = rule
      rule.broken = (input) =>
        broken(input) && input.avatars.every((avatar) => imageOf(avatar, input.sourceImageId ?? '') === undefined)
    },
  ],
  'create.default-source-image-unknown-rejected': [
    'An unknown default means the first image.',
    ({ create }) => {
      const { sourceImageId } = create
      create.sourceImageId = (session, avatar) => {
        const resolved = sourceImageId(session, avatar)
        if (
          session['source_image_id'] !== undefined ||
          resolved === undefined ||
          imageOf(avatar, resolved) !== undefined
        )
          return resolved
        return textOf(imagesOf(avatar)[0]?.['source_image_id'])
      }
    },
  ],
  'create.source-image-omitted-in-text-chat': [
    'A text chat returns the image that its avatar would have.',
    ({ views }) => {
      views.created['session'] = ({ state, plan }) => ({
        mode: state.mode,
        active_avatar_id: state.activeAvatarId,
        source_image_id: state.sourceImageId ?? imagesOf(plan.avatars[0])[0]?.['source_image_id'],
      })
    },
  ],
  'create.refused-leaves-no-session': [
    'A create without known model is refused and makes a session.',
    ({ create }) => void (create.makesRefused = (code) => code === '30004'),
  ],
})
