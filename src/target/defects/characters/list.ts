import type { Override } from '#target/behaviour/behaviour'
import type { Character } from '#target/characters/character'
import { around, remembering, set, several } from '#target/overrides/operators'
import { objectAt } from '#target/wire'
import { TOP } from '../tools/characters.ts'
import { defectsOf } from '../tools/table.ts'

/** Pages that count what was shown, and not what comes next. */
const byOffset: Override = several(
  set('characters.list.following', (sorted, place) => sorted.slice(place)),
  set('characters.list.cut', (following, size, start) => ({
    characters: following.slice(0, size),
    after: following.length > size ? (start ?? 0) + size : undefined,
  })),
)

const numberedPages: Override = remembering(() => {
  const sizes = new Map<number, { size: number; page: number }>()
  let all: Character[] = []
  return [
    around('characters.list.following', (following) => (sorted, place) => {
      all = sorted
      return following(sorted, place)
    }),
    around('characters.list.cut', (cut) => (rest, size, start) => {
      const before = start === undefined ? undefined : sizes.get(start)
      const page = before?.page ?? 0
      const from = before !== undefined && before.size !== size ? all.slice(page * size) : rest
      const made = cut(from, size, start)
      if (made.after !== undefined) sizes.set(made.after, { size, page: page + 1 })
      return made
    }),
  ]
})

const staleResolution: Override = ({ characters: { views } }) => {
  const last = new WeakMap<Character, unknown>()
  const { resolution } = views.summary
  const seen = (character: Character): unknown => {
    const now = resolution?.(character) ?? last.get(character)
    last.set(character, now)
    return now
  }
  views.summary['resolution'] = seen
  const { configuration } = views
  views.configuration = (character) => {
    seen(character)
    return configuration(character)
  }
}

export const listDefects = defectsOf('characters.list', {
  'accepted: List is refused.': set('access.turnsAway', (operation) =>
    operation === 'list-characters' ? '10009' : undefined,
  ),
  'items-array: Items come by their number.': set('characters.list.answer', (items, next) => ({
    items: Object.fromEntries(items.entries()),
    next_page_token: next,
  })),
  'next-page-token-string: The last page has null for a token.': set('characters.list.answer', (items, next) => ({
    items,
    next_page_token: next === '' ? null : next,
  })),
  'next-page-token-string~absent: The last page has no token.': set('characters.list.answer', (items, next) =>
    next === '' ? { items } : { items, next_page_token: next },
  ),
  'shows-replaced: A summary keeps the first name.': remembering(() => {
    const first = new Map<string, string>()
    return [
      around('characters.replaced', (replaced) => (old, next) => {
        if (!first.has(old.id)) first.set(old.id, old.name)
        return replaced(old, next)
      }),
      set('characters.views.summary.name', ({ id, name }) => first.get(id) ?? name),
    ]
  }),
  'shows-replaced~output-omitted: After a replace that omits output List still shows the resolution of before.':
    staleResolution,
  'shows-replaced~model: List keeps the model of creation.': remembering(() => {
    const first = new Map<string, unknown>()
    return [
      around('characters.replaced', (replaced) => (old, next) => {
        if (!first.has(old.id)) first.set(old.id, old.configuration['model'])
        return replaced(old, next)
      }),
      around(
        'characters.views.summary.model',
        (model) => (character) => (first.has(character.id) ? first.get(character.id) : model?.(character)),
      ),
    ]
  }),
  'shows-replaced~resolution: A summary keeps the first resolution.': remembering(() => {
    const first = new Map<string, unknown>()
    return [
      around('characters.replaced', (replaced) => (old, next) => {
        if (!first.has(old.id)) first.set(old.id, objectAt(old.configuration, 'output')['resolution'])
        return replaced(old, next)
      }),
      set('characters.views.summary.resolution', ({ id, configuration }) =>
        first.has(id) ? first.get(id) : objectAt(configuration, 'output')['resolution'],
      ),
    ]
  }),
  'shows-all: List leaves out every other character.': around(
    'characters.list.lists',
    (lists) => (character) => lists(character) && character.serial % 2 !== 0,
  ),
  'shows-all~same-second: A page begins with the second after the last one, whatever else was made in that one.': [
    set('characters.list.cut', (following, size) => {
      const characters = following.slice(0, size)
      const last = characters.at(-1)
      const more = last !== undefined && following.length > size
      return { characters, after: more ? Math.floor(last.createdAt / 1000) : undefined }
    }),
    set('characters.list.following', (sorted, place) =>
      sorted.filter(({ createdAt }) => Math.floor(createdAt / 1000) < place),
    ),
  ],
  'shows-all~text: List shows no character without output.': around(
    'characters.list.lists',
    (lists) => (character) => lists(character) && character.configuration['output'] !== undefined,
  ),
  'shows-all~modelless: List shows no character without model.': around(
    'characters.list.lists',
    (lists) => (character) => lists(character) && character.configuration['model'] !== undefined,
  ),
  'hides-deleted: List shows deleted characters.': set('characters.list.lists', () => true),
  'hides-deleted~started: List shows deleted characters that were started once.': remembering(() => {
    const started = new Set<Character>()
    return [
      set('characters.sessions.touches', (character) => void started.add(character)),
      around('characters.list.lists', (lists) => (character) => lists(character) || started.has(character)),
    ]
  }),
  'hides-deleted~later-pages: Pages reached by a token show deleted characters.': [
    set('characters.list.lists', () => true),
    around(
      'characters.list.cut',
      (cut) => (following, size, start) =>
        cut(start === undefined ? following.filter(({ deleted }) => !deleted) : following, size, start),
    ),
  ],
  'newest-first: List begins with the oldest.': [
    set('characters.list.order', (one, other) => one.serial - other.serial),
    set('characters.list.following', (sorted, place) => sorted.filter(({ serial }) => serial > place)),
  ],
  'newest-first-across-pages: Pages go from old to new, each with its newest first.': [
    set('characters.list.order', (one, other) => one.serial - other.serial),
    set('characters.list.following', (sorted, place) => sorted.filter(({ serial }) => serial > place)),
    around('characters.list.cut', (cut) => (following, size, start) => {
      const page = cut(following, size, start)
      return { ...page, characters: page.characters.toReversed() }
    }),
  ],
  'each-once: A page begins with the last character of the one before.': around(
    'characters.list.cut',
    (cut) => (following, size, start) => {
      const page = cut(following, size, start)
      const after = page.after !== undefined && page.characters.length > 1 ? page.after + 1 : page.after
      return { ...page, after }
    },
  ),
  'each-once~other-size: A page asked with another page_size than the one before is counted in pages of the new size.':
    numberedPages,
  'ends: The last page leads to the first.': around('characters.list.cut', (cut) => (following, size, start) => {
    const page = cut(following, size, start)
    return { ...page, after: page.after ?? TOP }
  }),
  'ends~empty: Empty pages go on for ever.': around('characters.list.cut', (cut) => (following, size, start) => {
    const page = cut(following, size, start)
    return { ...page, after: page.after ?? 0 }
  }),
  'ends~refused: The last page has a token, which is refused.': around(
    'characters.list.cut',
    (cut) => (following, size, start) => {
      const page = cut(following, size, start)
      return { ...page, after: page.after ?? Number.NaN }
    },
  ),
  'ends~full-last-page: A full last page leads to the first one.': around(
    'characters.list.cut',
    (cut) => (following, size, start) => {
      const page = cut(following, size, start)
      return { ...page, after: page.after ?? (page.characters.length === size ? TOP : undefined) }
    },
  ),
  'token-while-more: The first page is the last.': around('characters.list.cut', (cut) => (following, size, start) => ({
    ...cut(following, size, start),
    after: undefined,
  })),
  'token-while-more~second: The second page is the last.': around(
    'characters.list.cut',
    (cut) => (following, size, start) => {
      const page = cut(following, size, start)
      return start === undefined ? page : { ...page, after: undefined }
    },
  ),
  'token-while-more~one-left: A page does not lead to a single character that is left.': around(
    'characters.list.cut',
    (cut) => (following, size, start) => {
      const page = cut(following, size, start)
      return following.length === size + 1 ? { ...page, after: undefined } : page
    },
  ),
  'no-empty-last-page: A full last page leads to an empty one.': around(
    'characters.list.cut',
    (cut) => (following, size, start) => {
      const page = cut(following, size, start)
      return { ...page, after: page.characters.length === size ? page.characters.at(-1)?.serial : undefined }
    },
  ),
  'no-empty-last-page~exactly-full: A last page that is exactly full has a token.': set(
    'characters.list.cut',
    (following, size) => {
      const characters = following.slice(0, size)
      return { characters, after: following.length >= size ? characters.at(-1)?.serial : undefined }
    },
  ),
  'stable-under-creates: Pages count from the newest.': byOffset,
  'stable-under-deletes: Pages count what was shown, deleted or not.': byOffset,
  'stable-under-deletes~gone: A page after a character that is gone is empty.': remembering(() => {
    const gone = new Set<number>()
    return [
      around('characters.deleted', (deleted) => (character) => {
        gone.add(character.serial)
        deleted(character)
      }),
      around(
        'characters.list.following',
        (following) => (sorted, place) => (gone.has(place) ? [] : following(sorted, place)),
      ),
    ]
  }),
  'accepted~next-page: The token that a page gives is refused.': set('characters.list.placeOf', () => undefined),
  'hides-deleted~replaced: A deleted character that had been replaced is still listed.': set(
    'characters.list.lists',
    ({ deleted, createdAt, updatedAt }) => !deleted || createdAt !== updatedAt,
  ),
})
