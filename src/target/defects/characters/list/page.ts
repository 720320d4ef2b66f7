import { around, remembering, set } from '#target/overrides/operators'
import { TOP } from '../../tools/characters.ts'
import { defectsOf } from '../../tools/table.ts'

export const listDefects = defectsOf('characters.list', {
  'page-size-bounds: A page holds one character more.': around(
    'characters.list.cut',
    (cut) => (following, size, start) => cut(following, size + 1, start),
  ),
  'page-size-bounds~following: Only the first page has its size.': around(
    'characters.list.cut',
    (cut) => (following, size, start) => cut(following, start === undefined ? size : following.length, start),
  ),
  'page-size-1-accepted: A page of one is refused.': around(
    'characters.list.size',
    (size) => (given, sizes) => (given === '1' ? undefined : size(given, sizes)),
  ),
  'page-size-default-50: A page holds twenty characters unasked.': set('characters.list.defaultSize', 20),
  'page-size-default-not-above-50: A page holds a hundred characters unasked.': set('characters.list.defaultSize', 100),
  'page-size-200-accepted: A page of 200 is refused.': around(
    'characters.list.size',
    (size) => (given, sizes) => (given === '200' ? undefined : size(given, sizes)),
  ),
  'page-size-200-accepted~half: A page holds a hundred characters at most.': set('characters.list.maximumSize', 100),
  'page-size-never-above-200: A page holds as many characters as were asked for.': set(
    'characters.list.maximumSize',
    TOP,
  ),
  'page-token-invalid-rejected: An invalid token opens the first page.': around(
    'characters.list.placeOf',
    (placeOf) => (given) => placeOf(given) ?? TOP,
  ),
  'page-token-invalid-rejected~short: A token of fewer than four characters opens the first page.': around(
    'characters.list.placeOf',
    (placeOf) => (given) => placeOf(given) ?? (given.length < 4 ? TOP : undefined),
  ),
  'page-token-invalid-rejected~end: An invalid token opens an empty page.': around(
    'characters.list.placeOf',
    (placeOf) => (given) => placeOf(given) ?? 0,
  ),
  'page-token-invalid-rejected~with-size: An invalid token beside a `page_size` opens the first page.': remembering(
    () => {
      let invalid = false
      return [
        around('characters.list.placeOf', (placeOf) => (given) => {
          const place = placeOf(given)
          invalid = place === undefined
          return place ?? TOP
        }),
        around('characters.list.size', (size) => (given, sizes) => {
          const refused = invalid && given === null
          invalid = false
          return refused ? undefined : size(given, sizes)
        }),
      ]
    },
  ),
})
