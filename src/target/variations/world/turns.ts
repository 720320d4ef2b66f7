import { around, set, several } from '#target/overrides/operators'
import { everyNth, everyNthOf } from '../every-nth.ts'
import { variationsOf } from '../table.ts'
import { endAtOnce } from './tools.ts'
import type { Override } from '#target/behaviour/behaviour'
import { isWire } from '#target/wire'
import type { MediaStatus, WorldSession } from '#target/worlds/session'

/** What becomes of every so many world sessions that have been open for a while. */
const after =
  (times: number, ms: number, turn: (session: WorldSession) => void): Override =>
  ({ world }) => {
    const isChosen = everyNthOf(times, 0)
    const { finds } = world.reach
    world.reach.finds = (session, operation) => {
      const isDue = isChosen(session) && session.status === 'active' && Date.now() - session.createdAt > ms
      if (isDue) turn(session)
      return finds(session, operation)
    }
  }

/** What Get shows of the media, by how many milliseconds a session is old. */
const showing = (status: (real: MediaStatus, ageMs: number) => MediaStatus): Override =>
  around('world.views.got', (got) => ({
    ...got,
    runtime: (scene) => {
      const shown = got['runtime']?.(scene)
      if (!isWire(shown)) return shown
      const { runtime, createdAt, status: state } = scene.session
      const ageMs = Date.now() - createdAt
      return { ...shown, media_status: state === 'active' ? status(runtime.mediaStatus, ageMs) : runtime.mediaStatus }
    },
  }))

/** World sessions that turn from `active` by themselves: "Transitions into `failed` from later states: not shown". */
export const worldTurnVariations = variationsOf({
  'world-fails-later-at-times §3.2: Every sixth world session fails a moment after it was active.': after(
    6,
    150,
    (session) => endAtOnce(session, 'failed'),
  ),
  'world-closed-by-service-at-times §3.2: Every sixth world session is closed by the service a moment after it was active ("world session missing, closed or expired").':
    after(6, 150, (session) => endAtOnce(session, 'closed')),
  'world-closed-and-missing-at-times §7: Every eleventh world session is closed by the service a moment after it was active; it is not found then, and its key is free again.':
    several(
      after(11, 150, (session) => endAtOnce(session, 'closed')),
      around(
        'world.reach.finds',
        (finds) => (session, operation) => finds(session, operation) && session.status !== 'closed',
      ),
      set('world.idempotency.returns', (status) => status !== 'closed'),
    ),
  'world-disconnected-when-alone §3.3: A held session is disconnected half a second after it was made, since nobody is connected ("Other transitions: not shown").':
    showing((real, ageMs) => (real === 'held' && ageMs > 500 ? 'disconnected' : real)),
  'world-stalls-at-times §3.3: Every third look at media that run shows them stalled ("Other transitions: not shown").':
    (behaviour) => {
      const stalls = everyNth(3, 0)
      showing((real) => (real === 'running' && stalls() ? 'stalled' : real))(behaviour)
    },
  'world-close-needs-readiness §3.2: A session that is provisioned is not closed before it is active ("`active`, Close Session").':
    several(
      set('world.life.initial', () => 'provisioning'),
      set('world.life.provisioningMs', 700),
      around(
        'world.reach.closeRefusal',
        (closeRefusal) => (session, key) => (session.status === 'provisioning' ? '30004' : closeRefusal(session, key)),
      ),
    ),
})
