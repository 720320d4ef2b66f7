import type { Override } from '#target/behaviour/behaviour'
import type { Account } from '#target/keys'
import { change } from '#target/overrides/changes'
import { onCreated } from '#target/overrides/data'
import { append, around, remembering, set } from '#target/overrides/operators'
import { isWire, textOf, type JsonObject } from '#target/wire'
import { START } from './tools/characters.ts'
import { defectsOf, type Rows } from './tools/table.ts'

const byAnyOf = (secret: string, accounts: Account[], fits: (known: string) => boolean): Account | undefined =>
  accounts.find((account) => account.secret === secret || fits(account.secret))

const withSecret = (data: JsonObject, secret: (old: unknown) => unknown): JsonObject =>
  isWire(data['control']) ? change('control.client_secret', secret)(data) : data

const EDGE = 8

/** Operations of which each may forget 5.1 and 5.5 alone, by what they are about. */
const GROUPS: Readonly<Record<string, readonly string[]>> = {
  'audio-files': ['upload-audio'],
  voices: ['list-voices', 'get-voice', 'clone-voice'],
  'world-sessions': ['create-client-secret', 'get-world-session', 'create-world-session', 'close-world-session'],
}

/** The same mistake in one of these operations at a time. */
const inOneOperation = (what: string, changed: (operation: string) => Override): Rows =>
  Object.fromEntries(
    Object.entries(GROUPS).flatMap(([group, operations]) =>
      operations.map((operation, place): [string, Override] => {
        const variant = place === 0 ? '' : `~${operation.split('-')[0]}`
        return [`${group}${variant}: \`${operation}\` ${what}`, changed(operation)]
      }),
    ),
  )

export const apiKeyDefects = defectsOf('authentication.api-key', {
  'bearer-admitted: Get admits no key at all.': set('access.turnsAway', (operation) =>
    operation.startsWith('get') ? '10003' : undefined,
  ),
  'other-scheme-rejected: Any scheme will do.': set(
    'access.credential',
    (authorization) => /^\w+ +(\S+)$/u.exec(authorization ?? '')?.[1],
  ),
  'bare-key-rejected: The scheme may be left out.': set(
    'access.credential',
    (authorization) => /^(?:bearer +)?(\S+)$/iu.exec(authorization ?? '')?.[1],
  ),
  'other-header-rejected: Another header brings the key too.': around(
    'access.credential',
    (credential) => (authorization, headers) => {
      const names = ['x-api-key', 'api-key', 'apikey', 'x-authorization', 'x-auth-token', 'proxy-authorization']
      const other = names.map((name) => headers[name]).find((value) => typeof value === 'string')
      return credential(authorization, headers) ?? textOf(other)?.replace(/^bearer +/iu, '')
    },
  ),
  'control-secret-rejected: A control secret works as an API key.': around(
    'access.accountOf',
    (accountOf) => (secret, accounts, sessions, operation) =>
      accountOf(secret, accounts, sessions, operation) ??
      [...sessions].find((session) => session.secret === secret)?.account,
  ),
  'never-echoed: A failure repeats the key that came.': set('http.dress', (envelope, _operation, headers) =>
    envelope['code'] === 0
      ? envelope
      : { ...envelope, message: `${String(envelope['message'])}, asked with ${headers.authorization ?? 'nothing'}` },
  ),
  'never-echoed~event: An item that is created is told with the API key of its session.': append(
    'outgoing',
    (event, session) => [
      event['type'] === 'conversation.item.created' ? { ...event, owner: session.account.secret } : event,
    ],
  ),
})

export const headerRequiredDefects = defectsOf('authentication.header-required', {
  'avatar-sessions: List asks for no key.': append('access.open', 'list-avatar-sessions'),
  'avatar-sessions~get: Get asks for no key.': append('access.open', 'get-avatar-session'),
  'characters: List Characters asks for no key.': append('access.open', 'list-characters'),
  'characters~replace: Replace asks for no key.': append('access.open', 'replace-character'),
  'character-sessions: A start asks for no key.': append('access.open', START),
  ...inOneOperation('asks for no key.', (operation) => append('access.open', operation)),
})

export const missingKeyDefects = defectsOf('authentication.missing-key', {
  'avatar-sessions: A close without a key is answered like one with a wrong key.': set(
    'access.missingKey',
    (operation) => (operation.startsWith('close') ? '10003' : '10001'),
  ),
  'empty-token: An empty key opens everything.': [
    around(
      'access.credential',
      (credential) => (authorization, headers) =>
        /^bearer *$/iu.test(authorization ?? '') ? '' : credential(authorization, headers),
    ),
    around(
      'access.accountOf',
      (accountOf) =>
        (secret, ...more) =>
          secret === '' ? more[0][0] : accountOf(secret, ...more),
    ),
  ],
  'changes-nothing: A close without a key is refused and carried out.': set(
    'access.actsFirst',
    (operation, credential) => operation.startsWith('close') && credential === undefined,
  ),
  'changes-nothing~world: A close of a world session without a key is refused and carried out.': set(
    'access.actsFirst',
    (operation, credential) => operation === 'close-world-session' && credential === undefined,
  ),
  'leaves-character: A replace of a character without a key is refused and carried out.': set(
    'access.actsFirst',
    (operation, credential) => operation === 'replace-character' && credential === undefined,
  ),
  'leaves-character~delete: A delete of a character without a key is refused and carried out.': set(
    'access.actsFirst',
    (operation, credential) => operation === 'delete-character' && credential === undefined,
  ),
  'characters: A delete without a key is answered like one with a wrong key.': around(
    'access.missingKey',
    (missingKey) => (operation) => (operation === 'delete-character' ? '10003' : missingKey(operation)),
  ),
  'character-sessions: A start without a key is answered like one with a wrong key.': around(
    'access.missingKey',
    (missingKey) => (operation) => (operation === START ? '10003' : missingKey(operation)),
  ),
  ...inOneOperation('answers a missing key like a wrong one.', (operation) =>
    around('access.missingKey', (missingKey) => (asked) => (asked === operation ? '10003' : missingKey(asked))),
  ),
})

export const invalidKeyDefects = defectsOf('authentication.invalid-key', {
  'avatar-sessions: Get takes any key for a good one.': append('access.trusting', 'get-avatar-session'),
  'near-miss: A key counts by its beginning.': set('access.accountOf', (secret, accounts) =>
    byAnyOf(
      secret,
      accounts,
      (known) => secret.length >= known.length - 4 && (known.startsWith(secret) || secret.startsWith(known)),
    ),
  ),
  'near-miss~case: Keys are compared without regard to case.': set('access.accountOf', (secret, accounts) =>
    accounts.find((account) => account.secret.toLowerCase() === secret.toLowerCase()),
  ),
  'near-miss~middle: A key counts by its length, its beginning and its end.': set(
    'access.accountOf',
    (secret, accounts) =>
      accounts.find(
        ({ secret: known }) =>
          known.length === secret.length &&
          known.startsWith(secret.slice(0, EDGE)) &&
          known.endsWith(secret.slice(-EDGE)),
      ),
  ),
  'changes-nothing: A close with a wrong key is refused and carried out.': set(
    'access.actsFirst',
    (operation, credential) => operation.startsWith('close') && credential !== undefined,
  ),
  'changes-nothing~world: A close of a world session with a wrong key is refused and carried out.': set(
    'access.actsFirst',
    (operation, credential) => operation === 'close-world-session' && credential !== undefined,
  ),
  'leaves-character: A replace of a character with a wrong key is refused and carried out.': set(
    'access.actsFirst',
    (operation, credential) => operation === 'replace-character' && credential !== undefined,
  ),
  'leaves-character~delete: A delete of a character with a wrong key is refused and carried out.': set(
    'access.actsFirst',
    (operation, credential) => operation === 'delete-character' && credential !== undefined,
  ),
  'characters: Get Character takes any key for a good one.': append('access.trusting', 'get-character'),
  'character-sessions: A start takes any key for a good one.': append('access.trusting', START),
  'voices~beginning: `list-voices` takes a key that begins as one does.': around(
    'access.accountOf',
    (accountOf) => (secret, accounts, sessions, operation) =>
      operation === 'list-voices'
        ? byAnyOf(secret, accounts, (known) => secret.startsWith(known.slice(0, -2)))
        : accountOf(secret, accounts, sessions, operation),
  ),
  'avatar-sessions~capitals: `get-avatar-session` compares keys without regard to case.': around(
    'access.accountOf',
    (accountOf) => (secret, accounts, sessions, operation) =>
      operation === 'get-avatar-session'
        ? byAnyOf(secret, accounts, (known) => secret.toLowerCase() === known.toLowerCase())
        : accountOf(secret, accounts, sessions, operation),
  ),
  ...inOneOperation('takes any key for a good one.', (operation) => append('access.trusting', operation)),
})

export const accessDefects = defectsOf('authentication.access', {
  'denied-key-10009: A key without access may create.': set('access.permission', () => undefined),
  'denied-key-10009~world: A key without access may create world sessions.': set(
    'world.create.skips',
    (step, state) => step === 'permission' && state === 'access_denied',
  ),
  'denied-key-10009~clone: A key without access may clone voices.': set('access.granted', []),
})

export const billingDefects = defectsOf('authentication.billing', {
  'inactive-workspace-rejected: Inactive billing does not matter.': set('access.billing', (state) =>
    state === 'insufficient_balance' ? '10005' : undefined,
  ),
  'insufficient-balance-rejected: An empty balance does not matter.': set('access.billing', (state) =>
    state === 'billing_inactive' ? '10004' : undefined,
  ),
})

export const controlSecretDefects = defectsOf('authentication.control-secret', {
  'unique-per-session: All sessions share a secret.': set(
    'ids.secret',
    (_random, account) => `cs_${account.workspace.repeat(6)}`,
  ),
  'other-than-api-key: The control secret is the API key.': set('ids.secret', (_random, account) => account.secret),
  'replay-keeps-secret: Each answer for an idempotency key shows another secret.': remembering(() => {
    let count = 0
    const shown = new Set<unknown>()
    return onCreated((data) =>
      withSecret(data, (old) => {
        const first = !shown.has(old)
        shown.add(old)
        count += 1
        return first ? old : `${String(old)}${count}`
      }),
    )
  }),
  'replay-keeps-secret~opens-nothing: The answer to a repeated create shows a secret that opens nothing.': around(
    'views.replayed.control',
    (control) => (session, address) => ({
      ...Object(control?.(session, address)),
      client_secret: `cs_stale_${session.id}`,
    }),
  ),
})
