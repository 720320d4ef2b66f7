import { around, remembering, set, several } from '#target/overrides/operators'
import type { Override } from '#target/behaviour/behaviour'
import type { WorldField } from '#target/behaviour/world/views'
import type { Variation } from '#target/deviation'
import { objectAt } from '#target/wire'
import type { WorldSession } from '#target/worlds/session'
import { everyNthOf } from '../every-nth.ts'
import { variationsOf } from '../table.ts'
import { endAtOnce } from './tools.ts'

/** What a small deployment can do. */
const SMALL = {
  event_content_types: ['input_text'],
  reference_content_types: ['input_text'],
  event_handling: ['steer'],
  live_audio: { supported: false },
  runtime_references: false,
  event_cancel: false,
  continuation: { hold: true, resume: true, automatic: false },
  reconnect: { snapshot: true, event_replay: false },
  limits: { max_event_bytes: 4096, max_references: 1, max_reference_images: 0 },
}

/** Whether a small deployment can do what a session asks for. */
const isPlain = ({ plan }: WorldSession): boolean =>
  plan.references.length === 0 && plan.startMode === 'manual' && objectAt(plan.liveInput, 'audio')['enabled'] !== true

/**
 * One of two plain sessions says what a small deployment can do.
 *
 * @param first the first of them, counted from one; 0 for the second
 */
const onSmallDeployment = (first: 0 | 1): Override =>
  remembering(() => {
    const isOther = everyNthOf(2, first)
    const shown =
      (usual: WorldField | undefined): WorldField =>
      (scene) =>
        isPlain(scene.session) && isOther(scene.session) ? SMALL : usual?.(scene)
    return [
      around('world.views.created.capabilities', shown),
      around('world.views.replayed.capabilities', shown),
      around('world.views.got.capabilities', shown),
    ]
  })

/** Everything that tells a time of a world session tells another one. */
const clocks = (ms: number): Override =>
  around('http.data', (data) => [
    ...data,
    (shown, operation) =>
      operation.includes('world') || operation === 'create-client-secret' ? later(shown, ms) : shown,
  ])

function later(value: unknown, ms: number): unknown {
  if (Array.isArray(value)) return value.map((member) => later(member, ms))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      name.endsWith('_at') && typeof member === 'string'
        ? new Date(Date.parse(member) + ms).toISOString()
        : later(member, ms),
    ]),
  )
}

const clockVariations: readonly Variation[] = [-90, 90].map((seconds) => ({
  id: seconds < 0 ? 'world-clock-behind' : 'world-clock-ahead',
  section: '2.11',
  text: `World sessions are dated by a clock that is 90 seconds ${seconds < 0 ? 'behind' : 'ahead of'} that of the \`Date\` header (whose clock counts is not said).`,
  contradicts: seconds < 0 ? /^world-clock-ahead$/ : /^world-clock-behind$/,
  override: clocks(seconds * 1000),
}))

/** Where world sessions run, how long, and what their channels do. */
const deploymentVariations = variationsOf({
  'world-deployments-differ §9: Every other plain session runs on a small deployment, and its capabilities say so ("features differ by model and deployment").':
    onSmallDeployment(0),
  'world-deployments-differ-from-first §9: The first plain session runs on a small deployment, and every other one after it.':
    onSmallDeployment(1),
  'world-secrets-single-use §5: A secret of a world session opens one connection (it is "short-lived").': remembering(
    () => {
      const used = new Set<string>()
      return around('world.channel.admission.token-wrong', (wrong) => (attempt) => {
        if (wrong(attempt)) return true
        const { session, token = '' } = attempt
        if (session === undefined || session.status !== 'active') return false
        if (used.has(token)) return true
        used.add(token)
        return false
      })
    },
  ),
  'world-channels-want-a-hello §4.5: Whoever says nothing on a world channel for a third of a second is cut off (its messages are not shown).':
    set('world.channel.welcome', (socket) => {
      const timer = setTimeout(() => socket.close(1008), 350)
      socket.on('close', () => clearTimeout(timer))
    }),
  'world-channels-greet §4.5: The world channels greet with text, bytes and numbers (their messages are not shown).':
    set('world.channel.welcome', (socket) => {
      socket.send('{"type":"hello","sequence":1}')
      socket.send(Buffer.from([0, 1, 2, 255]))
      socket.send('7')
      socket.ping()
    }),
  'world-provisioning-long §3.2: A world session is provisioned for three seconds and a half.': several(
    set('world.life.initial', () => 'provisioning'),
    set('world.life.provisioningMs', 3500),
  ),
  'world-sequence-still §2.11: The sequence counts what was sent on the control channel, so that it stays zero while nobody is connected.':
    set('world.runtime.sequenceStep', 0),
  'world-sessions-end-soon §3.2: Every world session is closed by the service ten seconds after it was made.': ({
    world,
  }) => {
    const { finds } = world.reach
    world.reach.finds = (session, operation) => {
      if (session.status === 'active' && Date.now() - session.createdAt > 10_000) {
        endAtOnce(session, 'closed')
        for (const socket of session.connections) socket.close(1000)
      }
      return finds(session, operation)
    }
  },
  'world-fails-over-secrets-at-times §3.2: Every fourth session that is asked for fresh secrets has failed just before ("Transitions into `failed` from later states: not shown").':
    ({ world }) => {
      const isChosen = everyNthOf(4, 2)
      const { finds } = world.reach
      world.reach.finds = (session, operation) => {
        if (operation === 'create-client-secret' && session.status === 'active' && isChosen(session)) {
          endAtOnce(session, 'failed')
        }
        return finds(session, operation)
      }
    },
  'world-secrets-brief §2.11: Secrets live for five seconds ("short-lived").': set('world.life.secretMs', 5000),
  'world-allocation-takes-long §4.5: A world create takes almost two seconds.': set('world.create.allocationMs', 1800),
})

export const worldDeploymentVariations: readonly Variation[] = [...clockVariations, ...deploymentVariations]
