import type { Behaviour } from '#target/behaviour/behaviour'
import { rule } from '#target/behaviour/rules/rule'
import { demand, waive } from '#target/behaviour/rules/waive'
import type { Character } from '#target/characters/character'
import type { Account } from '#target/keys'
import { isWire, textOf, type Wire, wireAt } from '#target/wire'
import { defectsOf } from '../table.ts'

const modeOf = ({ configuration }: Character): string => textOf(wireAt(configuration, 'session')['mode']) ?? ''

function putByBody({ characters }: Behaviour): void {
  let target: unknown
  const { read } = characters
  characters.read = (body) => {
    target = body['character_id']
    return read(body)
  }
  const other = (all: Character[], one: Character) =>
    all.find(({ id, account, deleted }) => id === target && account.workspace === one.account.workspace && !deleted)
  let diverted: Character | undefined
  characters.alsoWrites = (character, all) => {
    const found = other(all, character)
    return found === undefined || found === character ? [] : [found]
  }
  characters.replaced = (old, next) => {
    diverted = typeof target === 'string' && target !== old.id && target.startsWith('chr_') ? old : undefined
    return diverted === undefined ? next : { name: old.name, configuration: old.configuration }
  }
}

function tokensOfWorkspace({ access, characters: { list } }: Behaviour): void {
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

/** Characters and what starts from them, where a save, a start or a page of a list is not the first of its kind. */
export const overlookedCharacterDefects = defectsOf('characters', {
  'list.item-resolution~text-chat': [
    'A text_chat character that stores an output has no resolution in List.',
    ({ characters: { views } }) => {
      const { resolution } = views.summary
      views.summary['resolution'] = (character) =>
        modeOf(character) === 'text_chat' ? undefined : resolution?.(character)
    },
  ],
  'session.recording-off-accepted~refused': [
    'A start refuses recording_mode off.',
    ({ rules }) => {
      const table: Record<string, (typeof rules.start.body)['avatars-sent']> = rules.start.body
      demand(
        table,
        'recording-off',
        rule('4.1', 'recording_mode', ({ body }) => body['recording_mode'] === 'off'),
      )
    },
  ],
  'session.model-supplied~dropped': [
    'A start of a character without a model is refused though it brings one.',
    ({ characters: { sessions } }) => {
      const { body } = sessions
      sessions.body = (saved, sent, combination) => {
        const { model, ...rest } = body(saved, sent, combination)
        return saved['model'] === undefined ? rest : { model, ...rest }
      }
    },
  ],
  'list.no-empty-last-page~exactly-full': [
    'A last page that is exactly full has a token.',
    ({ characters: { list } }) => {
      list.cut = (following, size) => {
        const characters = following.slice(0, size)
        return { characters, after: following.length >= size ? characters.at(-1)?.serial : undefined }
      }
    },
  ],
  'configuration.idempotency-key-not-saved~binds': [
    'A key sent on save is kept unseen and binds the starts that send none.',
    ({ characters }) => {
      const { stored, views, sessions } = characters
      characters.stored = (body, operation) => {
        const key = body['idempotency_key']
        return { ...stored(body, operation), ...(key === undefined ? {} : { idempotency_key: key }) }
      }
      views.configuration = ({ configuration: { idempotency_key: _key, ...shown } }) => shown
      sessions.touches = ({ configuration }, sent) => {
        const key = configuration['idempotency_key']
        if (sent['idempotency_key'] === undefined && key !== undefined) sent['idempotency_key'] = key
      }
    },
  ],
  'replace.leaves-others~id-in-body': ['A replace writes the character that its body names.', putByBody],
  'session.auto-close-applies-later~first-start': [
    'What a character was at its first start is what all later starts use.',
    ({ characters: { sessions } }) => {
      const first = new WeakMap<Character, Wire>()
      sessions.saved = (character) => {
        const known = first.get(character) ?? character.configuration
        first.set(character, known)
        return known
      }
    },
  ],
  'replace.nested-gone~conversation': [
    'Within conversation keys that a replace omits survive.',
    ({ characters }) => {
      characters.replaced = (old, next) => {
        const [was, is] = [old.configuration['conversation'], next.configuration['conversation']]
        if (!isWire(was) || !isWire(is)) return next
        return { ...next, configuration: { ...next.configuration, conversation: { ...was, ...is } } }
      }
    },
  ],
  'session.max-duration-below-auto-close~passes': [
    'A start with a duration below the saved timeouts is taken as it is.',
    ({ rules }) => waive(rules.start.session, 'disconnected-over-duration', 'idle-over-duration'),
  ],
  'list.hides-deleted~later-pages': [
    'Pages reached by a token show deleted characters.',
    ({ characters: { list } }) => {
      const { cut } = list
      list.lists = () => true
      list.cut = (following, size, start) =>
        cut(start === undefined ? following.filter(({ deleted }) => !deleted) : following, size, start)
    },
  ],
  'scope.page-token-opens-no-other-workspace~names-it': [
    "A page_token lists its own workspace, whoever's key comes with it.",
    tokensOfWorkspace,
  ],
})
