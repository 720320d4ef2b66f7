import type { Behaviour } from '#target/behaviour/behaviour'
import { isWire, textOf } from '#target/wire'
import { defectsOf } from '../table.ts'
import { beforeConnect, memory } from '../tools.ts'

function admitAfter({ channel: { admission }, lifecycle }: Behaviour, timeout: 'idle' | 'disconnected'): void {
  const closed = admission['session-closed']
  admission['session-closed'] = (attempt) =>
    closed(attempt) && attempt.session?.closeReason !== lifecycle.reasons[timeout]
}

/** Avatar sessions: their keys, their list, their timers, their secret. */
export const overlookedSessionDefects = [
  ...defectsOf('avatar-sessions', {
    'list.shows-open-sessions~character': [
      'Sessions that were started from a character are not listed.',
      ({ views }) => {
        const { lists } = views
        views.lists = (session) => session.plan.characterId === undefined && lists(session)
      },
    ],
    'pipeline.tts-config-missing-rejected~empty': [
      'An empty pipeline_config is taken.',
      ({ rules }) => {
        const { broken } = rules.pipeline['tts-missing']
        rules.pipeline['tts-missing'].broken = (input) =>
          broken(input) && !(isWire(input.given) && Object.keys(input.given).length === 0)
      },
    ],
    'create.active-avatar-ambiguous-rejected~text': [
      'In text_chat the first of several avatars is active when none is named.',
      ({ create }) => {
        const { activeAvatarId } = create
        create.activeAvatarId = (session, avatars) =>
          session['mode'] === 'text_chat' && session['active_avatar_id'] === undefined
            ? textOf(avatars[0]?.['avatar_id'])
            : activeAvatarId(session, avatars)
      },
    ],
    'idempotency.retry-same-session~after-refusal': [
      'A key whose first create was refused stands for no session ever after.',
      ({ create, idempotency }) => {
        const spoiled = new Set<string>()
        let current: string | undefined
        let count = 0
        const { read } = create
        create.read = (body) => {
          current = undefined
          return read(body)
        }
        const { named } = idempotency
        idempotency.named = (operation, key) => {
          current = named(operation, key)
          count += 1
          return spoiled.has(current) ? `${current}\n${count}` : current
        }
        idempotency.remembersFailure = (code) => {
          if (code === '30004' && current !== undefined) spoiled.add(current)
          return false
        }
      },
    ],
    'expiry.expires-at-ends-session~prolonged': [
      'Every accepted event starts the lifetime of the session anew.',
      ({ lifecycle, channel }) => {
        lifecycle.prolongs = (stimulus) => stimulus === 'accepted'
        channel.admission['session-expired'] = () => false
      },
    ],
    'auto-close.disconnected-held-by-connection~third': [
      'The third connection of a session does not stop the disconnected timeout.',
      ({ channel, lifecycle }) => {
        const opened = memory(() => ({ count: 0 }))
        let count = 0
        beforeConnect({ channel }, (session) => {
          opened(session).count += 1
          ;({ count } = opened(session))
        })
        lifecycle.stopsDisconnected = (stimulus) => stimulus === 'connect' && count !== 3
      },
    ],
    'auto-close.disconnected-after-last-connection~knock': [
      'A refused connection attempt stops the disconnected timeout.',
      ({ channel }) => {
        const wrong = channel.admission['token-wrong']
        channel.admission['token-wrong'] = (attempt) => {
          const refused = wrong(attempt)
          if (refused) attempt.session?.clocks.disconnected?.cancel()
          return refused
        }
      },
    ],
  }),
  ...defectsOf('control-channel', {
    'secret.refused-after-closed~idle': [
      'The secret still opens a session that the idle timeout has closed.',
      (behaviour) => admitAfter(behaviour, 'idle'),
    ],
    'secret.refused-after-closed~disconnected': [
      'The secret still opens a session that the disconnected timeout has closed.',
      (behaviour) => admitAfter(behaviour, 'disconnected'),
    ],
    'secret.valid-while-open~replayed': [
      'A create repeated with its key gives a new secret; the one before stops working.',
      ({ views }) => {
        const { control } = views.replayed
        views.replayed['control'] = (session, address) => {
          Object.assign(session, { secret: `${session.secret}r` })
          return control?.(session, address)
        }
      },
    ],
  }),
]
