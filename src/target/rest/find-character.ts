import type { Unseen } from '../behaviour/characters/records.ts'
import type { Character } from '../characters/character.ts'
import type { Account } from '../keys.ts'
import { Refusal } from '../refusal.ts'
import type { Service } from '../service.ts'

/**
 * 20005: a character "not existing, deleted or in another workspace".
 * @param onUnseen called before the refusal.
 */
export function findCharacter(
  service: Service,
  account: Account,
  id: string,
  operation: string,
  onUnseen: (why: Unseen) => void = () => undefined,
): Character {
  const { access, characters } = service.behaviour
  const refuse = (why: Unseen, hidden?: Character): never => {
    onUnseen(why)
    const shown = hidden === undefined ? undefined : () => ({ name: hidden.name, ...hidden.configuration })
    throw new Refusal(characters.unseen(operation, why), 'character', undefined, shown)
  }
  const character = service.characters.get(access.kept(account, id))
  if (character === undefined) return refuse('unknown')
  if (!access.sees(account, character.account, operation)) return refuse('foreign', character)
  return characters.found(character, operation) ? character : refuse('deleted')
}
