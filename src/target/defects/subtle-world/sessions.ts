import type { WorldInput } from '#target/behaviour/world/input'
import { isWire, wireAt } from '#target/wire'
import type { WorldStatus } from '#target/worlds/session'
import { change } from '../paths.ts'
import { defectsOf } from '../table.ts'
import { onSecrets, onShown } from '../world-sessions/tools.ts'

const isOver = (status: WorldStatus): boolean => status === 'closing' || status === 'closed'

const stateDefects = defectsOf('world-sessions', {
  'get.other-workspace-rejected~closed': [
    'Any key may get a session that was closed.',
    ({ access, world }) => {
      const { sees } = access
      let own = true
      access.sees = (account, owner, operation) => {
        own = sees(account, owner, operation)
        return operation === 'get-world-session' || own
      }
      world.reach.finds = ({ status }, operation) => operation !== 'get-world-session' || own || isOver(status)
    },
  ],
  'get.usage-never-falls~closed': [
    'The usage of a session that was closed is zero.',
    ({ world: { views } }) =>
      void (views.got['usage'] = ({ session, usage }) => {
        const { video, audio } = isOver(session.status) ? { video: 0, audio: 0 } : usage
        return { generated_video_ms: video, generated_audio_ms: audio }
      }),
  ],
})

const secretDefects = defectsOf('world-sessions', {
  'client-secret.names-session~previous': [
    'Fresh secrets name the session that asked for some before.',
    (b) => {
      let previous: unknown
      onSecrets(b, (data) => {
        const named = previous ?? data['session_id']
        previous = data['session_id']
        return { ...data, session_id: named }
      })
    },
  ],
  'get.no-secret-value~media-url-refreshed': [
    'Once fresh secrets were made, Get shows the address of the media channel with its token.',
    ({ world: { views } }) => {
      const { media } = views.got
      views.got['media'] = (scene) => {
        const shown = media?.(scene)
        const refreshed = isWire(shown) && scene.session.issues.length > 1
        return refreshed ? { ...shown, url: `${String(shown['url'])}&token=${scene.issue.media.secret}` } : shown
      }
    },
  ],
  'client-secret.control-secret-fresh~every-second': [
    'Every second fresh control secret is the first one.',
    ({ world: { views } }) => {
      const { control } = views.secrets
      views.secrets['control'] = (scene) => {
        const { issues } = scene.session
        const first = issues.indexOf(scene.issue) % 2 === 0 ? issues[0] : undefined
        return control?.({ ...scene, issue: { ...scene.issue, control: (first ?? scene.issue).control } })
      }
    },
  ],
})

const settingDefects = defectsOf('world-sessions', {
  'create.reference-name-duplicate-rejected~apart': [
    'Two references may share a name where another stands between them.',
    ({ world: { rules } }) =>
      void (rules['reference-name-repeated'].broken = ({ references }: WorldInput) =>
        references.some(({ name }, index) => typeof name === 'string' && name === references[index + 1]?.['name'])),
  ],
  'references.order-kept~sorted': [
    'References come back in the order of their names.',
    (b) =>
      onShown(
        b,
        change('references', (list) =>
          Array.isArray(list) ? list.toSorted((one, other) => (String(one.name) < String(other.name) ? -1 : 1)) : list,
        ),
      ),
  ],
  'continuation.start-mode-default~idle-given': [
    'A continuation that only names its idle time is automatic.',
    ({ world: { create } }) => {
      const { startMode } = create
      create.startMode = (continuation) =>
        'max_idle_ms' in continuation && !('start_mode' in continuation) ? 'automatic' : startMode(continuation)
    },
  ],
  'live-input.enabled-effective~alone': [
    'Live audio that is switched on without saying more comes back as off.',
    ({ world: { create } }) => {
      const { liveInput } = create
      create.liveInput = (body) => {
        const alone = Object.keys(wireAt(wireAt(body, 'live_input'), 'audio')).join() === 'enabled'
        const effective = liveInput(body)
        return alone && effective !== undefined ? change('audio.enabled', () => false)(effective) : effective
      }
    },
  ],
  'metadata.returned~empty': [
    'Empty values of metadata do not come back.',
    ({ world: { create } }) => {
      const { metadata } = create
      create.metadata = (body) => Object.fromEntries(Object.entries(metadata(body)).filter(([, value]) => value !== ''))
    },
  ],
})

/** 2.11 to 3.3: what a world session shows and takes, now and later. */
export const subtleWorldSessionDefects = [...stateDefects, ...secretDefects, ...settingDefects]
