import type { Character } from '#target/characters/character'
import { around, set, remembering } from '#target/overrides/operators'
import { textOf, objectAt, without } from '#target/wire'
import { defectsOf } from '../../tools/table.ts'

const modeOf = ({ configuration }: Character): string => textOf(objectAt(configuration, 'session')['mode']) ?? ''

export const listDefects = defectsOf('characters.list', {
  'item-shape: A summary has its times in milliseconds since 1970.': [
    set('characters.views.summary.created_at', ({ createdAt }) => createdAt),
    set('characters.views.summary.updated_at', ({ updatedAt }) => updatedAt),
  ],
  'item-shape~updated-at: A summary has no `updated_at`.': set('characters.views.summary.updated_at', () => undefined),
  'item-name: A summary cuts the name short.': set('characters.views.summary.name', ({ name }) => name.slice(0, 4)),
  'item-name~later-page: Pages that a token leads to show names in capitals.': around(
    'characters.list.cut',
    (cut) => (following, size, start) => {
      const page = cut(following, size, start)
      if (start === undefined) return page
      return { ...page, characters: page.characters.map((one) => ({ ...one, name: one.name.toUpperCase() })) }
    },
  ),
  'item-name~cut: List cuts names to 32 characters.': set('characters.views.summary.name', ({ name }) =>
    Array.from(name).slice(0, 32).join(''),
  ),
  'item-name~escaped: A summary escapes `&` and `<` in a name.': set('characters.views.summary.name', ({ name }) =>
    name.replaceAll('&', '&amp;').replaceAll('<', '&lt;'),
  ),
  'item-model: A summary has no model.': set('characters.views.summary.model', () => undefined),
  'item-model~default: A summary always names the same model.': set(
    'characters.views.summary.model',
    () => 'svc-a1-stream-lite',
  ),
  'item-resolution: A summary has no resolution.': set('characters.views.summary.resolution', () => undefined),
  'item-resolution~default: A summary says 720p of any output that is stored.': around(
    'characters.views.summary.resolution',
    (resolution) => (character) => (resolution?.(character) === undefined ? undefined : '720p'),
  ),
  'item-resolution~text-chat: A text_chat character that stores an output has no resolution in List.': around(
    'characters.views.summary.resolution',
    (resolution) => (character) => (modeOf(character) === 'text_chat' ? undefined : resolution?.(character)),
  ),
  'item-resolution-only-when-stored: A summary without stored resolution shows the smallest.': around(
    'characters.views.summary.resolution',
    (resolution) => (character) => resolution?.(character) ?? '480p',
  ),
  'item-timestamps-agree: A summary rounds its times to minutes.': ({ characters: { views } }) => {
    const minute = (ms: number): string => views.timestamp(Math.floor(ms / 60_000) * 60_000)
    views.summary['created_at'] = ({ createdAt }) => minute(createdAt)
    views.summary['updated_at'] = ({ updatedAt }) => minute(updatedAt)
  },
  'item-timestamps-agree~replaced: A summary shows `created_at` twice.': ({ characters: { views } }) =>
    void (views.summary['updated_at'] = ({ createdAt }) => views.timestamp(createdAt)),
  'item-model~later-pages: Items of later pages have no model.': remembering(() => {
    let later = false
    return [
      around('characters.list.cut', (cut) => (following, size, start) => {
        later = start !== undefined
        return cut(following, size, start)
      }),
      around(
        'characters.list.answer',
        (answer) => (items, next) => answer(later ? items.map((item) => without(item, 'model')) : items, next),
      ),
    ]
  }),
})
