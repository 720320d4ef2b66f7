import { uuid } from '#target/overrides/changes'
import { set, several, remembering } from '#target/overrides/operators'
import { variationsOf } from './table.ts'

/** "Identifier of the session." (2.1): what ids, secrets and timestamps look like. */
export const idVariations = variationsOf({
  'ids-uuid §2.1: All ids are UUIDs.': ({ ids }) => {
    for (const kind of ['session', 'event', 'response', 'item', 'call'] as const)
      ids[kind] = (random) => uuid(random.hex(32))
  },
  'ids-numeric §2.1: All ids are strings of digits.': ({ ids }) => {
    for (const kind of ['session', 'event', 'response', 'item', 'call'] as const)
      ids[kind] = (random) => Array.from({ length: 19 }, () => String(1 + random.below(9))).join('')
  },
  'ids-odd §2.1: Ids and secrets hold characters that a URL must escape.': several(
    set('ids.session', (random) => `ses:${random.hex(6)}+a b=${random.hex(6)}`),
    set('ids.secret', (random) => `cs.${random.hex(20)}+/=&${random.hex(20)}`),
    set('ids.item', (random) => `item/${random.hex(8)}#1`),
    set('ids.response', (random) => `resp "${random.hex(8)}"`),
  ),
  'ids-long §2.1: Ids and secrets are hundreds of characters long.': several(
    set('ids.session', (random) => `ses_${random.hex(200)}`),
    set('ids.secret', (random) => random.hex(900)),
    set('ids.item', (random) => `item_${random.hex(300)}`),
  ),
  'timestamps-offset §2.1: Timestamps have an offset and microseconds.': ({ views }) => {
    const { expires_at: expires } = views.created
    for (const fields of [views.created, views.replayed])
      fields['expires_at'] = (session, control) => String(expires?.(session, control)).replace('Z', '417+00:00')
  },
  'ids-by-workspace §1: Characters, files and voices are counted in each workspace ("scoped to the workspace"), so that each has a first one.':
    remembering(() => {
      const counts = new Map<string, number>()
      const counted = (kind: string, workspace: string): string => {
        const next = (counts.get(kind + workspace) ?? 100_000) + 1
        counts.set(kind + workspace, next)
        return kind + String(next)
      }
      return [
        set('access.kept', (account, id) => (id === '' ? '' : `${account.workspace} ${id}`)),
        set('characters.id', (_random, { workspace }) => counted('chr_', workspace)),
        set('files.id', (_random, { workspace }) => counted('file_aud_', workspace)),
        set('voices.id', (_random, { workspace }) => counted('voice_', workspace)),
        set('files.shown.url', ({ id, account }) => `https://cdn.example.com/${account.workspace}/${id}`),
      ]
    }),
  'ids-counted §2.1: Sessions of either kind are counted, so that one of each may have the same id.': remembering(
    () => {
      let [avatars, worlds] = [0, 0]
      return [
        set('ids.session', () => `session-${(avatars += 1)}`),
        set('world.ids.session', () => `session-${(worlds += 1)}`),
      ]
    },
  ),
})
