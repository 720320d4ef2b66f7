import { add, around, set } from '#target/overrides/operators'
import { change } from '#target/overrides/changes'
import { type BodyInput } from '#target/behaviour/validations/characters'
import { validation } from '#target/behaviour/validations/input-validation'
import { several } from '#target/overrides/operators'
import type { Variation } from '#target/deviation'
import { Refusal } from '#target/refusal'
import { textOf } from '#target/wire'

const nameRule = (broken: (name: string) => boolean) => ({
  ...validation('4.2', 'name', ({ body }: BodyInput) => broken(textOf(body['name']) ?? '')),
  code: '20004' as const,
})

/** Pages whose ends and tokens the spec leaves open. */
const listVariations: readonly Variation[] = [
  {
    id: 'character-pages-end-empty',
    section: '4.2',
    text: 'After a last page that is full there is an empty one ("empty when no more pages").',
    warns: ['characters.list.no-empty-last-page'],
    override: set('characters.list.cut', (following, size) => {
      const characters = following.slice(0, size)
      return { characters, after: characters.length === size ? characters.at(-1)?.serial : undefined }
    }),
  },
  {
    id: 'character-pages-sparse',
    section: '4.2',
    text: 'Deleted characters are left out of pages after these were cut, so that some are short, or empty.',
    override: several(
      set('characters.list.lists', () => true),
      around('characters.list.cut', (cut) => (following, size, start) => {
        const { characters, after } = cut(following, size, start)
        return { characters: characters.filter(({ deleted }) => !deleted), after }
      }),
    ),
  },
  {
    id: 'character-tokens-of-one-size',
    section: '4.2',
    text: 'A page token holds for the page size that it was given for.',
    override: around('characters.list.cut', (cut) => {
      const sizes = new Map<number, Set<number>>()
      return (following, size, start) => {
        if (start !== undefined && sizes.get(start)?.has(size) !== true) throw new Refusal('20004', 'page_token')
        const page = cut(following, size, start)
        if (page.after !== undefined) sizes.set(page.after, (sizes.get(page.after) ?? new Set()).add(size))
        return page
      }
    }),
  },
  {
    id: 'character-tokens-long',
    section: '4.2',
    text: 'Page tokens are fifteen hundred characters long.',
    override: several(
      around('characters.list.token', (token) => (place) => `${token(place)}.${'t'.repeat(1500)}`),
      around('characters.list.placeOf', (placeOf) => (given) => {
        const [token = '', rest] = given.split('.')
        return rest === 't'.repeat(1500) ? placeOf(token) : undefined
      }),
    ),
  },
]

/** Names, and what is shown of images. */
const recordVariations: readonly Variation[] = [
  {
    id: 'character-names-short',
    section: '4.2',
    text: 'A name of more than 64 letters is refused.',
    override: several(
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
  },
  {
    id: 'character-names-plain',
    section: '4.2',
    text: 'A name with control characters, or with blanks around it, is refused.',
    override: several(
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
  },
  {
    id: 'character-images-signed',
    section: '2.7',
    text: 'Source images are shown by addresses that are signed anew in each answer.',
    override: around('characters.views.configuration', (configuration) => {
      let count = 0
      const signed = change('avatars.*.visual.source_images.*.url', (url) => {
        count += 1
        return typeof url === 'string'
          ? `https://cdn.example.org/image?of=${encodeURIComponent(url)}&sig=${count}`
          : url
      })
      return (character) => signed(configuration(character))
    }),
  },
]

export const characterBoundVariations: readonly Variation[] = [...listVariations, ...recordVariations]
