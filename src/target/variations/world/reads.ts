import { set, around, several } from '#target/overrides/operators'
import type { WorldField, WorldFields, WorldScene } from '#target/behaviour/world/views'
import type { Variation } from '#target/deviation'
import { WORLD_CHANNELS, type WorldSession } from '#target/worlds/session'

/** How long a copy is served. */
const COPY_MS = 1_000

/** What every field showed when the copy was made. */
interface Copy {
  readonly at: number
  readonly values: ReadonlyMap<string, unknown>
}

/** Shows a session as it was at most a second ago, at each look that `stale` picks. */
function copied(fields: WorldFields, stale: (look: number) => boolean): WorldFields {
  const copies = new WeakMap<WorldSession, Copy>()
  const looks = new WeakMap<WorldSession, number>()
  const draw = (scene: WorldScene): Copy => ({
    at: Date.now(),
    values: new Map(Object.entries(fields).map(([name, field]) => [name, structuredClone(field(scene))])),
  })
  const shown = new WeakMap<WorldScene, Copy>()
  const copyFor = (scene: WorldScene): Copy => {
    const look = (looks.get(scene.session) ?? 0) + 1
    looks.set(scene.session, look)
    const [old, fresh] = [copies.get(scene.session), draw(scene)]
    const holds = old !== undefined && Date.now() - old.at < COPY_MS
    if (!holds) copies.set(scene.session, fresh)
    return holds && stale(look) ? old : fresh
  }
  const of =
    (name: string): WorldField =>
    (scene) => {
      const copy = shown.get(scene) ?? copyFor(scene)
      shown.set(scene, copy)
      return copy.values.get(name)
    }
  return Object.fromEntries(Object.keys(fields).map((name) => [name, of(name)]))
}

/** Shows something else in the place of descriptors while a session is provisioned. */
function untilActive(views: readonly WorldFields[], instead: unknown): void {
  for (const fields of views)
    for (const channel of WORLD_CHANNELS) {
      const usual = fields[channel]
      fields[channel] = (scene) => (scene.session.status === 'provisioning' ? instead : usual?.(scene))
    }
}

/** Where Get reads from, and what it tells of descriptors: nothing promises that a read is as new as the last write. */
export const worldReadVariations: readonly Variation[] = [
  {
    id: 'world-gets-copied',
    section: '4.5',
    text: 'Get shows a copy that is up to a second old (nothing promises read-after-write).',
    override: around('world.views.got', (got) => copied(got, () => true)),
  },
  {
    id: 'world-gets-from-replicas',
    section: '4.5',
    text: 'Every second Get comes from a replica that is up to a second behind (nothing promises read-after-write).',
    override: around('world.views.got', (got) => copied(got, (look) => look % 2 === 0)),
  },
  {
    id: 'world-descriptors-renewed',
    section: '2.11',
    text: 'Get describes credentials anew, with another query and a later expiry (descriptors are "Opaque").',
    override: ({ world: { views } }) => {
      let count = 0
      for (const channel of WORLD_CHANNELS) {
        const usual = views.got[channel]
        views.got[channel] = (scene) => {
          count += 1
          const { url } = Object(usual?.(scene)) as { url?: unknown }
          return { url: `${String(url)}&node=${count}`, expires_at: new Date(Date.now() + 600_000).toISOString() }
        }
      }
    },
  },
  {
    id: 'world-descriptors-empty-at-first',
    section: '3.2',
    text: 'Descriptors are empty until the session is active ("active once the runtime and descriptors are ready").',
    override: ({ world: { life, views } }) => {
      life.initial = () => 'provisioning'
      life.provisioningMs = 500
      untilActive([views.created, views.replayed], { url: '', client_secret: '', expires_at: null })
      untilActive([views.got], {})
    },
  },
  {
    id: 'world-descriptors-missing-at-first',
    section: '3.2',
    text: 'A session has no descriptors until it is active ("active once the runtime and descriptors are ready").',
    override: ({ world: { life, views } }) => {
      life.initial = () => 'provisioning'
      life.provisioningMs = 500
      untilActive([views.created, views.replayed, views.got], undefined)
    },
  },
  {
    id: 'world-media-later',
    section: '3.3',
    text: 'An automatic session is held for three seconds more before its media run (no time is given for it).',
    override: several(set('world.runtime.connectMs', 3_500), set('world.runtime.whileConnecting', 'held')),
  },
  {
    id: 'world-close-forgotten',
    section: '7',
    text: 'A close is answered with `closing`, and everything later, its repetition too, with 20005 ("world session missing, closed or expired").',
    override: several(
      set('world.life.onClose', 'closed'),
      set('world.views.closed.status', () => 'closing'),
      set('world.reach.finds', ({ status }) => status !== 'closed'),
    ),
  },
  {
    id: 'world-creates-in-progress',
    section: '7',
    text: 'A create that is repeated while it is still allocated is refused as in progress ("retry Create Session with the same `idempotency_key`").',
    override: several(set('world.create.allocationMs', 300), set('world.idempotency.inProgress', '30004')),
  },
]
