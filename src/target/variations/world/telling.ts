import { onData } from '#target/overrides/data'
import { append, around, remembering, set, several } from '#target/overrides/operators'
import { isWire, type JsonObject, objectAt } from '#target/wire'
import { everyNth } from '../every-nth.ts'
import { variationsOf } from '../table.ts'

const WORLDS = /world|client-secret/u

/** What world sessions tell, where nothing or little is said of it. */
export const worldTellingVariations = variationsOf({
  'world-cleanups-fail-at-times §3.2: Every third cleanup of a world session fails ("Transitions into `failed` from later states: not shown").':
    remembering(() => {
      const fails = everyNth(3, 0)
      return ({ world: { life } }) =>
        void Object.defineProperty(life, 'onCleanup', { get: () => (fails() ? 'failed' : 'closed'), set: () => {} })
    }),
  'world-cleanup-takes-five-seconds §3.2: The cleanup of a world session takes five seconds (no time is promised).':
    set('world.life.cleanupMs', 5000),
  'world-expired-failed §3.2: A world session whose time is over is `failed` ("Transitions into `failed` from later states: not shown").':
    onData('get-world-session', (shown) => {
      const isPast = Date.parse(String(shown['expires_at'])) <= Date.now()
      return isPast && (shown['status'] === 'closed' || shown['status'] === 'closing')
        ? { ...shown, status: 'failed', runtime: { ...objectAt(shown, 'runtime'), media_status: 'failed' } }
        : shown
    }),
  'world-values-other §2.12: Capabilities hold other values than those that were seen ("values seen").': {
    concerns: WORLDS,
    override: several(
      around('world.capabilities', (capabilities) => ({
        ...capabilities,
        event_content_types: ['input_gesture', 'input_text'],
        event_handling: ['steer', 'queue', 'replace'],
        live_audio: { supported: true, interpretation: 'native' },
        runtime_references: true,
        event_cancel: true,
      })),
    ),
  },
  'world-limits-tiny §2.12: An Event has at most 256 bytes, and there is one reference with one image.': {
    concerns: WORLDS,
    override: around('world.capabilities', (capabilities) => ({
      ...capabilities,
      limits: { max_event_bytes: 256, max_references: 1, max_reference_images: 1 },
    })),
  },
  'world-close-tells-no-more §4.5: Fields of a closed session that tell of its run are null where null is allowed.':
    append('http.data', (data, operation) => {
      if (operation !== 'get-world-session' || !isWire(data) || data['status'] === 'active') return data
      const runtime: JsonObject = objectAt(data, 'runtime')
      return { ...data, runtime: { ...runtime, applied_world_event_id: null, pending_world_event_id: null } }
    }),
})
