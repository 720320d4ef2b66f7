import { set, several, remembering } from '#target/overrides/operators'
import type { Variation } from '../deviation.ts'

const uuid = (hex: string): string => hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/u, '$1-$2-$3-$4-$5')

/** "Identifier of the session." (2.1): what ids, secrets and timestamps look like. */
export const idVariations: readonly Variation[] = [
  {
    id: 'ids-uuid',
    section: '2.1',
    text: 'All ids are UUIDs.',
    override: ({ ids }) => {
      for (const kind of ['session', 'event', 'response', 'item', 'call'] as const)
        ids[kind] = (random) => uuid(random.hex(32))
    },
  },
  {
    id: 'ids-numeric',
    section: '2.1',
    text: 'All ids are strings of digits.',
    override: ({ ids }) => {
      for (const kind of ['session', 'event', 'response', 'item', 'call'] as const)
        ids[kind] = (random) => Array.from({ length: 19 }, () => String(1 + random.below(9))).join('')
    },
  },
  {
    id: 'ids-odd',
    section: '2.1',
    text: 'Ids and secrets hold characters that a URL must escape.',
    override: several(
      set('ids.session', (random) => `ses:${random.hex(6)}+a b=${random.hex(6)}`),
      set('ids.secret', (random) => `cs.${random.hex(20)}+/=&${random.hex(20)}`),
      set('ids.item', (random) => `item/${random.hex(8)}#1`),
      set('ids.response', (random) => `resp "${random.hex(8)}"`),
    ),
  },
  {
    id: 'ids-long',
    section: '2.1',
    text: 'Ids and secrets are hundreds of characters long.',
    override: several(
      set('ids.session', (random) => `ses_${random.hex(200)}`),
      set('ids.secret', (random) => random.hex(900)),
      set('ids.item', (random) => `item_${random.hex(300)}`),
    ),
  },
  {
    id: 'timestamps-offset',
    section: '2.1',
    text: 'Timestamps have an offset and microseconds.',
    override: ({ views }) => {
      const { expires_at: expires } = views.created
      for (const fields of [views.created, views.replayed])
        fields['expires_at'] = (session, control) => String(expires?.(session, control)).replace('Z', '417+00:00')
    },
  },
  {
    id: 'ids-counted',
    section: '2.1',
    text: 'Sessions of either kind are counted, so that one of each may have the same id.',
    override: remembering(() => {
      let [avatars, worlds] = [0, 0]
      return [
        set('ids.session', () => `session-${(avatars += 1)}`),
        set('world.ids.session', () => `session-${(worlds += 1)}`),
      ]
    }),
  },
]
