import { put } from '../paths.ts'
import { defectsOf } from '../table.ts'
import { onData } from '../tools.ts'

export const getCharacterDefects = defectsOf('characters', {
  'get.own-character-found': [
    'Get knows no character before it was replaced.',
    ({ characters }) => {
      const { found, restamped } = characters
      const replaced = new Set<unknown>()
      characters.restamped = (character, now) => {
        replaced.add(character)
        return restamped(character, now)
      }
      characters.found = (character, operation) =>
        found(character, operation) && (operation !== 'get-character' || replaced.has(character))
    },
  ],
  'get.names-character': [
    'Get names another character.',
    (b) => onData(b, 'get-character', put('character_id', 'chr_other')),
  ],
  'get.unknown-rejected': [
    'Get of an unknown character shows an empty one.',
    ({ characters }) =>
      void (characters.madeUp = (id, operation) =>
        operation === 'get-character' ? { character_id: id, name: '' } : undefined),
  ],
})
