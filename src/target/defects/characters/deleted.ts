import type { Behaviour, Override } from '#target/behaviour/behaviour'
import { validation } from '#target/behaviour/validations/input-validation'
import { demand } from '#target/behaviour/validations/waive'
import type { Character } from '#target/characters/character'
import { around, remembering, set } from '#target/overrides/operators'
import type { Session } from '#target/sessions/session'
import { DELETE, REPLACE, START } from '../tools/characters.ts'
import { defectsOf } from '../tools/table.ts'

/** An operation that finds deleted characters, too. */
const finds = (operation: string): Override =>
  around('characters.found', (found) => (character, asked) => asked === operation || found(character, asked))

/** The sessions whose character was deleted. */
function orphans({ characters }: Behaviour): ReadonlySet<Session> {
  const known = new Set<Session>()
  characters.interrupts = (session) => {
    known.add(session)
    return false
  }
  return known
}

const closeAllButOldest: Override = around('characters.interrupts', () => {
  const spared = new Map<string, Session>()
  return (session) => {
    const id = session.plan.characterId ?? ''
    if (session.status !== 'active') return false
    if (spared.has(id)) return true
    spared.set(id, session)
    return false
  }
})

/** What was replaced so often, or while a session of it ran, is found by an operation though it is deleted. */
const findsWhere = (operation: string, is: (character: Character, known: Marks) => boolean): Override =>
  remembering(() => {
    const known: Marks = { replaces: new Map(), started: new Set() }
    return [
      around('characters.restamped', (restamped) => (character, now) => {
        known.replaces.set(character.id, (known.replaces.get(character.id) ?? 0) + 1)
        return restamped(character, now)
      }),
      around('characters.reaches', (reaches) => (session, character) => {
        if (session.status === 'active') known.started.add(character.id)
        return reaches(session, character)
      }),
      around(
        'characters.found',
        (found) => (character, asked) => found(character, asked) || (asked === operation && is(character, known)),
      ),
    ]
  })

/** By id: how often a character was replaced, and which ones were while a session of theirs ran. */
interface Marks {
  readonly replaces: Map<string, number>
  readonly started: Set<string>
}

export const deletedDefects = defectsOf('characters.deleted', {
  'get-rejected: Get finds deleted characters.': finds('get-character'),
  'get-rejected~replaced-twice: Get finds a deleted character that was replaced twice.': findsWhere(
    'get-character',
    ({ id }, { replaces }) => (replaces.get(id) ?? 0) > 1,
  ),
  'get-rejected~kept: A delete is confirmed and nothing happens.': set('characters.deleted', () => undefined),
  'replace-rejected: Replace finds deleted characters.': finds('replace-character'),
  'replace-rejected~started: Replace finds a deleted character that was replaced while a session of it ran.':
    findsWhere(REPLACE, ({ id }, { started }) => started.has(id)),
  'replace-revives-nothing~under-way: A replace that is under way when its character is deleted brings it back.': [
    set('characters.writeMs', 5),
    around('characters.replaced', (replaced) => (old, next) => Object.assign(replaced(old, next), { deleted: false })),
  ],
  'replace-revives-nothing: A replace of a deleted character is refused and brings it back.': around(
    'characters.found',
    (found) => (character, operation) => {
      const known = found(character, operation)
      if (operation === 'replace-character') character.deleted = false
      return known
    },
  ),
  'delete-rejected: A second delete is confirmed.': finds(DELETE),
  'starts-no-session: A start finds deleted characters.': finds(START),
  'starts-no-session~started: A deleted character that was started once can be started again.': remembering(() => {
    const started = new Set<Character>()
    return [
      around('characters.sessions.saved', (saved) => (character) => {
        if (!character.deleted) started.add(character)
        return saved(character)
      }),
      around(
        'characters.found',
        (found) => (character, operation) =>
          found(character, operation) || (operation === START && started.has(character)),
      ),
    ]
  }),
  'starts-no-session~replaced: A deleted character that was replaced while a session of it ran starts another one.':
    findsWhere(START, ({ id }, { started }) => started.has(id)),
  'starts-no-session~second: A deleted character is refused once; the second attempt starts it.': around(
    'characters.found',
    (found) => {
      const refused = new WeakSet<Character>()
      return (character, operation) => {
        const starts = operation === 'create-session-from-character'
        if (!starts || !character.deleted) return found(character, operation)
        if (refused.has(character)) return true
        refused.add(character)
        return false
      }
    },
  ),
  'running-session-kept: A delete closes the sessions of its character.': set('characters.interrupts', () => true),
  'running-session-kept~later: A second after a delete the sessions of its character are closed.': [
    set('characters.interrupts', () => true),
    set('characters.interruptsAfterMs', 1_000),
  ],
  'running-session-kept~second: Delete closes all sessions of the character but the oldest.': closeAllButOldest,
  'running-session-admits: A delete ends the secrets of running sessions.': (b) => {
    const orphaned = orphans(b)
    const { admission } = b.channel
    const { 'session-closed': closed } = admission
    admission['session-closed'] = (attempt) =>
      closed(attempt) || (attempt.session !== undefined && orphaned.has(attempt.session))
  },
  'running-session-speaks: A session whose character was deleted has no responses.': (b) => {
    const orphaned = orphans(b)
    const silent = validation('4.4', 'response', ({ session }: { session: Session }) => orphaned.has(session))
    demand(b.validations.responseCreate, 'refused-by-defect', silent)
  },
})
