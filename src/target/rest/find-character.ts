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
  const refuse = (why: Unseen): never => {
    onUnseen(why)
    throw new Refusal(characters.unseen(operation, why), 'character')
  }
  const character = service.characters.get(access.kept(account, id))
  if (character === undefined) return refuse('unknown')
  if (!access.sees(account, character.account, operation)) return refuse('foreign')
  return characters.found(character, operation) ? character : refuse('deleted')
}
