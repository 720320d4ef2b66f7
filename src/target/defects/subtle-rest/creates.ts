import { imageOf } from '#target/behaviour/create'
import { textOf, wireAt } from '#target/wire'
import { defectsOf } from '../table.ts'

/** 4.1: resolution and idempotency that fail only in company. */
export const subtleCreateDefects = defectsOf('avatar-sessions', {
  'create.source-image-unknown-rejected~default': [
    'An unknown image means the default one, where the avatar has a default.',
    ({ create }) => {
      const { sourceImageId } = create
      create.sourceImageId = (session, avatar) => {
        const asked = textOf(session['source_image_id'])
        const fallback = textOf(wireAt(avatar, 'visual')['default_source_image_id'])
        const unknown = asked !== undefined && imageOf(avatar, asked) === undefined
        return unknown && fallback !== undefined ? fallback : sourceImageId(session, avatar)
      }
    },
  ],
  'create.active-avatar-ambiguous-rejected~text-chat': [
    'In a text chat, the first of several avatars is active where none is named.',
    ({ create }) => {
      const { activeAvatarId } = create
      create.activeAvatarId = (session, avatars) =>
        activeAvatarId(session, avatars) ??
        (session['mode'] === 'text_chat' ? textOf(avatars[0]?.['avatar_id']) : undefined)
    },
  ],
  'create.transport-rtc-b~lite-model': [
    'The lightweight model is always delivered over rtc_a.',
    ({ create }) => {
      const { transport } = create
      create.transport = (body) => (textOf(body['model'])?.endsWith('-lite') === true ? 'rtc_a' : transport(body))
    },
  ],
  'idempotency.other-key-other-session~case': [
    'Keys that differ in case only are the same key.',
    ({ idempotency }) => {
      const { named } = idempotency
      idempotency.named = (operation, key) => named(operation, key.toLowerCase())
    },
  ],
  'idempotency.retry-same-session~other-between': [
    'A workspace’s key is forgotten when a create with another one comes.',
    ({ idempotency }) => {
      const latest = new Map<string, { key: string; turn: number }>()
      const { scope } = idempotency
      idempotency.scope = (account, key) => {
        const known = latest.get(account.workspace) ?? { key, turn: 0 }
        const turn = known.key === key ? known.turn : known.turn + 1
        latest.set(account.workspace, { key, turn })
        return `${scope(account, key)}\n${turn}`
      }
    },
  ],
  'list.shows-open-sessions~connected': [
    'List leaves out sessions to which somebody is connected.',
    ({ views }) => {
      const { lists } = views
      views.lists = (session) => lists(session) && session.connections.size === 0
    },
  ],
  'list.hides-closed-sessions~expired': [
    'List goes on showing sessions that have expired.',
    ({ views, lifecycle }) => {
      const { lists } = views
      views.lists = (session) => lists(session) || session.closeReason === lifecycle.reasons.expiry
    },
  ],
})
