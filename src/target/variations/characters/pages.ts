import { set, around, remembering, several } from '#target/overrides/operators'
import { Refusal } from '#target/refusal'
import type { Character } from '#target/characters/character'
import { variationsOf } from '../table.ts'

/** How many characters were deleted before anything was asked. */
const OLD_ONES = 40

/** 4.2 List Characters. */
export const characterPageVariations = variationsOf({
  'character-page-tokens-outdated §4.2: A page token holds as long as the character that it stands on.': around(
    'characters.list.following',
    (following) => (sorted, place) => {
      if (!sorted.some(({ serial }) => serial === place)) throw new Refusal('20004', 'page_token')
      return following(sorted, place)
    },
  ),
  'character-pages-small §4.2: Where a page size is asked for, no page holds more than three characters.': around(
    'characters.list.size',
    (size) => (given, sizes) => {
      const asked = size(given, sizes)
      return given === null || asked === undefined ? asked : Math.min(asked, 3)
    },
  ),
  'character-page-size-strict §4.2: A page size above 200 is refused.': around(
    'characters.list.size',
    (size) => (given, sizes) => (Number(given) > sizes.maximumSize ? undefined : size(given, sizes)),
  ),
  'character-page-size-lenient §4.2: A page size that is none is taken for the default.': around(
    'characters.list.size',
    (size) => (given, sizes) => size(given, sizes) ?? sizes.defaultSize,
  ),
  'character-tokens-odd §4.2: Page tokens hold what a URL must escape, and differ each time.': remembering(() => {
    let count = 0
    return [
      around('characters.list.token', (token) => (place) => {
        count += 1
        return `{"n":${count}} &%20+/=?#é|${token(place)}|${'x'.repeat(300)}`
      }),
      around('characters.list.placeOf', (placeOf) => (given) => {
        const [start, inner = '', end] = given.split('|')
        return start?.startsWith('{') === true && end === 'x'.repeat(300) ? placeOf(inner) : undefined
      }),
    ]
  }),
  'character-pages-of-old-ones §4.2: Deleted characters are left out of pages after these were cut, and forty were deleted long ago.':
    several(
      set('characters.list.lists', () => true),
      set('characters.list.cut', (following, size, start) => {
        const characters = following.slice(0, size).filter(({ deleted }) => !deleted)
        if (following.length > size) return { characters, after: following[size - 1]?.serial }
        // Their places are counted from zero downwards.
        const passed = Math.max(-(start ?? 0), 0) + size - following.length
        return { characters, after: passed < OLD_ONES ? -passed : undefined }
      }),
    ),
  'character-token-empty-refused §4.2: An empty page token is invalid.': set(
    'characters.list.isFirst',
    (given) => given === null,
  ),
  'character-pages-by-second §4.2: Characters of the same second are listed in the order of their ids.': remembering(
    () => {
      const shown = new Map<number, Place>()
      return [
        set('characters.list.order', (one, other) => inOrder(placeOf(one), placeOf(other))),
        set('characters.list.following', (sorted, serial) => {
          const last = shown.get(serial)
          return sorted.filter((one) => last !== undefined && inOrder(last, placeOf(one)) < 0)
        }),
        around('characters.list.cut', (cut) => (following, size, start) => {
          const page = cut(following, size, start)
          for (const one of page.characters) shown.set(one.serial, placeOf(one))
          return page
        }),
      ]
    },
  ),
})

/** Where a character stands: its second, then its id. */
interface Place {
  second: number
  id: string
}

const placeOf = ({ createdAt, id }: Character): Place => ({ second: Math.floor(createdAt / 1000), id })

const inOrder = (one: Place, other: Place): number =>
  one.second === other.second ? (one.id < other.id ? -1 : Number(one.id > other.id)) : other.second - one.second
