import type { Behaviour } from '#target/behaviour/behaviour'
import type { Account } from '#target/keys'
import { waive } from '#target/behaviour/rules/waive'
import { recodeWhere } from '../recode.ts'
import { defectsOf } from '../table.ts'

/** Lets everybody see what an operation finds. */
const everybody =
  (...operations: string[]) =>
  ({ access }: Behaviour): void => {
    const { sees } = access
    access.sees = (account, owner, operation) => operations.includes(operation) || sees(account, owner, operation)
  }

/** Shows what an operation finds to the key that made it alone. */
const makerAlone =
  (...operations: string[]) =>
  ({ access }: Behaviour): void => {
    const { sees } = access
    access.sees = (account: Account, owner, operation) =>
      sees(account, owner, operation) && (!operations.includes(operation) || account.name === owner.name)
  }

/** Another code for what belongs to another workspace. */
const unseen =
  (code: '10009' | '20004', operation: string) =>
  ({ access }: Behaviour): void => {
    const { unseen: old } = access
    access.unseen = (asked) => (asked === operation ? code : old(asked))
  }

/** 1.6: whose a voice is. */
export const voiceScopeDefects = defectsOf('voices', {
  'scope.shared-by-keys': ['A voice belongs to the key that cloned it.', makerAlone('list-voices', 'get-voice')],
  'scope.shared-by-keys~list': ['Only the key that cloned a voice lists it.', makerAlone('list-voices')],
  'scope.shared-by-keys~get': ['Only the key that cloned a voice gets it.', makerAlone('get-voice')],
  'scope.other-workspace-cannot-get': ['Any workspace gets any voice.', everybody('get-voice')],
  'scope.other-workspace-cannot-use': [
    'Any workspace speaks with any voice.',
    ({ rules }) => waive(rules.usedVoices, 'voice-of-other-workspace'),
  ],
  'list.other-workspace-excluded': ['Every workspace lists all voices.', everybody('list-voices')],
  'code-20005.voice-of-other-workspace': [
    "Another workspace's voice is one that the key was not granted.",
    unseen('10009', 'get-voice'),
  ],
  'code-20005.voice-unknown': [
    'An unknown voice is an invalid parameter.',
    ({ voices }) => void (voices.unknown = '20004'),
  ],
  'code-20005.file-of-other-workspace': [
    "Another workspace's file is an invalid parameter.",
    ({ rules }) => {
      recodeWhere(rules.clone, 'file-unknown', '20004', ({ hidden }) => hidden)
    },
  ],
})
