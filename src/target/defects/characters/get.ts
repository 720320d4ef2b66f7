import { put } from '../paths.ts'
import { defectsOf } from '../table.ts'
import { onData } from '../tools.ts'

export const getCharacterDefects = defectsOf('characters', {
  'get.own-character-found': [
    'Get knows no character younger than a second.',
    ({ characters }) => {
      const { found } = characters
      characters.found = (character, operation) =>
        found(character, operation) && (operation !== 'get-character' || Date.now() - character.createdAt > 1000)
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
