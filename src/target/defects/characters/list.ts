import type { Character } from '#target/characters/character'
import { defectsOf } from '../table.ts'

const itemDefects = defectsOf('characters', {
  'list.accepted': [
    'List is refused.',
    ({ access }) => void (access.turnsAway = (operation) => (operation === 'list-characters' ? '10009' : undefined)),
  ],
  'list.items-array': [
    'Items come by their number.',
    ({ characters: { list } }) =>
      void (list.answer = (items, next) => ({ items: Object.fromEntries(items.entries()), next_page_token: next })),
  ],
  'list.next-page-token-string': [
    'The last page has null for a token.',
    ({ characters: { list } }) =>
      void (list.answer = (items, next) => ({ items, next_page_token: next === '' ? null : next })),
  ],
  'list.next-page-token-string~absent': [
    'The last page has no token.',
    ({ characters: { list } }) =>
      void (list.answer = (items, next) => (next === '' ? { items } : { items, next_page_token: next })),
  ],
  'list.item-shape': [
    'A summary has its times in milliseconds since 1970.',
    ({ characters: { views } }) => {
      views.summary['created_at'] = ({ createdAt }) => createdAt
      views.summary['updated_at'] = ({ updatedAt }) => updatedAt
    },
  ],
  'list.item-shape~updated-at': [
    'A summary has no `updated_at`.',
    ({ characters: { views } }) => void (views.summary['updated_at'] = () => undefined),
  ],
  'list.item-name': [
    'A summary cuts the name short.',
    ({ characters: { views } }) => void (views.summary['name'] = ({ name }) => name.slice(0, 4)),
  ],
  'list.item-model': [
    'A summary has no model.',
    ({ characters: { views } }) => void (views.summary['model'] = () => undefined),
  ],
  'list.item-model~default': [
    'A summary always names the same model.',
    ({ characters: { views } }) => void (views.summary['model'] = () => 'svc-a1-stream-lite'),
  ],
  'list.item-resolution': [
    'A summary has no resolution.',
    ({ characters: { views } }) => void (views.summary['resolution'] = () => undefined),
  ],
  'list.item-resolution-only-when-stored': [
    'A summary without stored resolution shows the smallest.',
    ({ characters: { views } }) => {
      const { resolution } = views.summary
      views.summary['resolution'] = (character) => resolution?.(character) ?? '480p'
    },
  ],
  'list.item-timestamps-agree': [
    'A summary rounds its times to minutes.',
    ({ characters: { views } }) => {
      const minute = (ms: number): string => views.timestamp(Math.floor(ms / 60_000) * 60_000)
      views.summary['created_at'] = ({ createdAt }) => minute(createdAt)
      views.summary['updated_at'] = ({ updatedAt }) => minute(updatedAt)
    },
  ],
  'list.item-timestamps-agree~replaced': [
    'A summary shows `created_at` twice.',
    ({ characters: { views } }) => void (views.summary['updated_at'] = ({ createdAt }) => views.timestamp(createdAt)),
  ],
  'list.shows-replaced': [
    'A summary keeps the first name.',
    ({ characters }) => {
      const first = new Map<string, string>()
      const { replaced } = characters
      characters.replaced = (old, next) => {
        if (!first.has(old.id)) first.set(old.id, old.name)
        return replaced(old, next)
      }
      characters.views.summary['name'] = ({ id, name }) => first.get(id) ?? name
    },
  ],
})

const contentDefects = defectsOf('characters', {
  'list.shows-all': [
    'List leaves out every other character.',
    ({ characters: { list } }) => {
      const { lists } = list
      list.lists = (character) => lists(character) && character.serial % 2 !== 0
    },
  ],
  'list.shows-all~same-second': [
    'A page begins with the second after the last one, whatever else was made in that one.',
    ({ characters: { list } }) => {
      list.cut = (following, size) => {
        const characters = following.slice(0, size)
        const last = characters.at(-1)
        const more = last !== undefined && following.length > size
        return { characters, after: more ? Math.floor(last.createdAt / 1000) : undefined }
      }
      list.following = (sorted, place) => sorted.filter(({ createdAt }) => Math.floor(createdAt / 1000) < place)
    },
  ],
  'list.shows-all~text': [
    'List shows no character without output.',
    ({ characters: { list } }) => {
      const { lists } = list
      list.lists = (character) => lists(character) && character.configuration['output'] !== undefined
    },
  ],
  'list.hides-deleted': [
    'List shows deleted characters.',
    ({ characters: { list } }) => void (list.lists = () => true),
  ],
  'list.hides-deleted~started': [
    'List shows deleted characters that were started once.',
    ({ characters: { list, sessions } }) => {
      const started = new Set<Character>()
      const { lists } = list
      sessions.touches = (character) => void started.add(character)
      list.lists = (character) => lists(character) || started.has(character)
    },
  ],
  'list.newest-first': [
    'List begins with the oldest.',
    ({ characters: { list } }) => {
      list.order = (one, other) => one.serial - other.serial
      list.following = (sorted, place) => sorted.filter(({ serial }) => serial > place)
    },
  ],
  'list.newest-first-across-pages': [
    'Pages go from old to new, each with its newest first.',
    ({ characters: { list } }) => {
      const { cut } = list
      list.order = (one, other) => one.serial - other.serial
      list.following = (sorted, place) => sorted.filter(({ serial }) => serial > place)
      list.cut = (following, size, start) => {
        const page = cut(following, size, start)
        return { ...page, characters: page.characters.toReversed() }
      }
    },
  ],
})

export const listDefects = [...itemDefects, ...contentDefects]
