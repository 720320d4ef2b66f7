import { put } from '#target/overrides/changes'
import { onData } from '#target/overrides/data'
import { around, remembering, set } from '#target/overrides/operators'
import { defectsOf } from '../tools/table.ts'

export const getDefects = defectsOf('characters.get', {
  'own-character-found: Get knows no character before it was replaced.': remembering(() => {
    const replaced = new Set<unknown>()
    return [
      around('characters.restamped', (restamped) => (character, now) => {
        replaced.add(character)
        return restamped(character, now)
      }),
      around(
        'characters.found',
        (found) => (character, operation) =>
          found(character, operation) && (operation !== 'get-character' || replaced.has(character)),
      ),
    ]
  }),
  'names-character: Get names another character.': onData('get-character', put('character_id', 'chr_other')),
  'unknown-rejected: Get of an unknown character shows an empty one.': set('characters.madeUp', (id, operation) =>
    operation === 'get-character' ? { character_id: id, name: '' } : undefined,
  ),
})
