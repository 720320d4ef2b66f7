import { waive } from '#target/behaviour/rules/waive'
import { textOf, wireAt } from '#target/wire'
import { defectsOf } from '../table.ts'
import { mute, twice } from '../tools.ts'

const applyDefects = defectsOf('control-channel', {
  'session-update.active-avatar-applied': [
    'An update never changes the avatar.',
    ({ update }) => {
      const { next } = update
      update.next = (current, resolution, session) => ({
        ...next(current, resolution, session),
        activeAvatarId: current.activeAvatarId,
      })
    },
  ],
  'session-update.mode-kept-when-omitted': [
    'An omitted mode means text.',
    ({ update }) => void (update.mode = (asked) => textOf(asked['mode']) ?? 'text_chat'),
  ],
  'session-update.active-avatar-kept-when-omitted': [
    'An omitted avatar means the first.',
    ({ update }) => {
      update.activeAvatarId = (asked, current, session) =>
        textOf(asked['active_avatar_id']) ?? textOf(session.avatars[0]?.['avatar_id']) ?? current.activeAvatarId
    },
  ],
  'session-update.source-image-kept-when-omitted': [
    'An omitted image means the default.',
    ({ update }) => void (update.keptImage = () => null),
  ],
  'session-update.text-chat-mode-applied': [
    'The mode stays video.',
    ({ update }) => {
      const { next } = update
      update.next = (current, resolution, session) =>
        resolution.mode === 'text_chat' ? current : next(current, resolution, session)
    },
  ],
  'session-update.video-mode-applied': [
    'The mode stays text.',
    ({ update }) => {
      const { next } = update
      update.next = (current, resolution, session) =>
        current.mode === 'text_chat'
          ? { ...next(current, resolution, session), mode: 'text_chat', sourceImageId: null }
          : next(current, resolution, session)
    },
  ],
  'session-update.source-image-applied': [
    'An explicit image of the active avatar is overlooked.',
    ({ update }) => {
      const { next } = update
      update.next = (current, resolution, session) =>
        current.activeAvatarId === resolution.activeAvatarId &&
        current.mode === resolution.mode &&
        current.mode === 'video_avatar'
          ? { ...next(current, resolution, session), sourceImageId: current.sourceImageId }
          : next(current, resolution, session)
    },
  ],
  'session-update.avatar-and-image-together': [
    'With another avatar its default image counts.',
    ({ update }) => {
      const { next } = update
      update.next = (current, resolution, session) =>
        current.activeAvatarId !== resolution.activeAvatarId && resolution.mode === 'video_avatar'
          ? {
              ...next(current, resolution, session),
              sourceImageId: update.derivedImage(resolution.active) ?? resolution.sourceImageId,
            }
          : next(current, resolution, session)
    },
  ],
  'session-update.persists': [
    'An update is announced and not kept.',
    ({ update }) => void (update.stored = (current) => current),
  ],
  'session-update.newest-wins': [
    'An update during another is announced and not kept.',
    ({ update }) => void (update.stored = (current, next, session) => (session.updates.size > 0 ? current : next)),
  ],
  'session-update.tools-immutable': [
    'An update takes in tools.',
    ({ update }) => {
      update.absorb = (session, event) => {
        const asked = wireAt(event, 'session')
        const tools =
          asked['tools'] ??
          wireAt(asked, 'conversation')['tools'] ??
          event['tools'] ??
          wireAt(event, 'conversation')['tools']
        if (tools !== undefined) session.conversation = { ...session.conversation, tools }
      }
    },
  ],
})

const refusalDefects = defectsOf('control-channel', {
  'session-update.unknown-avatar-rejected': [
    'An unknown avatar leaves the old one.',
    ({ rules, update }) => {
      waive(rules.sessionUpdate, 'active-avatar-unknown')
      const { activeAvatarId } = update
      update.activeAvatarId = (asked, current, session) => {
        const wanted = activeAvatarId(asked, current, session)
        return session.avatars.some((avatar) => avatar['avatar_id'] === wanted) ? wanted : current.activeAvatarId
      }
    },
  ],
  'session-update.unknown-mode-rejected': [
    'An unknown mode leaves the old one.',
    ({ rules, update }) => {
      waive(rules.sessionUpdate, 'mode-unknown')
      const { mode } = update
      update.mode = (asked, current) =>
        ['text_chat', 'video_avatar'].includes(mode(asked, current)) ? mode(asked, current) : current.mode
    },
  ],
  'session-update.rejected-changes-nothing': [
    'A refused update changes what was valid in it.',
    ({ update }) => {
      update.keptOfRefused = (current, { activeAvatarId, active, mode }) => ({
        ...current,
        mode: mode === 'text_chat' ? 'text_chat' : current.mode,
        sourceImageId: mode === 'text_chat' ? null : current.sourceImageId,
        activeAvatarId: active === undefined ? current.activeAvatarId : activeAvatarId,
      })
    },
  ],
  'session-update.invalid-answered-by-error': [
    'A refused update gets no answer.',
    (b) => mute(b, 'error', (event) => (textOf(wireAt(event, 'error')['param']) ?? '').startsWith('session')),
  ],
  'session-update.invalid-no-updated': [
    'A refused update is acknowledged, too.',
    ({ update }) => void (update.refusedSteps = ['session.updated']),
  ],
  'session-update.invalid-no-done': [
    'A refused update is done, too.',
    ({ update }) => void (update.refusedSteps = ['session.update.done']),
  ],
  'session-update.accepted-yields-updated': ['An update is not acknowledged.', (b) => mute(b, 'session.updated')],
  'session-update.updated-once': ['An update is acknowledged twice.', (b) => twice(b, 'session.updated')],
  'session-update.accepted-yields-done': ['An update is never done.', (b) => mute(b, 'session.update.done')],
  'session-update.accepted-yields-done~before': [
    'An update is done before it is acknowledged.',
    ({ update }) => void (update.order = ['session.update.done', 'session.updated']),
  ],
  'session-update.done-once': ['An update is done twice.', (b) => twice(b, 'session.update.done')],
  'session-update.undisturbed-completes': [
    'Every update is cancelled in the end.',
    ({ update }) => void (update.outcome = () => ({ status: 'cancelled', reason: 'superseded' })),
  ],
})

export const sessionUpdateDefects = [...applyDefects, ...refusalDefects]
