import { omit, put } from '#target/overrides/changes'
import { onData } from '#target/overrides/data'
import { remembering, set } from '#target/overrides/operators'
import { DELETE } from '../tools/characters.ts'
import { defectsOf } from '../tools/table.ts'

export const deleteDefects = defectsOf('characters.delete', {
  'accepted: A delete is refused.': set('access.turnsAway', (operation) =>
    operation === DELETE ? '10009' : undefined,
  ),
  'status-deleted: A delete returns `deleting`.': onData(DELETE, put('status', 'deleting')),
  'status-deleted~absent: A delete returns no status.': onData(DELETE, omit('status')),
  'character-id: A delete returns no id.': onData(DELETE, omit('character_id')),
  'character-id~first: Every delete returns the id of the first character that was deleted.': remembering(() => {
    let first: unknown
    return onData(DELETE, (data) => {
      first ??= data['character_id']
      return { ...data, character_id: first }
    })
  }),
  'leaves-others: A delete takes the characters along that were made before and after.': set(
    'characters.alsoDeletes',
    (character, all) =>
      all.filter(({ account, serial }) => account === character.account && Math.abs(serial - character.serial) === 1),
  ),
  'leaves-others~namesake: A delete takes the characters of the same name along.': set(
    'characters.alsoDeletes',
    ({ name, account }, all) => all.filter((one) => one.name === name && one.account.workspace === account.workspace),
  ),
  'unknown-rejected: A delete of an unknown character is confirmed.': set('characters.madeUp', (id, operation) =>
    operation === DELETE ? { character_id: id, status: 'deleted' } : undefined,
  ),
})
