import { secondsStamp } from '#target/behaviour/files'
import { remembering, set } from '#target/overrides/operators'
import type { Character } from '#target/characters/character'
import type { Account } from '#target/keys'
import { Refusal } from '#target/refusal'
import { variationsOf } from '../table.ts'

/** How far the clocks of two machines are apart, in milliseconds. */
const apartMs = 2000

/** The same where it goes unnoticed. */
const aheadMs = 900

/** How characters are kept, where only the fields of one are named. */
export const characterStoreVariations = variationsOf({
  'characters-of-two-clocks §4.2: Two machines save characters, of which one is two seconds ahead; the list goes by what they wrote ("newest first").':
    remembering(() => {
      // By its serial number: where lists lag, they show copies.
      const stamp = ({ serial, createdAt }: Character): number => createdAt + (serial % 2 === 0 ? apartMs : 0)
      const places = new Map<number, Character>()
      const inOrder = (one: Character, other: Character): number => {
        places.set(one.serial, one)
        places.set(other.serial, other)
        return stamp(other) - stamp(one) || other.serial - one.serial
      }
      return [
        set('characters.list.order', inOrder),
        set('characters.list.following', (sorted, place) => {
          const last = places.get(place)
          return last === undefined ? [] : sorted.filter((one) => inOrder(last, one) < 0)
        }),
        (behaviour) => {
          const { views } = behaviour.characters
          for (const fields of [views.full, views.summary]) {
            fields['created_at'] = (one: Character) => secondsStamp(stamp(one))
            fields['updated_at'] = (one: Character) => secondsStamp(one.updatedAt + (stamp(one) - one.createdAt))
          }
        },
      ]
    }),
  'characters-counted-by-two-machines §4.2: Two machines save characters, of which one is most of a second ahead; the list goes by a count of them ("newest first").':
    ({ characters }) => {
      const ahead = ({ serial }: Character): number => (serial % 2 === 0 ? aheadMs : 0)
      const { views } = characters
      for (const fields of [views.full, views.summary]) {
        fields['created_at'] = (one: Character) => views.timestamp(one.createdAt + ahead(one))
        fields['updated_at'] = (one: Character) => views.timestamp(one.updatedAt + ahead(one))
      }
    },
  'characters-indexed-after-save §2.7: A character that was saved is indexed, which moves `updated_at` by a second (what moves it is not said).':
    (behaviour) => {
      const { views } = behaviour.characters
      for (const fields of [views.full, views.summary]) {
        const usual = fields['updated_at']
        fields['updated_at'] = (one: Character) => usual?.({ ...one, updatedAt: one.updatedAt + 1000 })
      }
    },
  'character-names-unique §4.2: No two characters of a workspace have the same name.': ({ characters }) => {
    const { id, deleted } = characters
    const names = new Set<string>()
    const own = ({ workspace }: Account, name: string): string => `${workspace}\n${name}`
    characters.id = (random, account, saved) => {
      if (names.has(own(account, saved.name))) throw new Refusal('20004', 'name')
      names.add(own(account, saved.name))
      return id(random, account, saved)
    }
    characters.deleted = (character) => {
      names.delete(own(character.account, character.name))
      deleted(character)
    }
  },
  'characters-at-most-twenty §4.2: A workspace keeps at most twenty characters.': ({ characters }) => {
    const { id, deleted } = characters
    const counts = new Map<string, number>()
    const add = ({ workspace }: Account, more: number): void =>
      void counts.set(workspace, (counts.get(workspace) ?? 0) + more)
    characters.id = (random, account, saved) => {
      if ((counts.get(account.workspace) ?? 0) >= 20) throw new Refusal('30004', 'too many characters')
      add(account, 1)
      return id(random, account, saved)
    }
    characters.deleted = (character) => {
      if (!character.deleted) add(character.account, -1)
      deleted(character)
    }
  },
})
