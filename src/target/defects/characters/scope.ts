import type { Override } from '#target/behaviour/behaviour'
import type { Account } from '#target/keys'
import { around, remembering, set } from '#target/overrides/operators'
import { START } from '../tools/characters.ts'
import { defectsOf } from '../tools/table.ts'
import { showsHidden } from '../tools/refusals.ts'

/** Finds characters by the key that made them. */
const ownOnly = (operation: string): Override =>
  around(
    'access.sees',
    (sees) => (account, owner, asked) =>
      sees(account, owner, asked) && (asked !== operation || account.secret === owner.secret),
  )

/** Finds characters of all workspaces. */
const everyone = (operation: string): Override =>
  around('access.sees', (sees) => (account, owner, asked) => asked === operation || sees(account, owner, asked))

/** Acts on what it does not find. */
const actsUnseen = (operation: string): Override => set('characters.actsUnseen', (asked) => asked === operation)

const tokensOfWorkspace: Override = ({ access, characters: { list } }) => {
  let caller: Account | undefined
  const workspaces = new Map<number, string>()
  const { sees } = access
  access.sees = (account, owner, operation) => {
    if (operation !== 'list-characters') return sees(account, owner, operation)
    caller = account
    return true
  }
  const { lists, cut } = list
  list.lists = (character) => {
    workspaces.set(character.serial, character.account.workspace)
    return lists(character)
  }
  list.cut = (following, size, start) => {
    const workspace = start === undefined ? caller?.workspace : workspaces.get(start)
    return cut(
      following.filter(({ account }) => account.workspace === workspace),
      size,
      start,
    )
  }
}

export const scopeDefects = defectsOf('characters.scope', {
  'same-workspace-key-gets: Get finds what its own key saved.': ownOnly('get-character'),
  'same-workspace-key-lists: List shows what its own key saved.': ownOnly('list-characters'),
  'same-workspace-key-replaces: Replace finds what its own key saved.': ownOnly('replace-character'),
  'same-workspace-key-deletes: Delete finds what its own key saved.': ownOnly('delete-character'),
  'same-workspace-key-starts: A start finds what its own key saved.': ownOnly(START),
  'other-workspace-get-rejected~told: Get refuses a character of another workspace, and shows it.':
    showsHidden('get-character'),
  'other-workspace-get-rejected: Any key may get any character.': everyone('get-character'),
  'other-workspace-get-rejected~used: A character that was started once may be got by any key.': remembering(() => {
    const used = new Set<unknown>()
    return [
      around('characters.sessions.saved', (saved) => (character) => {
        used.add(character.account)
        return saved(character)
      }),
      around(
        'access.sees',
        (sees) => (account, owner, asked) =>
          (asked === 'get-character' && used.has(owner)) || sees(account, owner, asked),
      ),
    ]
  }),
  'other-workspace-list-hidden: List shows the characters of all workspaces.': everyone('list-characters'),
  'other-workspace-replace-rejected: Any key may replace any character.': everyone('replace-character'),
  'other-workspace-replace-changes-nothing: A replace from another workspace is refused and carried out.':
    actsUnseen('replace-character'),
  'other-workspace-replace-changes-nothing~time: A replace from another workspace is refused, and moves `updated_at`.':
    remembering(() => {
      let unseen = false
      return [
        around('characters.found', (found) => (character, operation) => {
          unseen = false
          return found(character, operation)
        }),
        set('characters.actsUnseen', (operation) => (unseen = operation === 'replace-character')),
        around(
          'characters.replaced',
          (replaced) => (old, next) =>
            unseen ? { name: old.name, configuration: old.configuration } : replaced(old, next),
        ),
      ]
    }),
  'other-workspace-delete-rejected: Any key may delete any character.': everyone('delete-character'),
  'other-workspace-delete-changes-nothing: A delete from another workspace is refused and carried out.':
    actsUnseen('delete-character'),
  'other-workspace-start-rejected: Any key may start any character.': everyone(START),
  'other-workspace-start-rejected~started: A character that was started once may be started by any key.': remembering(
    () => {
      const started = new Set<string>()
      let asked = ''
      return [
        around('characters.sessions.named', (named) => (sent, own) => (asked = named(sent, own))),
        around('characters.found', (found) => (character, operation) => {
          if (operation === START) started.add(character.id)
          return found(character, operation)
        }),
        around(
          'access.sees',
          (sees) => (account, owner, operation) =>
            sees(account, owner, operation) || (operation === START && started.has(asked)),
        ),
      ]
    },
  ),
  'page-token-opens-no-other-workspace: A page token opens the list of all workspaces.': remembering(() => {
    let following = false
    return [
      around('characters.list.isFirst', (isFirst) => (given) => {
        following = !isFirst(given)
        return !following
      }),
      around(
        'access.sees',
        (sees) => (account, owner, asked) => (asked === 'list-characters' && following) || sees(account, owner, asked),
      ),
    ]
  }),
  "page-token-opens-no-other-workspace~names-it: A page_token lists its own workspace, whoever's key comes with it.":
    tokensOfWorkspace,
})
