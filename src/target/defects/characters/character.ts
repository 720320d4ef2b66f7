import type { Override } from '#target/behaviour/behaviour'
import { change, put } from '#target/overrides/changes'
import { onData, onSavedConfiguration } from '#target/overrides/data'
import { around, remembering, set, several } from '#target/overrides/operators'
import { onFull } from '../tools/characters.ts'
import { defectsOf } from '../tools/table.ts'

const HOUR_MS = 3_600_000

/** Milliseconds, too. */
const precise = (ms: number): string => new Date(ms).toISOString()

const inAnotherZone: Override = ({ characters: { views } }) => {
  views.full['created_at'] = ({ createdAt }) => views.timestamp(createdAt + 8 * HOUR_MS)
  views.full['updated_at'] = ({ updatedAt }) => views.timestamp(updatedAt + 8 * HOUR_MS)
}

export const characterDefects = defectsOf('characters.character', {
  'shape: Avatars come back by their number.': onSavedConfiguration(change('avatars', (list) => ({ ...Object(list) }))),
  'id-nonempty: Get returns no id.': onData('get-character', put('character_id', '')),
  'id-prefix: Ids are shaped `char_<id>`.': around(
    'characters.id',
    (id) => (random, account, saved) => id(random, account, saved).replace('chr_', 'char_'),
  ),
  'id-unique: Every character has the same id.': set('characters.id', () => 'chr_1'),
  'name-echoed: A name comes back in capitals.': onFull(change('name', (name) => String(name).toUpperCase())),
  'name-echoed~emoji: Characters of a name beyond sixteen bits become question marks.': around(
    'characters.named',
    (named) => (body) => named(body).replaceAll(/[\u{10000}-\u{10ffff}]/gu, '?'),
  ),
  'name-echoed~decoded: A name is decoded like a part of an address.': around('characters.named', (named) => (body) => {
    const name = named(body)
    try {
      return decodeURIComponent(name)
    } catch {
      return name
    }
  }),
  'name-echoed~quotes: Quotes in a name come back doubled.': around(
    'characters.named',
    (named) => (body) => named(body).replaceAll("'", "''"),
  ),
  'name-echoed~backslash: Backslashes of a name are lost.': around(
    'characters.named',
    (named) => (body) => named(body).replaceAll('\\', ''),
  ),
  'name-echoed~blanks: Several blanks of a name become one.': around(
    'characters.named',
    (named) => (body) => named(body).replaceAll(/ +/g, ' '),
  ),
  'name-string: A name comes back as a list of names.': onFull(change('name', (name) => [name])),
  'created-at-format: `created_at` has milliseconds.': set('characters.views.full.created_at', ({ createdAt }) =>
    precise(createdAt),
  ),
  'created-at-format~offset: `created_at` has an offset of zero.': ({ characters: { views } }) =>
    void (views.full['created_at'] = ({ createdAt }) => views.timestamp(createdAt).replace('Z', '+00:00')),
  'updated-at-format: `updated_at` has milliseconds.': set('characters.views.full.updated_at', ({ updatedAt }) =>
    precise(updatedAt),
  ),
  'updated-at-format~replaced: `updated_at` has milliseconds once a character was replaced.': (b) => {
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
  'created-at-utc: Times are those of a clock eight hours ahead.': inAnotherZone,
  'created-at-utc~undated: Times of characters are eight hours ahead of all others, and no answer has a Date.': several(
    inAnotherZone,
    set('http.dated', false),
  ),
  'updated-at-utc: `updated_at` is that of a clock eight hours ahead.': ({ characters: { views } }) =>
    void (views.full['updated_at'] = ({ updatedAt }) => views.timestamp(updatedAt + 8 * HOUR_MS)),
  'updated-at-not-before-created-at: `updated_at` is an hour behind.': ({ characters: { views } }) =>
    void (views.full['updated_at'] = ({ updatedAt }) => views.timestamp(updatedAt - HOUR_MS)),
  'created-at-kept-by-replace: A replace moves `created_at`.': set('characters.restamped', (_old, now) => ({
    createdAt: now,
    updatedAt: now,
  })),
  'created-at-kept-by-replace~get: Get shows the last write of a character as its creation.': onData(
    'get-character',
    (data) => ({ ...data, created_at: data['updated_at'] }),
  ),
  'updated-at-moved-by-replace: A replace leaves `updated_at` as it was.': set(
    'characters.restamped',
    ({ createdAt, updatedAt }) => ({ createdAt, updatedAt }),
  ),
  'updated-at-moved-by-replace~answer: A replace tells a new `updated_at`, and keeps the old one.': (b) => {
    const { views } = b.characters
    b.characters.restamped = ({ createdAt, updatedAt }) => ({ createdAt, updatedAt })
    onData('replace-character', (data) => ({ ...data, updated_at: views.timestamp(Date.now()) }))(b)
  },
  'updated-at-moved-by-replace~name-only: A replace that changes the name alone leaves `updated_at` as it was.':
    remembering(() => {
      let same = false
      return [
        around('characters.replaced', (replaced) => (old, next) => {
          same = JSON.stringify(old.configuration) === JSON.stringify(next.configuration)
          return replaced(old, next)
        }),
        around('characters.restamped', (restamped) => (old, now) => ({
          ...restamped(old, now),
          ...(same ? { updatedAt: old.updatedAt } : {}),
        })),
      ]
    }),
  'updated-at-kept-by-refused-replace: A refused replace moves `updated_at`.': around(
    'characters.found',
    (found) => (character, operation) => {
      if (operation === 'replace-character') character.updatedAt = Date.now()
      return found(character, operation)
    },
  ),
})
