import { around, remembering, set, several } from '#target/overrides/operators'
import { everyNth } from '../every-nth.ts'
import { variationsOf } from '../table.ts'

/** From one reading of the meter to the next, in milliseconds. */
const reading_ms = 5_000

/** What is counted of a world session, and by when, where the interface leaves it open. */
export const worldMeterVariations = variationsOf({
  'world-usage-metered §2.11: Usage is read from a meter every five seconds of media (no precision is promised).': set(
    'world.runtime.usage',
    (mediaMs) => {
      const read = Math.floor(mediaMs / reading_ms) * reading_ms
      return { video: read, audio: read }
    },
  ),
  'world-usage-of-gpu §2.11: Video that was generated and thrown away counts as well, half as much again as was shown.':
    set('world.runtime.usage', (mediaMs) => ({ video: Math.ceil(mediaMs * 1.5), audio: mediaMs })),
  'world-expiry-of-secrets-in-whole-minutes §2.11: Secrets end with a minute of the clock, a whole one from now at the earliest, so that fresh ones may end at the same moment ("short-lived").':
    set('world.life.secretExpiry', (now, _secretMs, sessionExpiry) =>
      Math.min(Math.ceil(now / 60_000) * 60_000 + 60_000, sessionExpiry),
    ),
  'world-fps-told-as-text §Conventions: Frames a second are a string of digits, as integers may be ("64-bit integers may be returned as strings").':
    around('world.create.output', (output) => (asked, defaults) => {
      const { fps, ...others } = output(asked, defaults)
      return { ...others, fps: String(fps) }
    }),
  'world-media-of-one-channel-fresh §4.5: Fresh descriptors have a fresh secret for either channel, and the same address but for its last part.':
    several(
      set('world.views.secrets.control', ({ issue, origin, paths, session }) => ({
        url: `${origin}${paths.control}?session_id=${encodeURIComponent(session.id)}&issue=${issue.control.secret.length}`,
        client_secret: issue.control.secret,
        expires_at: new Date(issue.control.expiresAt).toISOString(),
      })),
    ),
  'world-creates-take-turns §4.5: Creates of world sessions are carried out one after another, each in six tenths of a second (no time is promised).':
    remembering(() => {
      let free = 0
      return around('http.holdsMs', (holds) => (operation) => {
        if (operation !== 'create-world-session') return holds(operation)
        const now = Date.now()
        free = Math.max(free, now) + 600
        return holds(operation) + free - now
      })
    }),
  'world-crowded-in-bursts §7: Capacity lacks for a world session within a third of a second of another create ("retry after a short backoff").':
    around('world.create.crowded', (crowded) => {
      let last = -Infinity
      return (asked) => {
        const now = Date.now()
        const isBurst = now - last < 333
        if (!isBurst) last = now
        return isBurst || crowded(asked)
      }
    }),
  'world-pending-event-named §2.11: Every other snapshot names an Event of the service that is not in effect yet ("null allowed").':
    remembering(() => {
      const isNamed = everyNth(2, 0)
      return set('world.runtime.pendingEvent', () => (isNamed() ? 'wevt_opening_scene' : null))
    }),
})
