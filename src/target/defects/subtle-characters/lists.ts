import { wireAt } from '#target/wire'
import { defectsOf } from '../table.ts'

/** A place from which everything follows. */
const TOP = 2 ** 40

/** 4.2 GET `/v1/characters`: pages and summaries that fail at an edge. */
export const subtleListDefects = defectsOf('characters', {
  'list.item-name~escaped': [
    'A summary escapes `&` and `<` in a name.',
    ({ characters: { views } }) =>
      void (views.summary['name'] = ({ name }) => name.replaceAll('&', '&amp;').replaceAll('<', '&lt;')),
  ],
  'list.shows-replaced~resolution': [
    'A summary keeps the first resolution.',
    ({ characters }) => {
      const first = new Map<string, unknown>()
      const { replaced, views } = characters
      characters.replaced = (old, next) => {
        if (!first.has(old.id)) first.set(old.id, wireAt(old.configuration, 'output')['resolution'])
        return replaced(old, next)
      }
      views.summary['resolution'] = ({ id, configuration }) =>
        first.has(id) ? first.get(id) : wireAt(configuration, 'output')['resolution']
    },
  ],
  'list.ends~full-last-page': [
    'A full last page leads to the first one.',
    ({ characters: { list } }) => {
      const { cut } = list
      list.cut = (following, size, start) => {
        const page = cut(following, size, start)
        return { ...page, after: page.after ?? (page.characters.length === size ? TOP : undefined) }
      }
    },
  ],
  'list.token-while-more~one-left': [
    'A page does not lead to a single character that is left.',
    ({ characters: { list } }) => {
      const { cut } = list
      list.cut = (following, size, start) => {
        const page = cut(following, size, start)
        return following.length === size + 1 ? { ...page, after: undefined } : page
      }
    },
  ],
  'list.page-token-invalid-rejected~with-size': [
    'An invalid token beside a `page_size` opens the first page.',
    ({ characters: { list } }) => {
      let invalid = false
      const { placeOf, size } = list
      list.placeOf = (given) => {
        const place = placeOf(given)
        invalid = place === undefined
        return place ?? TOP
      }
      list.size = (given, sizes) => {
        const refused = invalid && given === null
        invalid = false
        return refused ? undefined : size(given, sizes)
      }
    },
  ],
})
