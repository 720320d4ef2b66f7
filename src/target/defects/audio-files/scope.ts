import { around } from '#target/overrides/operators'
import { defectsOf } from '../tools/table.ts'

export const scopeDefects = defectsOf('audio-files.scope', {
  'shared-by-keys: A file belongs to the key that uploaded it.': around(
    'access.sees',
    (sees) => (account, owner, operation) =>
      sees(account, owner, operation) && (operation !== 'clone-voice' || account.name === owner.name),
  ),
  'other-workspace-excluded: Any workspace clones any file.': around(
    'access.sees',
    (sees) => (account, owner, operation) => operation === 'clone-voice' || sees(account, owner, operation),
  ),
})
