import type { Behaviour } from '#target/behaviour/behaviour'
import type { CreateStep } from '#target/behaviour/create'
import { rule } from '#target/behaviour/rules/rule'
import { demand } from '#target/behaviour/rules/waive'
import type { KeyState } from '#target/keys'
import type { Session } from '#target/sessions/session'
import { type Wire, wiresAt } from '#target/wire'
import { defectsOf } from '../table.ts'
import { isStarted, onStarted, START } from './tools.ts'

type Override = (behaviour: Behaviour) => void

/** A start of a key in this state passes a step unlooked at. */
const skips =
  (step: CreateStep, state: KeyState): Override =>
  ({ create }) =>
    void (create.skips = (operation, one, of) => operation === START && one === step && of === state)

/** An operation does not find sessions from characters. */
const hidden =
  (operation: string): Override =>
  ({ access }) => {
    const { seesSession } = access
    access.seesSession = (session, asked) => seesSession(session, asked) && !(asked === operation && isStarted(session))
  }

const gateDefects = defectsOf('characters', {
  'session.access-denied-10009': ['A key without access may start characters.', skips('permission', 'access_denied')],
  'session.billing-inactive-rejected': ['A start asks for no billing.', skips('billing', 'billing_inactive')],
  'session.balance-insufficient-rejected': ['A start asks for no balance.', skips('billing', 'insufficient_balance')],
})

const keyDefects = defectsOf('characters', {
  'session.retry-same-session': [
    'A start has no idempotency key.',
    ({ idempotency }) => {
      let count = 0
      const { named } = idempotency
      idempotency.named = (operation, key) => {
        count += 1
        return named(operation, operation === START ? `${key}\n${count}` : key)
      }
    },
  ],
  'session.concurrent-one-session': [
    'A key counts only when its start is done.',
    ({ idempotency, create }) => {
      idempotency.joinsInFlight = false
      create.allocationMs = 120
    },
  ],
  'session.other-key-other-session': [
    'Keys of a start count by their beginning.',
    ({ idempotency }) => {
      const { named } = idempotency
      idempotency.named = (operation, key) => named(operation, operation === START ? key.slice(0, 6) : key)
    },
  ],
  'session.without-key-new-session': [
    'A start without key repeats the last one.',
    ({ idempotency }) => {
      let count = 0
      const { named } = idempotency
      idempotency.keyless = 'none'
      idempotency.named = (operation, key) => {
        count += 1
        return named(operation, operation !== START && key === 'none' ? `${key}\n${count}` : key)
      }
    },
  ],
  'session.key-scoped-to-workspace': [
    'Keys are shared by all workspaces.',
    ({ idempotency }) => void (idempotency.scope = (_account, key) => key),
  ],
  'session.several-from-one': [
    'A start of a character that was started returns its first session.',
    (b) => {
      let current = ''
      const first = new Map<string, Wire>()
      b.characters.sessions.touches = ({ id }) => {
        current = id
      }
      onStarted(b, (data) => {
        const known = first.get(current) ?? data
        first.set(current, known)
        return known
      })
    },
  ],
  'session.several-from-one~secret': [
    'Sessions of a workspace share a secret.',
    ({ ids }) =>
      void (ids.secret = (_random, { workspace }) => `cs_${Buffer.from(workspace.repeat(6)).toString('hex')}`),
  ],
})

const reachDefects = defectsOf('characters', {
  'session.found-by-get': ['Get finds no session from a character.', hidden('get-avatar-session')],
  'session.closes': ['Close finds no session from a character.', hidden('close-avatar-session')],
  'session.admits-control': [
    'No secret of a session from a character is admitted.',
    ({ channel: { admission } }) => {
      const { 'token-wrong': wrong } = admission
      admission['token-wrong'] = (attempt) =>
        wrong(attempt) || (attempt.session !== undefined && isStarted(attempt.session))
    },
  ],
  'session.control-knows-avatars': [
    'A session from a character keeps its first active avatar.',
    ({ rules }) =>
      demand(
        rules.sessionUpdate,
        'refused-by-defect',
        rule('4.4', 'session.active_avatar_id', ({ asked, session }) => {
          const active = asked['active_avatar_id']
          return isStarted(session) && active !== undefined && active !== session.plan.state.activeAvatarId
        }),
      ),
  ],
  'session.control-speaks': [
    'A session from a character has no responses.',
    ({ rules }) =>
      demand(
        rules.responseCreate,
        'refused-by-defect',
        rule('4.4', 'response', ({ session }: { session: Session }) => isStarted(session)),
      ),
  ],
  'session.control-unknown-avatar-error': [
    'A session from a character takes any avatar.',
    ({ rules }) => {
      const unknown = rules.sessionUpdate['active-avatar-unknown']
      const { broken } = unknown
      unknown.broken = (input) => broken(input) && !isStarted(input.session)
    },
  ],
})

/** Gives a session the avatars of the record. */
function takeOver(session: Session, configuration: Wire): void {
  session.avatars.splice(0, session.avatars.length, ...wiresAt(configuration, 'avatars'))
}

const editDefects = defectsOf('characters', {
  'session.edit-leaves-running': [
    'A replace gives its avatars to running sessions.',
    ({ characters }) =>
      void (characters.reaches = (session, { configuration }) => {
        takeOver(session, configuration)
        return false
      }),
  ],
  'session.edit-leaves-running-auto-close': [
    'A replace gives its timeouts to running sessions.',
    ({ characters, create, limits }) =>
      void (characters.reaches = (session, { configuration }) => {
        Object.assign(session.plan.autoClose, create.autoClose(configuration, limits, session.plan.maxDurationSeconds))
        return true
      }),
  ],
  'session.edit-applies-later': [
    'A start takes the configuration that was saved first.',
    ({ characters }) => {
      const first = new Map<string, Wire>()
      const { replaced, sessions } = characters
      const { saved } = sessions
      characters.replaced = (old, next) => {
        if (!first.has(old.id)) first.set(old.id, old.configuration)
        return replaced(old, next)
      }
      sessions.saved = (character) => first.get(character.id) ?? saved(character)
    },
  ],
  'session.edit-applies-later~started': [
    'A start takes the configuration of the first start.',
    ({ characters: { sessions } }) => {
      const first = new Map<string, Wire>()
      const { saved } = sessions
      sessions.saved = (character) => {
        const known = first.get(character.id) ?? saved(character)
        first.set(character.id, known)
        return known
      }
    },
  ],
  'session.auto-close-applies-later': [
    'A start takes the timeouts that were saved first.',
    ({ characters }) => {
      const first = new Map<string, unknown>()
      const { replaced, sessions } = characters
      const { saved } = sessions
      characters.replaced = (old, next) => {
        if (!first.has(old.id)) first.set(old.id, old.configuration['auto_close'])
        return replaced(old, next)
      }
      sessions.saved = (character) =>
        first.has(character.id) ? { ...saved(character), auto_close: first.get(character.id) } : saved(character)
    },
  ],
})

export const sessionLifeDefects = [...gateDefects, ...keyDefects, ...reachDefects, ...editDefects]
