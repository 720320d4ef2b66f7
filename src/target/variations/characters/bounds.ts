import { add, around, set } from '#target/overrides/operators'
import { change } from '#target/overrides/changes'
import { type BodyInput } from '#target/behaviour/validations/characters'
import { validation } from '#target/behaviour/validations/input-validation'
import { several } from '#target/overrides/operators'
import type { Variation } from '#target/deviation'
import { Refusal } from '#target/refusal'
import { textOf } from '#target/wire'
import { variationsOf } from '../table.ts'

const nameRule = (broken: (name: string) => boolean) => ({
  ...validation('4.2', 'name', ({ body }: BodyInput) => broken(textOf(body['name']) ?? '')),
  code: '20004' as const,
})

/** Pages whose ends and tokens the spec leaves open. */
const listVariations = variationsOf({
  'character-pages-end-empty §4.2: After a last page that is full there is an empty one ("empty when no more pages").':
    {
      warns: ['characters.list.no-empty-last-page'],
      override: set('characters.list.cut', (following, size) => {
        const characters = following.slice(0, size)
        return { characters, after: characters.length === size ? characters.at(-1)?.serial : undefined }
      }),
    },
  'character-pages-sparse §4.2: Deleted characters are left out of pages after these were cut, so that some are short, or empty.':
    several(
      set('characters.list.lists', () => true),
      around('characters.list.cut', (cut) => (following, size, start) => {
        const { characters, after } = cut(following, size, start)
        return { characters: characters.filter(({ deleted }) => !deleted), after }
      }),
    ),
  'character-tokens-of-one-size §4.2: A page token holds for the page size that it was given for.': around(
    'characters.list.cut',
    (cut) => {
      const sizes = new Map<number, Set<number>>()
      return (following, size, start) => {
        if (start !== undefined && sizes.get(start)?.has(size) !== true) throw new Refusal('20004', 'page_token')
        const page = cut(following, size, start)
        if (page.after !== undefined) sizes.set(page.after, (sizes.get(page.after) ?? new Set()).add(size))
        return page
      }
    },
  ),
  'character-tokens-long §4.2: Page tokens are fifteen hundred characters long.': several(
    around('characters.list.token', (token) => (place) => `${token(place)}.${'t'.repeat(1500)}`),
    around('characters.list.placeOf', (placeOf) => (given) => {
      const [token = '', rest] = given.split('.')
      return rest === 't'.repeat(1500) ? placeOf(token) : undefined
    }),
  ),
})

/** Names, and what is shown of images. */
const recordVariations = variationsOf({
  'character-names-short §4.2: A name of more than 64 letters is refused.': several(
    add(
      'validations.character.name',
      'name-long',
      nameRule((name) => name.length > 64),
    ),
    add(
      'validations.replacement.name',
      'name-long',
      nameRule((name) => name.length > 64),
    ),
  ),
  'character-names-plain §4.2: A name with control characters, or with blanks around it, is refused.': several(
    add(
      'validations.character.name',
      'name-not-plain',
      nameRule((name) => /^\s|\s$|\p{Cc}/u.test(name)),
    ),
    add(
      'validations.replacement.name',
      'name-not-plain',
      nameRule((name) => /^\s|\s$|\p{Cc}/u.test(name)),
    ),
  ),
  'character-images-signed §2.7: Source images are shown by addresses that are signed anew in each answer.': around(
    'characters.views.configuration',
    (configuration) => {
      let count = 0
      const signed = change('avatars.*.visual.source_images.*.url', (url) => {
        count += 1
        return typeof url === 'string'
          ? `https://cdn.example.org/image?of=${encodeURIComponent(url)}&sig=${count}`
          : url
      })
      return (character) => signed(configuration(character))
    },
  ),
})

export const characterBoundVariations: readonly Variation[] = [...listVariations, ...recordVariations]
