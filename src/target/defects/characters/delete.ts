import type { Behaviour } from '#target/behaviour/behaviour'
import type { Character } from '#target/characters/character'
import type { Session } from '#target/sessions/session'
import { drop, put } from '../paths.ts'
import { rule } from '#target/behaviour/rules/rule'
import { demand } from '#target/behaviour/rules/waive'
import { defectsOf } from '../table.ts'
import { onData } from '../tools.ts'
import { START } from './tools.ts'

const DELETE = 'delete-character'

/** An operation that finds deleted characters, too. */
const finds =
  (operation: string) =>
  ({ characters }: Behaviour): void => {
    const { found } = characters
    characters.found = (character, asked) => asked === operation || found(character, asked)
  }

/** The sessions whose character was deleted. */
function orphans({ characters }: Behaviour): ReadonlySet<Session> {
  const known = new Set<Session>()
  characters.interrupts = (session) => {
    known.add(session)
    return false
  }
  return known
}

const answerDefects = defectsOf('characters', {
  'delete.accepted': [
    'A delete is refused.',
    ({ access }) => void (access.turnsAway = (operation) => (operation === DELETE ? '10009' : undefined)),
  ],
  'delete.status-deleted': ['A delete returns `deleting`.', (b) => onData(b, DELETE, put('status', 'deleting'))],
  'delete.status-deleted~absent': ['A delete returns no status.', (b) => onData(b, DELETE, drop('status'))],
  'delete.character-id': ['A delete returns no id.', (b) => onData(b, DELETE, drop('character_id'))],
  'delete.leaves-others': [
    'A delete takes the characters along that were made before and after.',
    ({ characters }) =>
      void (characters.alsoDeletes = (character, all) =>
        all.filter(
          ({ account, serial }) => account === character.account && Math.abs(serial - character.serial) === 1,
        )),
  ],
  'delete.unknown-rejected': [
    'A delete of an unknown character is confirmed.',
    ({ characters }) =>
      void (characters.madeUp = (id, operation) =>
        operation === DELETE ? { character_id: id, status: 'deleted' } : undefined),
  ],
})

const gone = defectsOf('characters', {
  'deleted.get-rejected': ['Get finds deleted characters.', finds('get-character')],
  'deleted.replace-rejected': ['Replace finds deleted characters.', finds('replace-character')],
  'deleted.replace-revives-nothing': [
    'A replace of a deleted character is refused and brings it back.',
    ({ characters }) => {
      const { found } = characters
      characters.found = (character, operation) => {
        const known = found(character, operation)
        if (operation === 'replace-character') character.deleted = false
        return known
      }
    },
  ],
  'deleted.delete-rejected': ['A second delete is confirmed.', finds(DELETE)],
  'deleted.starts-no-session': ['A start finds deleted characters.', finds(START)],
  'deleted.starts-no-session~started': [
    'A deleted character that was started once can be started again.',
    ({ characters }) => {
      const { found, sessions } = characters
      const started = new Set<Character>()
      const { saved } = sessions
      sessions.saved = (character) => {
        if (!character.deleted) started.add(character)
        return saved(character)
      }
      characters.found = (character, operation) =>
        found(character, operation) || (operation === START && started.has(character))
    },
  ],
})

const runningDefects = defectsOf('characters', {
  'deleted.running-session-kept': [
    'A delete closes the sessions of its character.',
    ({ characters }) => void (characters.interrupts = () => true),
  ],
  'deleted.running-session-admits': [
    'A delete ends the secrets of running sessions.',
    (b) => {
      const orphaned = orphans(b)
      const { admission } = b.channel
      const { 'session-closed': closed } = admission
      admission['session-closed'] = (attempt) =>
        closed(attempt) || (attempt.session !== undefined && orphaned.has(attempt.session))
    },
  ],
  'deleted.running-session-speaks': [
    'A session whose character was deleted has no responses.',
    (b) => {
      const orphaned = orphans(b)
      const silent = rule('4.4', 'response', ({ session }: { session: Session }) => orphaned.has(session))
      demand(b.rules.responseCreate, 'refused-by-defect', silent)
    },
  ],
})

export const deleteDefects = [...answerDefects, ...gone, ...runningDefects]
