import type { Override } from '#target/behaviour/behaviour'
import type { Account } from '#target/keys'
import { around, drop } from '#target/overrides/operators'
import { defectsOf } from '../tools/table.ts'
import { everybody } from '../tools/voices.ts'
import { showsHidden } from '../tools/refusals.ts'

/** Shows what an operation finds to the key that made it alone. */
const makerAlone = (...operations: string[]): Override =>
  around(
    'access.sees',
    (sees) => (account: Account, owner, operation) =>
      sees(account, owner, operation) && (!operations.includes(operation) || account.name === owner.name),
  )

export const scopeDefects = defectsOf('voices.scope', {
  'shared-by-keys: A voice belongs to the key that cloned it.': makerAlone('list-voices', 'get-voice'),
  'shared-by-keys~list: Only the key that cloned a voice lists it.': makerAlone('list-voices'),
  'shared-by-keys~get: Only the key that cloned a voice gets it.': makerAlone('get-voice'),
  'other-workspace-cannot-get: Any workspace gets any voice.': everybody('get-voice'),
  'other-workspace-cannot-get~told: Get refuses a voice of another workspace, and shows it.': showsHidden('get-voice'),
  'other-workspace-cannot-use: Any workspace speaks with any voice.': drop(
    'validations.usedVoices',
    'voice-of-other-workspace',
  ),
})
