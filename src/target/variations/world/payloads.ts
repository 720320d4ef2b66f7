import { set, around, several } from '#target/overrides/operators'
import type { Variation } from '#target/deviation'
import { type JsonObject, objectAt } from '#target/wire'
import type { WorldChannel } from '#target/worlds/session'
import { onAddress, onWorlds } from './tools.ts'

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
export const worldPayloadVariations: readonly Variation[] = [
  {
    id: 'world-event-ids-absent',
    section: '2.11',
    text: 'Before any Event, the runtime names none.',
    override: several(
      set('world.runtime.appliedEvent', () => undefined),
      set('world.runtime.pendingEvent', () => undefined),
    ),
  },
  {
    id: 'world-event-ids-early',
    section: '2.11',
    text: 'The initial prompt counts as the first Event.',
    override: set('world.runtime.appliedEvent', () => 'we_initial'),
  },
  {
    id: 'world-ids-odd',
    section: '2.11',
    text: 'Ids and secrets of worlds hold characters that a URL must escape.',
    override: several(
      set('world.ids.session', (random) => `world:${random.hex(6)}+a b=${random.hex(6)}`),
      set('world.ids.secret', (random) => `${random.hex(20)}+/=&${random.hex(20)}`),
    ),
  },
  {
    id: 'world-ids-numeric',
    section: '2.11',
    text: 'Ids of worlds are strings of digits, secrets very long.',
    override: several(
      set('world.ids.session', (random) => `1${Array.from({ length: 18 }, () => String(random.below(10))).join('')}`),
      set('world.ids.secret', (random) => `eyJ${random.hex(900)}`),
    ),
  },
  {
    id: 'world-secret-shared',
    section: '2.11',
    text: 'Both channels of a world session take the same secret.',
    override: around('world.ids.secret', (secret) => {
      let last = ''
      return (random, account, channel: WorldChannel) => {
        if (channel === 'control') last = secret(random, account, channel)
        return last
      }
    }),
  },
  {
    id: 'world-secrets-brought-otherwise',
    section: '2.11',
    text: 'The world channels take their secrets in a parameter of another name.',
    override: several(set('world.channel.tokenParameter', 'client_secret'), set('world.channel.takesHeader', false)),
  },
  {
    id: 'world-media-elsewhere',
    section: '2.11',
    text: 'Media are joined over HTTPS at another host; the control channel is at another name of this one.',
    concerns: WORLDS,
    override: several(
      onAddress(
        'media',
        (url) => `https://media.example.net/whip/${new URL(url).searchParams.get('session_id') ?? ''}`,
      ),
      onAddress('control', (url) => url.replace('127.0.0.1', 'localhost')),
    ),
  },
  {
    id: 'world-media-opaque',
    section: '2.11',
    text: 'The address of media is a name, no URL.',
    concerns: WORLDS,
    override: onAddress('media', (url) => `room-${Buffer.from(url).toString('base64url')}`),
  },
  {
    id: 'world-addresses-renewed',
    section: '2.11',
    text: 'Every descriptor has an address of its own.',
    override: ({ world: { views } }) => {
      for (const fields of [views.created, views.replayed, views.got, views.secrets])
        for (const channel of ['control', 'media'] as const) {
          const usual = fields[channel]
          fields[channel] = (scene) => {
            const shown = Object(usual?.(scene)) as JsonObject
            return { ...shown, url: `${String(shown['url'])}&issue=${scene.issue[channel].expiresAt}` }
          }
        }
    },
  },
  {
    id: 'world-create-shows-all',
    section: '2.11',
    text: 'Create shows sequence and usage, a close shows the session.',
    override: ({ world: { views } }) => {
      const { got } = views
      views.created = { ...got, ...views.created }
      views.replayed = { ...got, ...views.replayed }
      views.closed = { ...got }
    },
  },
  {
    id: 'world-live-input-terse',
    section: '2.11',
    text: 'Live input shows what was set of it, and metadata only when some were sent.',
    override: ({ world }) => {
      world.create.liveInput = (body) => {
        const asked = objectAt(objectAt(body, 'live_input'), 'audio')
        return Object.keys(asked).length > 0 ? { audio: { enabled: false, ...asked } } : {}
      }
      for (const fields of [world.views.created, world.views.replayed, world.views.got])
        fields['metadata'] = ({ session: { plan } }) =>
          Object.keys(plan.metadata).length > 0 ? plan.metadata : undefined
    },
  },
  {
    id: 'world-timestamps-offset',
    section: '2.11',
    text: 'Timestamps of worlds have an offset and microseconds, or whole seconds.',
    concerns: WORLDS,
    override: onWorlds((data) => {
      const exact = STAMPS.reduce(
        (changed, path) => moved(changed, path, (text) => text.replace('Z', '417+00:00')),
        data,
      )
      return moved(exact, 'created_at', (text) => text.replace(/\.\d+\+00:00$/u, 'Z'))
    }),
  },
  {
    id: 'world-details-later',
    section: '9',
    text: 'Answers about worlds carry fields that the spec does not know.',
    concerns: WORLDS,
    override: onWorlds((data, operation) => ({
      ...data,
      queue: { position: null },
      trace_id: `t-${operation}`,
      runtime: 'runtime' in data ? { ...objectAt(data, 'runtime'), health: 'good' } : undefined,
    })),
  },
  {
    id: 'world-fields-reversed',
    section: 'Conventions',
    text: 'Get shows its fields backwards.',
    concerns: WORLDS,
    override: onWorlds((data, operation) =>
      operation === 'get-world-session' ? Object.fromEntries(Object.entries(data).toReversed()) : data,
    ),
  },
]
