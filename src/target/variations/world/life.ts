import { around, set, several } from '#target/overrides/operators'
import { everyNth } from '../every-nth.ts'
import { variationsOf } from '../table.ts'

/** 3.2 and 3.3: how world sessions begin, run and end. */
export const worldLifeVariations = variationsOf({
  'world-provisioning §3.2: A world session is provisioned for almost a second.': several(
    set('world.life.initial', () => 'provisioning'),
    set('world.life.provisioningMs', 900),
  ),
  'world-provisioning-brief §3.2: A world session is provisioning when it is created, and active at once.': set(
    'world.life.initial',
    () => 'provisioning',
  ),
  'world-fails-at-times §3.2: Every sixth world session is created as failed.': set('world.life.initial', (count) =>
    count % 6 === 0 ? 'failed' : 'active',
  ),
  'world-connecting-first §3.3: An automatic world session connects for a while before it runs.': set(
    'world.runtime.connectMs',
    300,
  ),
  'world-close-instant §3.2: A world session is closed as soon as it is asked to.': several(
    set('world.life.onClose', 'closed'),
    set('world.life.cleanupMs', 0),
  ),
  'world-cleanup-slow §3.2: The cleanup of a world session takes more than a second.': set(
    'world.life.cleanupMs',
    1300,
  ),
  'world-gone-when-closed §7: A closed world session is not found; its close is safe to repeat with the same key only.':
    several(
      set('world.reach.finds', ({ status }, operation) => operation !== 'get-world-session' || status !== 'closed'),
      set('world.reach.closeRefusal', ({ status, closeKeys }, key) =>
        status === 'closed' && (key === undefined || !closeKeys.has(key)) ? '20005' : undefined,
      ),
    ),
  'world-closed-emptied §2.11: Of a closed world session Get shows empty lists, no metadata and live input that is off: only that it is over is kept.':
    ({ world: { views } }) => {
      const emptied = { references: [], metadata: {}, live_input: { audio: { enabled: false } } }
      for (const [name, value] of Object.entries(emptied)) {
        const usual = views.got[name]
        views.got[name] = (scene) => (scene.session.status === 'closed' ? value : usual?.(scene))
      }
    },
  'world-closed-is-missing §7: Whatever is asked of a closed world session, it is not found.': set(
    'world.reach.finds',
    ({ status }) => status !== 'closed',
  ),
  'world-gone-at-once §7: A world session is closed and not found as soon as it is asked to close.': several(
    set('world.life.onClose', 'closed'),
    set('world.reach.finds', ({ status }, operation) => operation !== 'get-world-session' || status !== 'closed'),
  ),
  'world-lifetime-short §8: No world session lasts longer than two minutes, and secrets live for twenty seconds.':
    several(
      set('world.create.defaultSeconds', 90),
      set('world.create.highestSeconds', 120),
      set('world.life.secretMs', 20_000),
    ),
  'world-secrets-outlive §2.11: Secrets live for a day, whatever the session does.': set(
    'world.life.secretExpiry',
    (now) => now + 86_400_000,
  ),
  'world-secrets-end-with-session §2.11: Secrets live as long as their session.': set(
    'world.life.secretExpiry',
    (_now, _ms, expiry) => expiry,
  ),
  'world-old-secrets-die §4.5: Fresh descriptors end those before them.': set('world.life.keepsOldSecrets', false),
  'world-idle-lower §4.5: No generation goes on for more than four seconds by itself.': several(
    set('world.create.defaultIdleMs', 2000),
    set('world.create.highestIdleMs', 4000),
  ),
  'world-usage-coarse §2.11: Media time and usage move in steps of a quarter of a second; audio is not counted.':
    several(
      set('world.runtime.mediaMs', (ms) => Math.floor(ms / 250) * 250),
      set('world.runtime.usage', (ms) => ({ video: ms, audio: 0 })),
    ),
  'world-sequence-leaps §2.11: The sequence of control events leaps.': set('world.runtime.sequenceStep', 4099),
  'world-media-time-still §2.11: Media time moves every two seconds.': around(
    'world.runtime.mediaMs',
    (media) => (ms) => {
      const exact = media(ms)
      return exact - (exact % 2_000)
    },
  ),
  'world-usage-by-seconds §2.11: Usage is counted by whole seconds that are over.': around(
    'world.runtime.usage',
    (usage) => (ms) => {
      const { video, audio } = usage(ms)
      return { video: video - (video % 1_000), audio: audio - (audio % 1_000) }
    },
  ),
  'world-provisioning-fails-at-times §3.2: Every fifth world session that is provisioned fails instead of becoming active.':
    ({ world: { life } }) => {
      const fails = everyNth(5, 0)
      life.initial = () => 'provisioning'
      life.provisioningMs = 300
      Object.defineProperty(life, 'onReady', { get: () => (fails() ? 'failed' : 'active') })
    },
})
