import { put } from '#target/overrides/changes'
import { onCreated } from '#target/overrides/data'
import { around, set } from '#target/overrides/operators'
import { textOf } from '#target/wire'
import { defectsOf } from '../../tools/table.ts'

export const createDefects = defectsOf('avatar-sessions.create', {
  'active-avatar-sole: The only avatar is not shown as active.': onCreated((data) =>
    Array.isArray(data['avatars']) && data['avatars'].length === 1 ? put('session.active_avatar_id', '')(data) : data,
  ),
  'active-avatar-ambiguous-rejected: Of several avatars the first is active.': set(
    'create.activeAvatarId',
    (session, avatars) => textOf(session['active_avatar_id']) ?? textOf(avatars[0]?.['avatar_id']),
  ),
  'active-avatar-ambiguous-rejected~in-video: In video sessions the first of several avatars is the active one.':
    around(
      'create.activeAvatarId',
      (activeAvatarId) => (session, avatars) =>
        activeAvatarId(session, avatars) ??
        (session['active_avatar_id'] === undefined && (session['mode'] ?? 'video_avatar') === 'video_avatar'
          ? textOf(avatars[0]?.['avatar_id'])
          : undefined),
    ),
  'active-avatar-ambiguous-rejected~text: In text_chat the first of several avatars is active when none is named.':
    around(
      'create.activeAvatarId',
      (activeAvatarId) => (session, avatars) =>
        session['mode'] === 'text_chat' && session['active_avatar_id'] === undefined
          ? textOf(avatars[0]?.['avatar_id'])
          : activeAvatarId(session, avatars),
    ),
  'active-avatar-ambiguous-rejected~text-chat: In a text chat, the first of several avatars is active where none is named.':
    around(
      'create.activeAvatarId',
      (activeAvatarId) => (session, avatars) =>
        activeAvatarId(session, avatars) ??
        (session['mode'] === 'text_chat' ? textOf(avatars[0]?.['avatar_id']) : undefined),
    ),
  'active-avatar-explicit: The first avatar is active, whatever was asked.': around(
    'create.activeAvatarId',
    (activeAvatarId) => (session, avatars) => {
      const asked = activeAvatarId(session, avatars)
      return avatars.some((avatar) => avatar['avatar_id'] === asked) ? textOf(avatars[0]?.['avatar_id']) : asked
    },
  ),
  'active-avatar-unknown-rejected: An unknown active avatar means the first.': around(
    'create.activeAvatarId',
    (activeAvatarId) => (session, avatars) => {
      const asked = activeAvatarId(session, avatars)
      return asked === undefined || avatars.some((avatar) => avatar['avatar_id'] === asked)
        ? asked
        : textOf(avatars[0]?.['avatar_id'])
    },
  ),
  'active-avatar-unknown-rejected~in-video: In video sessions an unknown active avatar means the first one.': around(
    'create.activeAvatarId',
    (activeAvatarId) => (session, avatars) => {
      const named = activeAvatarId(session, avatars)
      const video = (session['mode'] ?? 'video_avatar') === 'video_avatar'
      const known = avatars.some(({ avatar_id }) => avatar_id === named)
      return named === undefined || known || !video ? named : textOf(avatars[0]?.['avatar_id'])
    },
  ),
  'active-avatar-unknown-rejected~case: The active avatar is looked for without regard to case.': around(
    'create.activeAvatarId',
    (activeAvatarId) => (session, avatars) => {
      const named = activeAvatarId(session, avatars)
      const alike = avatars.find(({ avatar_id }) => textOf(avatar_id)?.toLowerCase() === named?.toLowerCase())
      return textOf(alike?.['avatar_id']) ?? named
    },
  ),
})
