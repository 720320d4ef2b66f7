import type { Behaviour } from '#target/behaviour/behaviour'
import type { Session } from '#target/sessions/session'
import { isWire, textOf, type Wire, wireAt, wiresAt, wiresOf } from '#target/wire'
import { defectsOf } from '../table.ts'
import { memory, snake } from '../tools.ts'

const VOICE_FIELDS = ['provider', 'provider_voice_id', 'model']

function snakeParameters(tool: Wire): Wire {
  const parameters = tool['parameters']
  if (!isWire(parameters) || !isWire(parameters['properties'])) return tool
  const properties = Object.fromEntries(
    Object.entries(parameters['properties']).map(([name, value]) => [snake(name), value]),
  )
  return { ...tool, parameters: { ...parameters, properties } }
}

/** What the create that is being read has in its body. */
function current({ create }: Behaviour): () => Wire {
  let last: Wire = {}
  const { read } = create
  create.read = (body) => {
    last = read(body)
    return last
  }
  return () => last
}

function explicitImage({ create, views }: Behaviour): void {
  const bodies = new WeakMap<object, Wire>()
  const { conversation } = create
  create.conversation = (body) => {
    const made = conversation(body)
    bodies.set(made, body)
    return made
  }
  for (const fields of [views.created, views.replayed]) {
    const shown = fields['session']
    fields['session'] = (session, address) => {
      const named = textOf(wireAt(bodies.get(session.plan.conversation), 'session')['source_image_id'])
      const value = shown?.(session, address)
      return isWire(value) && session.plan.state.mode === 'text_chat' && named !== undefined
        ? { ...value, source_image_id: named }
        : value
    }
  }
}

/** Creates of avatar sessions, and what is remembered of a session: in one mode, beside one field, the second time. */
export const overlookedCreateDefects = [
  ...defectsOf('limits', {
    'avatar-voice-speed.below-minimum-rejected~zero': [
      'A voice speed of 0 is taken for none.',
      ({ rules }) => {
        rules.avatars['voice-speed-low'].broken = ({ avatars, limits }) =>
          avatars.some((avatar) => {
            const { speed } = wireAt(avatar, 'voice')
            return typeof speed === 'number' && speed !== 0 && speed < limits.speedMinimum
          })
      },
    ],
  }),
  ...defectsOf('avatar-sessions', {
    'create.max-duration-too-short-rejected~one-or-two': [
      'A duration of 1 or 2 seconds is taken.',
      ({ rules }) => {
        const { broken } = rules.createSession['duration-low']
        rules.createSession['duration-low'].broken = (input) =>
          broken(input) && ![1, 2].includes(Number(input.body['max_duration_seconds']))
      },
    ],
    'avatars.avatar-id-duplicate-rejected~apart': [
      'Only avatars that stand side by side are compared.',
      ({ rules }) => {
        rules.avatars['avatar-id-repeated'].broken = ({ avatars }) =>
          avatars.some((avatar, at) => at > 0 && avatar['avatar_id'] === avatars[at - 1]?.['avatar_id'])
      },
    ],
    'avatars.voice-model-missing-rejected~two-missing': [
      'A voice that lacks two of its three fields is taken.',
      ({ rules }) => {
        for (const id of ['voice-provider-missing', 'voice-id-missing', 'voice-model-missing'] as const) {
          const { broken } = rules.avatars[id]
          rules.avatars[id].broken = (input) =>
            broken({
              ...input,
              avatars: input.avatars.filter(
                ({ voice }) => isWire(voice) && VOICE_FIELDS.filter((name) => voice[name] === undefined).length === 1,
              ),
            })
        }
      },
    ],
    'conversation.tool-name-missing-rejected~second': [
      'Only the first tool is looked at for its name.',
      ({ rules }) => {
        const { broken } = rules.conversation['tool-name-missing']
        rules.conversation['tool-name-missing'].broken = (input) =>
          broken({ ...input, given: { tools: wiresAt(input.given, 'tools').slice(0, 1) } })
      },
    ],
    'conversation.tools-echoed~parameter-names': [
      'Names of tool parameters come back in snake_case.',
      ({ create }) => {
        const { conversation } = create
        create.conversation = (body) => {
          const made = conversation(body)
          return made['tools'] === undefined ? made : { ...made, tools: wiresOf(made['tools']).map(snakeParameters) }
        }
      },
    ],
    'session.idle-timeout-omitted-zero~beside': [
      'An idle timeout that is omitted beside a disconnected timeout is the same.',
      ({ create }) => {
        const { autoClose } = create
        create.autoClose = (body, limits, maxDuration) => {
          const policy = autoClose(body, limits, maxDuration)
          const asked = wireAt(body, 'auto_close')
          return typeof asked['disconnected_timeout_seconds'] === 'number' &&
            asked['interaction_idle_timeout_seconds'] === undefined
            ? { ...policy, idleSeconds: policy.disconnectedSeconds }
            : policy
        }
      },
    ],
    'session.source-image-id-omitted-in-text-chat~explicit': [
      'A source image that a text_chat create names is returned.',
      explicitImage,
    ],
    'create.source-image-sole~other-avatars': [
      'The only image of the active avatar is not taken when another avatar has images.',
      ({ create }) => {
        let last: Wire[] = []
        const { avatars, sourceImageId } = create
        create.avatars = (body) => {
          last = avatars(body)
          return last
        }
        create.sourceImageId = (session, avatar) => {
          const named = wireAt(avatar, 'visual')['default_source_image_id'] ?? session['source_image_id']
          const images = last.flatMap((one) => wiresAt(wireAt(one, 'visual'), 'source_images'))
          return named === undefined && images.length !== 1 ? undefined : sourceImageId(session, avatar)
        }
      },
    ],
    'pipeline.tts-config-missing-rejected~llm': [
      'A pipeline_config with llm_config needs no tts_config.',
      ({ rules }) => {
        const { broken } = rules.pipeline['tts-missing']
        rules.pipeline['tts-missing'].broken = (input) =>
          broken(input) && !(isWire(input.given) && isWire(input.given['llm_config']))
      },
    ],

    'idempotency.retry-same-session~video': [
      'The key of a video_avatar create is not honoured.',
      (behaviour) => {
        const body = current(behaviour)
        let count = 0
        const { named } = behaviour.idempotency
        behaviour.idempotency.named = (operation, key) => {
          if (operation !== 'create-avatar-session') return named(operation, key)
          const mode = wireAt(body(), 'session')['mode'] ?? 'video_avatar'
          count += 1
          return mode === 'video_avatar' ? `${named(operation, key)}\n${count}` : named(operation, key)
        }
      },
    ],
    'idempotency.retry-same-session~second-retry': [
      'The second retry of a create makes another session.',
      ({ idempotency }) => {
        const given = new WeakSet<Session>()
        idempotency.returns = (_status, session) => {
          if (given.has(session)) return false
          given.add(session)
          return true
        }
      },
    ],

    'list.shows-open-sessions~disconnected': [
      'An open session that had connections and has none now is not listed.',
      ({ views }) => {
        const { lists } = views
        views.lists = (session) => lists(session) && !(session.everConnected && session.connections.size === 0)
      },
    ],
    'list.hides-closed-sessions~knock': [
      'A refused connection to a closed session makes it closing again.',
      ({ channel }) => {
        const closed = channel.admission['session-closed']
        channel.admission['session-closed'] = (attempt) => {
          if (attempt.session?.status === 'closed') attempt.session.status = 'closing'
          return closed(attempt)
        }
      },
    ],
    'expiry.expires-at-ends-session~second-connection': [
      'The second connection of a session stops its expiry.',
      ({ channel }) => {
        const opened = memory(() => ({ count: 0 }))
        const { onConnect } = channel
        channel.onConnect = (session) => {
          opened(session).count += 1
          if (opened(session).count === 2) session.clocks.expiry?.cancel()
          onConnect(session)
        }
      },
    ],
  }),
  ...defectsOf('control-channel', {
    'secret.valid-while-open~wrong-token': [
      'After one wrong token the right one is refused.',
      ({ channel }) => {
        const locked = new WeakSet<Session>()
        const wrong = channel.admission['token-wrong']
        channel.admission['token-wrong'] = (attempt) => {
          if (attempt.session !== undefined && wrong(attempt)) locked.add(attempt.session)
          return attempt.session !== undefined && locked.has(attempt.session)
        }
      },
    ],
    'secret.other-session-token-refused~closed': [
      'The secret of a closed session opens other sessions of its workspace.',
      ({ channel }) => {
        const wrong = channel.admission['token-wrong']
        channel.admission['token-wrong'] = (attempt) => {
          if (!wrong(attempt)) return false
          const owner = attempt.owner()
          return !(owner?.status === 'closed' && owner.account.workspace === attempt.session?.account.workspace)
        }
      },
    ],
  }),
  ...defectsOf('errors', {
    'code-30006.no-retry-after~character': [
      'A 30006 of Create Session from Character has a Retry-After.',
      ({ http }) => {
        let answered = ''
        const { coded, retryAfter } = http
        http.coded = (code, operation) => {
          answered = operation
          return coded(code, operation)
        }
        http.retryAfter = (code, seconds, now) =>
          code === '30006' && answered === 'create-session-from-character' ? '5' : retryAfter(code, seconds, now)
      },
    ],
  }),
]
