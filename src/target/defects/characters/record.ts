import { change, put } from '../paths.ts'
import { defectsOf } from '../table.ts'
import { onData } from '../tools.ts'
import { onFull, onShown } from './tools.ts'

const HOUR_MS = 3_600_000

/** Milliseconds, too. */
const precise = (ms: number): string => new Date(ms).toISOString()

const identityDefects = defectsOf('characters', {
  'character.shape': [
    'Avatars come back by their number.',
    (b) =>
      onShown(
        b,
        change('avatars', (list) => ({ ...Object(list) })),
      ),
  ],
  'character.id-nonempty': ['Get returns no id.', (b) => onData(b, 'get-character', put('character_id', ''))],
  'character.id-prefix': [
    'Ids are shaped `char_<id>`.',
    ({ characters }) => {
      const { id } = characters
      characters.id = (random, account, saved) => id(random, account, saved).replace('chr_', 'char_')
    },
  ],
  'character.id-unique': ['Every character has the same id.', ({ characters }) => void (characters.id = () => 'chr_1')],
  'character.name-echoed': [
    'A name comes back in capitals.',
    (b) =>
      onFull(
        b,
        change('name', (name) => String(name).toUpperCase()),
      ),
  ],
  'character.name-string': [
    'A name comes back as a list of names.',
    (b) =>
      onFull(
        b,
        change('name', (name) => [name]),
      ),
  ],
})

const timeDefects = defectsOf('characters', {
  'character.created-at-format': [
    '`created_at` has milliseconds.',
    ({ characters: { views } }) => void (views.full['created_at'] = ({ createdAt }) => precise(createdAt)),
  ],
  'character.created-at-format~offset': [
    '`created_at` has an offset of zero.',
    ({ characters: { views } }) =>
      void (views.full['created_at'] = ({ createdAt }) => views.timestamp(createdAt).replace('Z', '+00:00')),
  ],
  'character.updated-at-format': [
    '`updated_at` has milliseconds.',
    ({ characters: { views } }) => void (views.full['updated_at'] = ({ updatedAt }) => precise(updatedAt)),
  ],
  'character.updated-at-format~replaced': [
    '`updated_at` has milliseconds once a character was replaced.',
    (b) => {
      const { restamped } = b.characters
      const replaced = new Set<unknown>()
      b.characters.restamped = (character, now) => {
        replaced.add(character)
        return restamped(character, now)
      }
      const { views } = b.characters
      views.full['updated_at'] = (character) =>
        replaced.has(character) ? precise(character.updatedAt) : views.timestamp(character.updatedAt)
    },
  ],
  'character.created-at-utc': [
    'Times are those of a clock eight hours ahead.',
    ({ characters: { views } }) => {
      views.full['created_at'] = ({ createdAt }) => views.timestamp(createdAt + 8 * HOUR_MS)
      views.full['updated_at'] = ({ updatedAt }) => views.timestamp(updatedAt + 8 * HOUR_MS)
    },
  ],
  'character.updated-at-not-before-created-at': [
    '`updated_at` is an hour behind.',
    ({ characters: { views } }) =>
      void (views.full['updated_at'] = ({ updatedAt }) => views.timestamp(updatedAt - HOUR_MS)),
  ],
  'character.created-at-kept-by-replace': [
    'A replace moves `created_at`.',
    ({ characters }) => void (characters.restamped = (_old, now) => ({ createdAt: now, updatedAt: now })),
  ],
  'character.updated-at-moved-by-replace': [
    'A replace leaves `updated_at` as it was.',
    ({ characters }) => void (characters.restamped = ({ createdAt, updatedAt }) => ({ createdAt, updatedAt })),
  ],
  'character.updated-at-moved-by-replace~answer': [
    'A replace tells a new `updated_at`, and keeps the old one.',
    (b) => {
      const { views } = b.characters
      b.characters.restamped = ({ createdAt, updatedAt }) => ({ createdAt, updatedAt })
      onData(b, 'replace-character', (data) => ({ ...data, updated_at: views.timestamp(Date.now()) }))
    },
  ],
  'character.updated-at-kept-by-refused-replace': [
    'A refused replace moves `updated_at`.',
    ({ characters }) => {
      const { found } = characters
      characters.found = (character, operation) => {
        if (operation === 'replace-character') character.updatedAt = Date.now()
        return found(character, operation)
      }
    },
  ],
})

export const recordDefects = [...identityDefects, ...timeDefects]
