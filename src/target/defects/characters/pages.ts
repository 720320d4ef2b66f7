import type { Behaviour } from '#target/behaviour/behaviour'
import { defectsOf } from '../table.ts'

/** A place from which everything follows. */
const TOP = 2 ** 40

/** Pages that count what was shown, and not what comes next. */
function byOffset({ characters: { list } }: Behaviour): void {
  list.following = (sorted, place) => sorted.slice(place)
  list.cut = (following, size, start) => ({
    characters: following.slice(0, size),
    after: following.length > size ? (start ?? 0) + size : undefined,
  })
}

const sizeDefects = defectsOf('characters', {
  'list.page-size-bounds': [
    'A page holds one character more.',
    ({ characters: { list } }) => {
      const { cut } = list
      list.cut = (following, size, start) => cut(following, size + 1, start)
    },
  ],
  'list.page-size-bounds~following': [
    'Only the first page has its size.',
    ({ characters: { list } }) => {
      const { cut } = list
      list.cut = (following, size, start) => cut(following, start === undefined ? size : following.length, start)
    },
  ],
  'list.page-size-1-accepted': [
    'A page of one is refused.',
    ({ characters: { list } }) => {
      const { size } = list
      list.size = (given, sizes) => (given === '1' ? undefined : size(given, sizes))
    },
  ],
  'list.page-size-default-50': [
    'A page holds twenty characters unasked.',
    ({ characters: { list } }) => void (list.defaultSize = 20),
  ],
  'list.page-size-default-not-above-50': [
    'A page holds a hundred characters unasked.',
    ({ characters: { list } }) => void (list.defaultSize = 100),
  ],
  'list.page-size-200-accepted': [
    'A page of 200 is refused.',
    ({ characters: { list } }) => {
      const { size } = list
      list.size = (given, sizes) => (given === '200' ? undefined : size(given, sizes))
    },
  ],
  'list.page-size-200-accepted~half': [
    'A page holds a hundred characters at most.',
    ({ characters: { list } }) => void (list.maximumSize = 100),
  ],
  'list.page-size-never-above-200': [
    'A page holds as many characters as were asked for.',
    ({ characters: { list } }) => void (list.maximumSize = TOP),
  ],
})

const tokenDefects = defectsOf('characters', {
  'list.each-once': [
    'A page begins with the last character of the one before.',
    ({ characters: { list } }) => {
      const { cut } = list
      list.cut = (following, size, start) => {
        const page = cut(following, size, start)
        const after = page.after !== undefined && page.characters.length > 1 ? page.after + 1 : page.after
        return { ...page, after }
      }
    },
  ],
  'list.ends': [
    'The last page leads to the first.',
    ({ characters: { list } }) => {
      const { cut } = list
      list.cut = (following, size, start) => {
        const page = cut(following, size, start)
        return { ...page, after: page.after ?? TOP }
      }
    },
  ],
  'list.ends~empty': [
    'Empty pages go on for ever.',
    ({ characters: { list } }) => {
      const { cut } = list
      list.cut = (following, size, start) => {
        const page = cut(following, size, start)
        return { ...page, after: page.after ?? 0 }
      }
    },
  ],
  'list.token-while-more': [
    'The first page is the last.',
    ({ characters: { list } }) => {
      const { cut } = list
      list.cut = (following, size, start) => ({ ...cut(following, size, start), after: undefined })
    },
  ],
  'list.token-while-more~second': [
    'The second page is the last.',
    ({ characters: { list } }) => {
      const { cut } = list
      list.cut = (following, size, start) => {
        const page = cut(following, size, start)
        return start === undefined ? page : { ...page, after: undefined }
      }
    },
  ],
  'list.no-empty-last-page': [
    'A full last page leads to an empty one.',
    ({ characters: { list } }) => {
      const { cut } = list
      list.cut = (following, size, start) => {
        const page = cut(following, size, start)
        return { ...page, after: page.characters.length === size ? page.characters.at(-1)?.serial : undefined }
      }
    },
  ],
  'list.page-token-invalid-rejected': [
    'An invalid token opens the first page.',
    ({ characters: { list } }) => {
      const { placeOf } = list
      list.placeOf = (given) => placeOf(given) ?? TOP
    },
  ],
  'list.page-token-invalid-rejected~end': [
    'An invalid token opens an empty page.',
    ({ characters: { list } }) => {
      const { placeOf } = list
      list.placeOf = (given) => placeOf(given) ?? 0
    },
  ],
})

const writeDefects = defectsOf('characters', {
  'list.stable-under-creates': ['Pages count from the newest.', byOffset],
  'list.stable-under-deletes': ['Pages count what was shown, deleted or not.', byOffset],
  'list.stable-under-deletes~gone': [
    'A page after a character that is gone is empty.',
    ({ characters }) => {
      const gone = new Set<number>()
      const { deleted, list } = characters
      const { following } = list
      characters.deleted = (character) => {
        gone.add(character.serial)
        deleted(character)
      }
      list.following = (sorted, place) => (gone.has(place) ? [] : following(sorted, place))
    },
  ],
})

export const pageDefects = [...sizeDefects, ...tokenDefects, ...writeDefects]
