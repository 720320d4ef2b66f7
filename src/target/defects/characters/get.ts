import { put } from '#target/overrides/changes'
import { onData } from '#target/overrides/data'
import { set } from '#target/overrides/operators'
import { DELETE } from '../tools/characters.ts'
import { hidden } from '../tools/replaced.ts'
import { defectsOf } from '../tools/table.ts'

export const getDefects = defectsOf('characters.get', {
  'own-character-found: Get knows no character before it was replaced.': hidden(
    (operation, wasReplaced) => operation === 'get-character' && !wasReplaced,
  ),
  'own-character-found~limited: A delete that is refused for the rate of its key deletes all the same.': set(
    'rate.actsAnyway',
    (operation) => operation === DELETE,
  ),
  'names-character: Get names another character.': onData('get-character', put('character_id', 'chr_other')),
  'unknown-rejected: Get of an unknown character shows an empty one.': set('characters.madeUp', (id, operation) =>
    operation === 'get-character' ? { character_id: id, name: '' } : undefined,
  ),
})
