import { set, around, several } from '#target/overrides/operators'
import type { WorldField, WorldFields, WorldScene } from '#target/behaviour/world/views'
import { WORLD_CHANNELS, type WorldSession } from '#target/worlds/session'
import { variationsOf } from '../table.ts'

/** How long a copy is served. */
const COPY_MS = 1_000

/** How long it takes until a session is ready, where that is soon. */
const BRIEF_MS = 100

/** What every field showed when the copy was made. */
interface Copy {
  readonly at: number
  readonly values: ReadonlyMap<string, unknown>
}

/** Numbers the looks at each session, and shows all fields of one look from the same. */
function seenBy<Seen extends object>(
  fields: WorldFields,
  look: (scene: WorldScene, number: number) => Seen,
  valueOf: (name: string, seen: Seen) => unknown,
): WorldFields {
  const looks = new WeakMap<WorldSession, number>()
  const shown = new WeakMap<WorldScene, Seen>()
  const seenIn = (scene: WorldScene): Seen => {
    const number = (looks.get(scene.session) ?? 0) + 1
    looks.set(scene.session, number)
    return look(scene, number)
  }
  const of =
    (name: string): WorldField =>
    (scene) => {
      const seen = shown.get(scene) ?? seenIn(scene)
      shown.set(scene, seen)
      return valueOf(name, seen)
    }
  return Object.fromEntries(Object.keys(fields).map((name) => [name, of(name)]))
}

/** Shows a session as it was at most a second ago, at each look that `stale` picks. */
function copied(fields: WorldFields, stale: (look: number) => boolean): WorldFields {
  const copies = new WeakMap<WorldSession, Copy>()
  const draw = (scene: WorldScene): Copy => ({
    at: Date.now(),
    values: new Map(Object.entries(fields).map(([name, field]) => [name, structuredClone(field(scene))])),
  })
  const copyFor = (scene: WorldScene, look: number): Copy => {
    const [old, fresh] = [copies.get(scene.session), draw(scene)]
    const holds = old !== undefined && Date.now() - old.at < COPY_MS
    if (!holds) copies.set(scene.session, fresh)
    return holds && stale(look) ? old : fresh
  }
  return seenBy(fields, copyFor, (name, copy) => copy.values.get(name))
}

/** At every second look a session is as it was before it was ready, up to a second ago. */
function unreadyAtTimes(fields: WorldFields): WorldFields {
  const sceneOf = (scene: WorldScene, look: number): WorldScene => {
    const { session } = scene
    const isBehind = look % 2 === 0 && Date.now() - session.createdAt < COPY_MS + BRIEF_MS
    return isBehind ? { ...scene, session: { ...session, status: 'provisioning' } } : scene
  }
  return seenBy(fields, sceneOf, (name, scene) => fields[name]?.(scene))
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
export const worldReadVariations = variationsOf({
  'world-gets-copied §4.5: Get shows a copy that is up to a second old (nothing promises read-after-write).': around(
    'world.views.got',
    (got) => copied(got, () => true),
  ),
  'world-gets-from-replicas §4.5: Every second Get comes from a replica that is up to a second behind (nothing promises read-after-write).':
    around('world.views.got', (got) => copied(got, (look) => look % 2 === 0)),
  'world-provisioning-from-replicas §3.2: A session is provisioned for a moment, and every other Get comes from a replica that is a second behind (nothing promises read-after-write).':
    several(
      set('world.life.initial', () => 'provisioning'),
      set('world.life.provisioningMs', BRIEF_MS),
      around('world.views.got', unreadyAtTimes),
    ),
  'world-descriptors-renewed §2.11: Get describes credentials anew, with another query and a later expiry (descriptors are "Opaque").':
    ({ world: { views } }) => {
      let count = 0
      for (const channel of WORLD_CHANNELS) {
        const usual = views.got[channel]
        views.got[channel] = (scene) => {
          count += 1
          const { url, expires_at } = Object(usual?.(scene)) as { url?: unknown; expires_at?: unknown }
          const later = Math.max(Date.parse(String(expires_at)) || 0, Date.now() + 600_000)
          return { url: `${String(url)}&node=${count}`, expires_at: new Date(later).toISOString() }
        }
      }
    },
  'world-descriptors-empty-at-first §3.2: Descriptors are empty until the session is active ("active once the runtime and descriptors are ready").':
    ({ world: { life, views } }) => {
      life.initial = () => 'provisioning'
      life.provisioningMs = 500
      untilActive([views.created, views.replayed], { url: '', client_secret: '', expires_at: null })
      untilActive([views.got], {})
    },
  'world-descriptors-blank-at-first §3.2: Until the session is active, descriptors lack address and secret, and show the end of the session ("active once the runtime and descriptors are ready").':
    ({ world: { life, views } }) => {
      life.initial = () => 'provisioning'
      life.provisioningMs = 500
      const expires_at = new Date(Date.now() + 86_400_000).toISOString()
      untilActive([views.created, views.replayed], { url: '', client_secret: '', expires_at })
      untilActive([views.got], {})
    },
  'world-descriptors-missing-at-first §3.2: A session has no descriptors until it is active ("active once the runtime and descriptors are ready").':
    ({ world: { life, views } }) => {
      life.initial = () => 'provisioning'
      life.provisioningMs = 500
      untilActive([views.created, views.replayed, views.got], undefined)
    },
  'world-media-later §3.3: An automatic session is held for three seconds more before its media run (no time is given for it).':
    several(set('world.runtime.connectMs', 3_500), set('world.runtime.whileConnecting', 'held')),
  'world-close-forgotten §7: A close is answered with `closing`, and everything later, its repetition too, with 20005 ("world session missing, closed or expired").':
    several(
      set('world.life.onClose', 'closed'),
      set('world.views.closed.status', () => 'closing'),
      set('world.reach.finds', ({ status }) => status !== 'closed'),
    ),
  'world-creates-in-progress §7: A create that is repeated while it is still allocated is refused as in progress ("retry Create Session with the same `idempotency_key`").':
    several(set('world.create.allocationMs', 300), set('world.idempotency.inProgress', '30004')),
})
