import { isWire, wireAt } from '#target/wire'
import { onFull } from '../characters/tools.ts'
import { drop } from '../paths.ts'
import { defectsOf } from '../table.ts'
import { memory, mute, muteRendering, onData, onEvent } from '../tools.ts'

/** Mistakes of whole services that were written from the interface's text alone: mostly in what starts from a character. */
export const overlookedServiceDefects = [
  ...defectsOf('characters', {
    'create.returned-by-get~pipeline': [
      'Get leaves the pipeline configuration out.',
      (b) => onData(b, 'get-character', drop('pipeline_config')),
    ],
    'configuration.pipeline-echoed~motion-planner': [
      'The motion planner of a pipeline configuration is lost.',
      (b) => onFull(b, drop('pipeline_config.motion_planner')),
    ],
    'configuration.avatars-echoed~voice-speed': [
      "The speed of an avatar's voice is lost.",
      (b) => onFull(b, drop('avatars.*.voice.speed')),
    ],
  }),
  ...defectsOf('errors', {
    'code-30006.cap-exceeded~character': [
      'At the cap a start from a character is answered with 30004.',
      ({ quota }) =>
        void (quota.exceeded = (operation) => (operation === 'create-session-from-character' ? '30004' : '30006')),
    ],
  }),
  ...defectsOf('avatar-sessions', {
    'close.reaches-closed~character': [
      'The cleanup of a session from a character never ends.',
      ({ http }) => {
        const started = new Set<unknown>()
        http.data.push((data, operation) => {
          if (!isWire(data)) return data
          if (operation === 'create-session-from-character') started.add(data['session_id'])
          return operation === 'get-avatar-session' && data['status'] === 'closed' && started.has(data['session_id'])
            ? { ...data, status: 'closing' }
            : data
        })
      },
    ],
  }),
  ...defectsOf('world-sessions', {
    'close.closed-is-final~closed-again': [
      'Whoever closes a closed session is told that it is closing.',
      (b) =>
        onData(b, 'close-world-session', (data) =>
          data['status'] === 'closed' ? { ...data, status: 'closing' } : data,
        ),
    ],
  }),
  ...defectsOf('control-channel', {
    'render-started.for-speech~character': [
      'A session from a character never reports rendering.',
      (b) => muteRendering(b, ({ plan }) => plan.characterId !== undefined),
    ],
    'session-update.accepted-yields-done~busy': [
      'An update that is applied while a response runs is never done.',
      (b) => mute(b, 'session.update.done', (_event, { response }) => response !== undefined),
    ],
    'session-update.rejected-changes-nothing~image': [
      'An update that is refused for its image changes the active avatar.',
      ({ update }) => {
        const { keptOfRefused } = update
        update.keptOfRefused = (current, resolution) => ({
          ...keptOfRefused(current, resolution),
          activeAvatarId:
            resolution.active === undefined || resolution.mode === 'text_chat'
              ? current.activeAvatarId
              : resolution.activeAvatarId,
        })
      },
    ],
    'error.event-id-names-cause~one-late': [
      'An error names the event of the error before.',
      (behaviour) => {
        const last = memory(() => ({ id: undefined as unknown }))
        onEvent(behaviour, 'error', (event, session) => {
          const error = wireAt(event, 'error')
          const [before, own] = [last(session).id, error['event_id']]
          if (own === undefined) return event
          last(session).id = own
          return before === undefined ? event : { ...event, error: { ...error, event_id: before } }
        })
      },
    ],
  }),
]
