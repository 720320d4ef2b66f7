import { add, around, remembering, set, several } from '#target/overrides/operators'
import type { BodyInput } from '#target/behaviour/validations/characters'
import { validation } from '#target/behaviour/validations/input-validation'
import type { Character } from '#target/characters/character'
import { variationsOf } from '../table.ts'

const TOKEN_MS = 3000
const AHEAD_MS = 300_000
const MOST_BYTES = 8 * 1024

const tooLarge = validation('4.2', 'body', ({ body }: BodyInput) => JSON.stringify(body).length > MOST_BYTES)

/** How long page tokens hold, and how characters are counted and dated. */
export const characterTokenVariations = variationsOf({
  'character-tokens-used-once §4.2: A page token can be used once.': remembering(() => {
    const used = new Set<string>()
    let count = 0
    return [
      around('characters.list.token', (token) => (place) => {
        count += 1
        return `${token(place)}.${count}`
      }),
      around('characters.list.placeOf', (placeOf) => (given) => {
        const place = placeOf(given.split('.')[0] ?? '')
        if (place === undefined || used.has(given)) return undefined
        used.add(given)
        return place
      }),
    ]
  }),
  'character-tokens-short-lived §4.2: A page token holds for three seconds.': remembering(() => {
    const given = new Map<number, number>()
    return [
      around('characters.list.token', (token) => (place) => {
        given.set(place, Date.now())
        return token(place)
      }),
      around('characters.list.placeOf', (placeOf) => (text) => {
        const place = placeOf(text)
        return place !== undefined && Date.now() - (given.get(place) ?? 0) < TOKEN_MS ? place : undefined
      }),
    ]
  }),
  'character-pages-of-a-snapshot §4.2: Later pages show the list as it was when the first one was asked for (what is written meanwhile moves nothing).':
    remembering(() => {
      const snapshots = new Map<number, { left: Character[]; at: number }>()
      return [
        around('characters.list.following', (following) => (sorted, place) => {
          const known = snapshots.get(place)
          if (known === undefined || Date.now() - known.at >= 10_000) return following(sorted, place)
          const workspace = sorted[0]?.account.workspace
          return known.left.filter(({ account }) => account.workspace === workspace)
        }),
        around('characters.list.cut', (cut) => (following, size, start) => {
          const page = cut(following, size, start)
          const left = following.slice(page.characters.length).map((one) => ({ ...one }))
          if (page.after !== undefined) snapshots.set(page.after, { left, at: Date.now() })
          return page
        }),
      ]
    }),
  'characters-bounded §4.2: What is saved of a character has at most eight kilobytes.': several(
    add('validations.character.session', 'body-large', tooLarge),
    add('validations.replacement.session', 'body-large', tooLarge),
  ),
  'characters-clock-ahead §2.7: Characters are dated by a clock that is five minutes ahead of that of the `Date` header (whose clock counts is not said).':
    ({ characters: { views } }) => {
      for (const fields of [views.full, views.summary])
        for (const [name, of] of [
          ['created_at', ({ createdAt }: Character) => createdAt],
          ['updated_at', ({ updatedAt }: Character) => updatedAt],
        ] as const)
          fields[name] = (character) => views.timestamp(of(character) + AHEAD_MS)
    },
  'character-ids-counted §2.7: Characters are numbered from one.': remembering(() => {
    let count = 0
    return set('characters.id', () => {
      count += 1
      return `chr_${count}`
    })
  }),
})
