import type { Behaviour } from '#target/behaviour/behaviour'
import { defectsOf } from '../table.ts'
import { START } from './tools.ts'

/** Finds characters by the key that made them. */
const ownOnly =
  (operation: string) =>
  ({ access }: Behaviour): void => {
    const { sees } = access
    access.sees = (account, owner, asked) =>
      sees(account, owner, asked) && (asked !== operation || account.secret === owner.secret)
  }

/** Finds characters of all workspaces. */
const everyone =
  (operation: string) =>
  ({ access }: Behaviour): void => {
    const { sees } = access
    access.sees = (account, owner, asked) => asked === operation || sees(account, owner, asked)
  }

/** Acts on what it does not find. */
const actsUnseen =
  (operation: string) =>
  ({ characters }: Behaviour): void =>
    void (characters.actsUnseen = (asked) => asked === operation)

const sameDefects = defectsOf('characters', {
  'scope.same-workspace-key-gets': ['Get finds what its own key saved.', ownOnly('get-character')],
  'scope.same-workspace-key-lists': ['List shows what its own key saved.', ownOnly('list-characters')],
  'scope.same-workspace-key-replaces': ['Replace finds what its own key saved.', ownOnly('replace-character')],
  'scope.same-workspace-key-deletes': ['Delete finds what its own key saved.', ownOnly('delete-character')],
  'scope.same-workspace-key-starts': ['A start finds what its own key saved.', ownOnly(START)],
})

const otherDefects = defectsOf('characters', {
  'scope.other-workspace-get-rejected': ['Any key may get any character.', everyone('get-character')],
  'scope.other-workspace-get-rejected~used': [
    'A character that was started once may be got by any key.',
    ({ access, characters: { sessions } }) => {
      const used = new Set<unknown>()
      const { saved } = sessions
      sessions.saved = (character) => {
        used.add(character.account)
        return saved(character)
      }
      const { sees } = access
      access.sees = (account, owner, asked) =>
        (asked === 'get-character' && used.has(owner)) || sees(account, owner, asked)
    },
  ],
  'scope.other-workspace-list-hidden': ['List shows the characters of all workspaces.', everyone('list-characters')],
  'scope.other-workspace-replace-rejected': ['Any key may replace any character.', everyone('replace-character')],
  'scope.other-workspace-replace-changes-nothing': [
    'A replace from another workspace is refused and carried out.',
    actsUnseen('replace-character'),
  ],
  'scope.other-workspace-delete-rejected': ['Any key may delete any character.', everyone('delete-character')],
  'scope.other-workspace-delete-changes-nothing': [
    'A delete from another workspace is refused and carried out.',
    actsUnseen('delete-character'),
  ],
  'scope.other-workspace-start-rejected': ['Any key may start any character.', everyone(START)],
  'scope.page-token-opens-no-other-workspace': [
    'A page token opens the list of all workspaces.',
    ({ access, characters: { list } }) => {
      let following = false
      const { isFirst } = list
      const { sees } = access
      list.isFirst = (given) => {
        following = !isFirst(given)
        return !following
      }
      access.sees = (account, owner, asked) => (asked === 'list-characters' && following) || sees(account, owner, asked)
    },
  ],
})

export const scopeDefects = [...sameDefects, ...otherDefects]
