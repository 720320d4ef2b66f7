import type { Override } from '#target/behaviour/behaviour'
import { avatarOf, imageOf, imagesOf } from '#target/behaviour/create'
import { around, drop, except, remembering, several } from '#target/overrides/operators'
import { textOf, type JsonObject } from '#target/wire'
import { acceptImage, named, ofAnotherAvatar } from '../../../tools/control-channel.ts'
import { isAmong } from '../../../tools/items.ts'
import { MODES } from '../../../tools/modes.ts'
import { defectsOf } from '../../../tools/table.ts'

/** An unknown mode of an update counts as another one, with all that follows from that. */
const updateAs = (mode: (current: string) => string, where: (current: string) => boolean = () => true): Override =>
  several(
    except('validations.sessionUpdate', 'mode-unknown', (input) => where(input.session.state.mode)),
    around('update.mode', (asIs) => (asked, current) => {
      const read = asIs(asked, current)
      return MODES.includes(read) || !where(current.mode) ? read : mode(current.mode)
    }),
  )

const isVideo = (mode: string): boolean => mode === 'video_avatar'

export const sessionUpdateDefects = defectsOf('control-channel.session-update', {
  'unknown-image-rejected: An unknown image is accepted.': acceptImage(
    (input) =>
      named(input) !== undefined &&
      !ofAnotherAvatar(input) &&
      imageOf(input.resolution.active, named(input) ?? '') === undefined,
  ),
  'unknown-avatar-rejected: An unknown avatar leaves the old one.': [
    drop('validations.sessionUpdate', 'active-avatar-unknown'),
    around('update.activeAvatarId', (activeAvatarId) => (asked, current, session) => {
      const wanted = activeAvatarId(asked, current, session)
      return session.avatars.some((avatar) => avatar['avatar_id'] === wanted) ? wanted : current.activeAvatarId
    }),
  ],
  'unknown-avatar-rejected~case: The avatar of an update is looked for without regard to case.': around(
    'update.activeAvatarId',
    (activeAvatarId) => (asked, current, session) => {
      const wanted = activeAvatarId(asked, current, session)
      const ids = session.avatars.map((avatar) => String(avatar['avatar_id']))
      return ids.includes(wanted) ? wanted : (ids.find((id) => isAmong([id], wanted)) ?? wanted)
    },
  ),
  'unknown-image-rejected~case: The image of an update is looked for without regard to case.': acceptImage(
    (input) =>
      named(input) !== undefined &&
      isAmong(
        imagesOf(input.resolution.active).map((image) => image['source_image_id']),
        named(input),
      ),
  ),
  'unknown-avatar-rejected~in-video: In video sessions an unknown avatar of an update is passed over.': [
    around('update.activeAvatarId', (asIs) => (asked, current, session) => {
      const wanted = asIs(asked, current, session)
      const known = session.avatars.some(({ avatar_id }) => avatar_id === wanted)
      return known || !isVideo(current.mode) ? wanted : current.activeAvatarId
    }),
    except('validations.sessionUpdate', 'active-avatar-unknown', (input) => isVideo(input.session.state.mode)),
  ],
  'unknown-avatar-rejected~other-session: An avatar that was added in one session can be selected in every session of the workspace.':
    remembering(() => {
      const added = new Map<string, JsonObject>()
      return [
        around('registry.registersAvatar', (registersAvatar) => (avatar, session) => {
          added.set(`${session.account.workspace} ${String(avatar['avatar_id'])}`, avatar)
          return registersAvatar(avatar, session)
        }),
        around('update.activeAvatarId', (activeAvatarId) => (asked, current, session) => {
          const id = textOf(asked['active_avatar_id'])
          const found = added.get(`${session.account.workspace} ${id}`)
          if (found !== undefined && avatarOf(session.avatars, id) === undefined) session.avatars.push(found)
          return activeAvatarId(asked, current, session)
        }),
      ]
    }),
  'unknown-mode-rejected: An unknown mode leaves the old one.': [
    drop('validations.sessionUpdate', 'mode-unknown'),
    around(
      'update.mode',
      (mode) => (asked, current) =>
        ['text_chat', 'video_avatar'].includes(mode(asked, current)) ? mode(asked, current) : current.mode,
    ),
  ],
  'unknown-mode-rejected~as-video: An unknown mode of an update means video_avatar.': updateAs(() => 'video_avatar'),
  'unknown-mode-rejected~as-text: An unknown mode of an update means text_chat.': updateAs(() => 'text_chat'),
  'unknown-mode-rejected~passed-over: An unknown mode of an update is passed over.': updateAs((current) => current),
  'unknown-mode-rejected~in-video: In video sessions an unknown mode of an update is passed over.': updateAs(
    (current) => current,
    isVideo,
  ),
})
