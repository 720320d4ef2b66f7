import { avatarOf } from '#target/behaviour/create'
import { textOf, type Wire } from '#target/wire'
import { defectsOf } from '../table.ts'
import { beforeConnect, memory, mute } from '../tools.ts'

/** 4.4 `session.update` in company: another update, another field, another session; and connections one after another. */
export const subtleSessionDefects = defectsOf('control-channel', {
  'session-update.accepted-yields-done~superseded': [
    'An update that a newer one supersedes is never done.',
    (b) => mute(b, 'session.update.done', ({ reason }) => reason === b.update.supersededReason),
  ],
  'session-update.source-image-kept-when-omitted~same-avatar': [
    'An update that names the active avatar once more brings its default image back.',
    ({ update }) => {
      const image = update.image.bind(update)
      update.image = (asked, session, mode, active) => {
        const same = asked['active_avatar_id'] === session.state.activeAvatarId
        const derived = same && asked['source_image_id'] === undefined ? update.derivedImage(active) : null
        return mode === 'video_avatar' && derived !== null ? derived : image(asked, session, mode, active)
      }
    },
  ],
  'session-update.to-video-without-visual-rejected~with-switch': [
    'With a switch to video, an avatar that is named with it needs no image.',
    ({ rules }) => {
      const rule = rules.sessionUpdate['source-image-unresolved']
      const { broken } = rule
      rule.broken = (input) => {
        const switches = input.session.state.mode === 'text_chat' && input.asked['active_avatar_id'] !== undefined
        return broken(input) && !switches
      }
    },
  ],
  'session-update.unknown-avatar-rejected~other-session': [
    'An avatar that was added in one session can be selected in every session of the workspace.',
    ({ registry, update }) => {
      const added = new Map<string, Wire>()
      const { registersAvatar } = registry
      registry.registersAvatar = (avatar, session) => {
        added.set(`${session.account.workspace} ${String(avatar['avatar_id'])}`, avatar)
        return registersAvatar(avatar, session)
      }
      const { activeAvatarId } = update
      update.activeAvatarId = (asked, current, session) => {
        const id = textOf(asked['active_avatar_id'])
        const elsewhere = added.get(`${session.account.workspace} ${id}`)
        if (elsewhere !== undefined && avatarOf(session.avatars, id) === undefined) session.avatars.push(elsewhere)
        return activeAvatarId(asked, current, session)
      }
    },
  ],
  'secret.reconnect-admitted~fourth': [
    'A secret opens three connections in all.',
    ({ channel }) => {
      const opened = memory(() => ({ count: 0 }))
      beforeConnect({ channel }, (session) => {
        opened(session).count += 1
      })
      const wrong = channel.admission['token-wrong']
      channel.admission['token-wrong'] = (attempt) =>
        wrong(attempt) || (attempt.session !== undefined && opened(attempt.session).count >= 3)
    },
  ],
  'session-closed.connections-disconnected~first-of-two': [
    'Of several connections the first one stays when a session closes.',
    ({ lifecycle, outgoing }) => {
      lifecycle.disconnects = () => false
      outgoing.push((event, { connections }) => {
        const leaving = connections.size === 1 ? [...connections] : [...connections].slice(1)
        if (event['type'] === 'session.closed')
          queueMicrotask(() => {
            for (const { socket } of leaving) socket.close(lifecycle.closeCode)
          })
        return [event]
      })
    },
  ],
})
