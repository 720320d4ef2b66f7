import { set, around, several } from '#target/overrides/operators'
import { type JsonObject, objectAt } from '#target/wire'
import type { WorldChannel } from '#target/worlds/session'
import { onAddress, onWorlds } from './tools.ts'
import { variationsOf } from '../table.ts'

const moved = (data: JsonObject, path: string, make: (text: string) => string): JsonObject => {
  const [head = '', ...rest] = path.split('.')
  const value = data[head]
  if (rest.length > 0)
    return value === undefined ? data : { ...data, [head]: moved(objectAt(data, head), rest.join('.'), make) }
  return typeof value === 'string' ? { ...data, [head]: make(value) } : data
}

const STAMPS = ['created_at', 'expires_at', 'control.expires_at', 'media.expires_at']

/** Operations of 4.5. */
const WORLDS = /world|client-secret/

/** What answers about world sessions look like. */
export const worldPayloadVariations = variationsOf({
  'world-event-ids-absent §2.11: Before any Event, the runtime names none.': several(
    set('world.runtime.appliedEvent', () => undefined),
    set('world.runtime.pendingEvent', () => undefined),
  ),
  'world-gets-without-empty §2.11: Get leaves out references and metadata of a session that has none.': ({ world }) => {
    for (const name of ['references', 'metadata']) {
      const shown = world.views.got[name]
      world.views.got[name] = (input) => {
        const value = shown?.(input)
        return Object.keys(value ?? {}).length === 0 ? undefined : value
      }
    }
  },
  'world-media-time-while-running §2.11: A session that runs no more shows a media time of 0.': ({ world }) => {
    const runtime = world.views.got['runtime']
    world.views.got['runtime'] = (input) => {
      const value = objectAt({ runtime: runtime?.(input) }, 'runtime')
      return input.session.status === 'active' ? value : { ...value, media_time_ms: 0 }
    }
  },
  'world-event-ids-early §2.11: The initial prompt counts as the first Event.': set(
    'world.runtime.appliedEvent',
    () => 'we_initial',
  ),
  'world-ids-odd §2.11: Ids and secrets of worlds hold characters that a URL must escape.': several(
    set('world.ids.session', (random) => `world:${random.hex(6)}+a b=${random.hex(6)}`),
    set('world.ids.secret', (random) => `${random.hex(20)}+/=&${random.hex(20)}`),
  ),
  'world-secrets-accented §2.11: Secrets of worlds hold letters that no header carries ("Opaque").': set(
    'world.ids.secret',
    (random) => `clé-${random.hex(20)}`,
  ),
  'world-ids-numeric §2.11: Ids of worlds are strings of digits, secrets very long.': several(
    set('world.ids.session', (random) => `1${Array.from({ length: 18 }, () => String(random.below(10))).join('')}`),
    set('world.ids.secret', (random) => `eyJ${random.hex(900)}`),
  ),
  'world-secret-shared §2.11: Both channels of a world session take the same secret.': around(
    'world.ids.secret',
    (secret) => {
      let last = ''
      return (random, account, channel: WorldChannel) => {
        if (channel === 'control') last = secret(random, account, channel)
        return last
      }
    },
  ),
  'world-secrets-brought-otherwise §2.11: The world channels take their secrets in a parameter of another name.':
    several(set('world.channel.tokenParameter', 'client_secret'), set('world.channel.takesHeader', false)),
  'world-media-elsewhere §2.11: Media are joined over HTTPS at another host; the control channel is at another name of this one.':
    {
      concerns: WORLDS,
      override: several(
        onAddress(
          'media',
          (url) => `https://media.example.net/whip/${new URL(url).searchParams.get('session_id') ?? ''}`,
        ),
        onAddress('control', (url) => url.replace('127.0.0.1', 'localhost')),
      ),
    },
  'world-media-opaque §2.11: The address of media is a name, no URL.': {
    concerns: WORLDS,
    override: onAddress('media', (url) => `room-${Buffer.from(url).toString('base64url')}`),
  },
  'world-addresses-renewed §2.11: Every descriptor has an address of its own.': ({ world: { views } }) => {
    for (const fields of [views.created, views.replayed, views.got, views.secrets])
      for (const channel of ['control', 'media'] as const) {
        const usual = fields[channel]
        fields[channel] = (scene) => {
          const shown = Object(usual?.(scene)) as JsonObject
          return { ...shown, url: `${String(shown['url'])}&issue=${scene.issue[channel].expiresAt}` }
        }
      }
  },
  'world-create-shows-all §2.11: Create shows sequence and usage, a close shows the session.': ({
    world: { views },
  }) => {
    const { got } = views
    views.created = { ...got, ...views.created }
    views.replayed = { ...got, ...views.replayed }
    views.closed = { ...got }
  },
  'world-live-input-terse §2.11: Live input shows what was set of it, and metadata only when some were sent.': ({
    world,
  }) => {
    world.create.liveInput = (body) => {
      const asked = objectAt(objectAt(body, 'live_input'), 'audio')
      return Object.keys(asked).length > 0 ? { audio: { enabled: false, ...asked } } : {}
    }
    for (const fields of [world.views.created, world.views.replayed, world.views.got])
      fields['metadata'] = ({ session: { plan } }) =>
        Object.keys(plan.metadata).length > 0 ? plan.metadata : undefined
  },
  'world-timestamps-offset §2.11: Timestamps of worlds have an offset and microseconds, or whole seconds.': {
    concerns: WORLDS,
    override: onWorlds((data) => {
      const exact = STAMPS.reduce(
        (changed, path) => moved(changed, path, (text) => text.replace('Z', '417+00:00')),
        data,
      )
      return moved(exact, 'created_at', (text) => text.replace(/\.\d+\+00:00$/u, 'Z'))
    }),
  },
  'world-details-later §9: Answers about worlds carry fields that the spec does not know.': {
    concerns: WORLDS,
    override: onWorlds((data, operation) => ({
      ...data,
      queue: { position: null },
      trace_id: `t-${operation}`,
      runtime: 'runtime' in data ? { ...objectAt(data, 'runtime'), health: 'good' } : undefined,
    })),
  },
  'world-fields-reversed §Conventions: Get shows its fields backwards.': {
    concerns: WORLDS,
    override: onWorlds((data, operation) =>
      operation === 'get-world-session' ? Object.fromEntries(Object.entries(data).toReversed()) : data,
    ),
  },
  'world-sequence-64-bit §2.11: The sequence of control events has more digits than a double holds, and is a string.':
    onWorlds((data) => {
      const { last_sequence: sequence } = data
      return typeof sequence === 'number'
        ? { ...data, last_sequence: String(BigInt(sequence) + 9_007_199_254_740_993n) }
        : data
    }),
})
