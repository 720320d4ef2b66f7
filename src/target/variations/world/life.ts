import { set, several } from '#target/overrides/operators'
import type { Variation } from '#target/deviation'

/** 3.2 and 3.3: how world sessions begin, run and end. */
export const worldLifeVariations: readonly Variation[] = [
  {
    id: 'world-provisioning',
    section: '3.2',
    text: 'A world session is provisioned for almost a second.',
    override: several(
      set('world.life.initial', () => 'provisioning'),
      set('world.life.provisioningMs', 900),
    ),
  },
  {
    id: 'world-provisioning-brief',
    section: '3.2',
    text: 'A world session is provisioning when it is created, and active at once.',
    override: set('world.life.initial', () => 'provisioning'),
  },
  {
    id: 'world-fails-at-times',
    section: '3.2',
    text: 'Every sixth world session is created as failed.',
    override: set('world.life.initial', (count) => (count % 6 === 0 ? 'failed' : 'active')),
  },
  {
    id: 'world-connecting-first',
    section: '3.3',
    text: 'An automatic world session connects for a while before it runs.',
    override: set('world.runtime.connectMs', 300),
  },
  {
    id: 'world-close-instant',
    section: '3.2',
    text: 'A world session is closed as soon as it is asked to.',
    override: several(set('world.life.onClose', 'closed'), set('world.life.cleanupMs', 0)),
  },
  {
    id: 'world-cleanup-slow',
    section: '3.2',
    text: 'The cleanup of a world session takes more than a second.',
    override: set('world.life.cleanupMs', 1300),
  },
  {
    id: 'world-gone-when-closed',
    section: '7',
    text: 'A closed world session is not found; its close is safe to repeat with the same key only.',
    override: several(
      set('world.reach.finds', ({ status }, operation) => operation !== 'get-world-session' || status !== 'closed'),
      set('world.reach.closeRefusal', ({ status, closeKeys }, key) =>
        status === 'closed' && (key === undefined || !closeKeys.has(key)) ? '20005' : undefined,
      ),
    ),
  },
  {
    id: 'world-closed-is-missing',
    section: '7',
    text: 'Whatever is asked of a closed world session, it is not found.',
    override: set('world.reach.finds', ({ status }) => status !== 'closed'),
  },
  {
    id: 'world-gone-at-once',
    section: '7',
    text: 'A world session is closed and not found as soon as it is asked to close.',
    override: several(
      set('world.life.onClose', 'closed'),
      set('world.reach.finds', ({ status }, operation) => operation !== 'get-world-session' || status !== 'closed'),
    ),
  },
  {
    id: 'world-lifetime-short',
    section: '8',
    text: 'No world session lasts longer than two minutes, and secrets live for twenty seconds.',
    override: several(
      set('world.create.defaultSeconds', 90),
      set('world.create.highestSeconds', 120),
      set('world.life.secretMs', 20_000),
    ),
  },
  {
    id: 'world-secrets-outlive',
    section: '2.11',
    text: 'Secrets live for a day, whatever the session does.',
    override: set('world.life.secretExpiry', (now) => now + 86_400_000),
  },
  {
    id: 'world-secrets-end-with-session',
    section: '2.11',
    text: 'Secrets live as long as their session.',
    override: set('world.life.secretExpiry', (_now, _ms, expiry) => expiry),
  },
  {
    id: 'world-old-secrets-die',
    section: '4.5',
    text: 'Fresh descriptors end those before them.',
    override: set('world.life.keepsOldSecrets', false),
  },
  {
    id: 'world-idle-lower',
    section: '4.5',
    text: 'No generation goes on for more than four seconds by itself.',
    override: several(set('world.create.defaultIdleMs', 2000), set('world.create.highestIdleMs', 4000)),
  },
  {
    id: 'world-usage-coarse',
    section: '2.11',
    text: 'Media time and usage move in steps of a quarter of a second; audio is not counted.',
    override: several(
      set('world.runtime.mediaMs', (ms) => Math.floor(ms / 250) * 250),
      set('world.runtime.usage', (ms) => ({ video: ms, audio: 0 })),
    ),
  },
  {
    id: 'world-sequence-leaps',
    section: '2.11',
    text: 'The sequence of control events leaps.',
    override: set('world.runtime.sequenceStep', 4099),
  },
]
