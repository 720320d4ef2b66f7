import type { Account } from '../keys.ts'
import { isWire, textOf, type Wire } from '../wire.ts'
import { change } from './paths.ts'
import { defectsOf } from './table.ts'
import { onCreated } from './tools.ts'

const byAnyOf = (secret: string, accounts: Account[], fits: (known: string) => boolean): Account | undefined =>
  accounts.find((account) => account.secret === secret || fits(account.secret))

const keyDefects = defectsOf('authentication', {
  'api-key.bearer-admitted': [
    'Get admits no key at all.',
    ({ access }) => void (access.turnsAway = (operation) => (operation.startsWith('get') ? '10003' : undefined)),
  ],
  'header-required.avatar-sessions': [
    'List asks for no key.',
    ({ access }) => access.open.push('list-avatar-sessions'),
  ],
  'header-required.avatar-sessions~get': [
    'Get asks for no key.',
    ({ access }) => access.open.push('get-avatar-session'),
  ],
  'missing-key.avatar-sessions': [
    'A close without a key is answered like one with a wrong key.',
    ({ access }) => void (access.missingKey = (operation) => (operation.startsWith('close') ? '10003' : '10001')),
  ],
  'invalid-key.avatar-sessions': [
    'Get takes any key for a good one.',
    ({ access }) => access.trusting.push('get-avatar-session'),
  ],
  'invalid-key.near-miss': [
    'A key counts by its beginning.',
    ({ access }) => {
      access.accountOf = (secret, accounts) =>
        byAnyOf(
          secret,
          accounts,
          (known) => secret.length >= known.length - 4 && (known.startsWith(secret) || secret.startsWith(known)),
        )
    },
  ],
  'missing-key.empty-token': [
    'An empty key opens everything.',
    ({ access }) => {
      const { credential, accountOf } = access
      access.credential = (authorization, headers) =>
        /^bearer *$/iu.test(authorization ?? '') ? '' : credential(authorization, headers)
      access.accountOf = (secret, accounts, sessions) =>
        secret === '' ? accounts[0] : accountOf(secret, accounts, sessions)
    },
  ],
  'api-key.other-scheme-rejected': [
    'Any scheme will do.',
    ({ access }) => void (access.credential = (authorization) => /^\w+ +(\S+)$/u.exec(authorization ?? '')?.[1]),
  ],
  'api-key.bare-key-rejected': [
    'The scheme may be left out.',
    ({ access }) =>
      void (access.credential = (authorization) => /^(?:bearer +)?(\S+)$/iu.exec(authorization ?? '')?.[1]),
  ],
  'api-key.other-header-rejected': [
    'Another header brings the key too.',
    ({ access }) => {
      const { credential } = access
      access.credential = (authorization, headers) => {
        const names = ['x-api-key', 'api-key', 'apikey', 'x-authorization', 'x-auth-token', 'proxy-authorization']
        const other = names.map((name) => headers[name]).find((value) => typeof value === 'string')
        return credential(authorization, headers) ?? textOf(other)?.replace(/^bearer +/iu, '')
      }
    },
  ],
  'missing-key.changes-nothing': [
    'A close without a key is refused and carried out.',
    ({ access }) =>
      void (access.actsFirst = (operation, credential) => operation.startsWith('close') && credential === undefined),
  ],
  'invalid-key.changes-nothing': [
    'A close with a wrong key is refused and carried out.',
    ({ access }) =>
      void (access.actsFirst = (operation, credential) => operation.startsWith('close') && credential !== undefined),
  ],
  'api-key.control-secret-rejected': [
    'A control secret works as an API key.',
    ({ access }) => {
      const { accountOf } = access
      access.accountOf = (secret, accounts, sessions) =>
        accountOf(secret, accounts, sessions) ?? [...sessions].find((session) => session.secret === secret)?.account
    },
  ],
  'api-key.never-echoed': [
    'A failure repeats the key that came.',
    ({ http }) => {
      http.dress = (envelope, _operation, headers) =>
        envelope['code'] === 0
          ? envelope
          : { ...envelope, message: `${String(envelope['message'])}, asked with ${headers.authorization ?? 'nothing'}` }
    },
  ],
})

const standingDefects = defectsOf('authentication', {
  'access.denied-key-10009': [
    'A key without access may create.',
    ({ access }) => void (access.permission = () => undefined),
  ],
  'billing.inactive-workspace-rejected': [
    'Inactive billing does not matter.',
    ({ access }) => void (access.billing = (state) => (state === 'insufficient_balance' ? '10005' : undefined)),
  ],
  'billing.insufficient-balance-rejected': [
    'An empty balance does not matter.',
    ({ access }) => void (access.billing = (state) => (state === 'billing_inactive' ? '10004' : undefined)),
  ],
})

const withSecret = (data: Wire, secret: (old: unknown) => unknown): Wire =>
  isWire(data['control']) ? change('control.client_secret', secret)(data) : data

const secretDefects = defectsOf('authentication', {
  'control-secret.unique-per-session': [
    'All sessions share a secret.',
    ({ ids }) => void (ids.secret = (_random, account) => `cs_${account.workspace.repeat(6)}`),
  ],
  'control-secret.other-than-api-key': [
    'The control secret is the API key.',
    ({ ids }) => void (ids.secret = (_random, account) => account.secret),
  ],
  'control-secret.replay-keeps-secret': [
    'Each answer for an idempotency key shows another secret.',
    (b) => {
      let count = 0
      const shown = new Set<unknown>()
      onCreated(b, (data) =>
        withSecret(data, (old) => {
          const first = !shown.has(old)
          shown.add(old)
          count += 1
          return first ? old : `${String(old)}${count}`
        }),
      )
    },
  ],
})

export const authenticationDefects = [...keyDefects, ...standingDefects, ...secretDefects]
