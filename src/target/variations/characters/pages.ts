import { set, around, remembering } from '#target/overrides/operators'
import { Refusal } from '#target/refusal'
import type { Character } from '#target/characters/character'
import type { Variation } from '#target/deviation'

/** 4.2 List Characters. */
export const characterPageVariations: readonly Variation[] = [
  {
    id: 'character-page-tokens-outdated',
    section: '4.2',
    text: 'A page token holds as long as the character that it stands on.',
    override: around('characters.list.following', (following) => (sorted, place) => {
      if (!sorted.some(({ serial }) => serial === place)) throw new Refusal('20004', 'page_token')
      return following(sorted, place)
    }),
  },
  {
    id: 'character-pages-small',
    section: '4.2',
    text: 'Where a page size is asked for, no page holds more than three characters.',
    override: around('characters.list.size', (size) => (given, sizes) => {
      const asked = size(given, sizes)
      return given === null || asked === undefined ? asked : Math.min(asked, 3)
    }),
  },
  {
    id: 'character-page-size-strict',
    section: '4.2',
    text: 'A page size above 200 is refused.',
    override: around(
      'characters.list.size',
      (size) => (given, sizes) => (Number(given) > sizes.maximumSize ? undefined : size(given, sizes)),
    ),
  },
  {
    id: 'character-page-size-lenient',
    section: '4.2',
    text: 'A page size that is none is taken for the default.',
    override: around('characters.list.size', (size) => (given, sizes) => size(given, sizes) ?? sizes.defaultSize),
  },
  {
    id: 'character-tokens-odd',
    section: '4.2',
    text: 'Page tokens hold what a URL must escape, and differ each time.',
    override: remembering(() => {
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
  },
  {
    id: 'character-token-empty-refused',
    section: '4.2',
    text: 'An empty page token is invalid.',
    override: set('characters.list.isFirst', (given) => given === null),
  },
  {
    id: 'character-pages-by-second',
    section: '4.2',
    text: 'Characters of the same second are listed in the order of their ids.',
    override: remembering(() => {
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
    }),
  },
]

/** Where a character stands: its second, then its id. */
interface Place {
  second: number
  id: string
}

const placeOf = ({ createdAt, id }: Character): Place => ({ second: Math.floor(createdAt / 1000), id })

const inOrder = (one: Place, other: Place): number =>
  one.second === other.second ? (one.id < other.id ? -1 : Number(one.id > other.id)) : other.second - one.second
