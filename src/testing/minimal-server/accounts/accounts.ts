import { randomBytes } from 'node:crypto'
import type { Settings } from '../options.ts'
import { RateWindow } from './rate-window.ts'
import { Refusal } from '../refusal.ts'

export const keyNames = [
  'primary',
  'same_workspace',
  'other_workspace',
  'billing_inactive',
  'insufficient_balance',
  'access_denied',
  'rate_limited',
  'capped',
  'capacity_exhausted',
] as const

export type KeyName = (typeof keyNames)[number]

/** One API key: the workspace it identifies, its limits, and what stands in the way of a create. */
export interface Account {
  workspace: string
  limit: number
  cap: number
  window: RateWindow
  obstacle: (() => Refusal) | undefined
}

const obstacles: Partial<Record<KeyName, () => Refusal>> = {
  billing_inactive: () => new Refusal(10004, 'workspace billing is not active'),
  insufficient_balance: () => new Refusal(10005, 'insufficient workspace balance'),
  access_denied: () => new Refusal(10009, 'api access denied'),
  capacity_exhausted: () => new Refusal(30008, 'model resource capacity exceeded', 429),
}

function openAccount(name: KeyName, settings: Settings): Account {
  const limit = name === 'rate_limited' ? settings.rate_limited_per_minute : settings.requests_per_minute
  return {
    workspace: name === 'same_workspace' ? 'primary' : name,
    limit,
    cap: name === 'capped' ? 1 : settings.concurrent_sessions,
    window: new RateWindow(limit),
    obstacle: obstacles[name],
  }
}

/** A record with one value a key name. */
export function eachKey<T>(value: (name: KeyName) => T): Record<KeyName, T> {
  return {
    primary: value('primary'),
    same_workspace: value('same_workspace'),
    other_workspace: value('other_workspace'),
    billing_inactive: value('billing_inactive'),
    insufficient_balance: value('insufficient_balance'),
    access_denied: value('access_denied'),
    rate_limited: value('rate_limited'),
    capped: value('capped'),
    capacity_exhausted: value('capacity_exhausted'),
  }
}

export interface Accounts {
  keys: Record<KeyName, string>
  byName: Record<KeyName, Account>
  /** Finds the account of an `Authorization` header. Throws 10001, 10003 or 10008. */
  admit(authorization: string | undefined): Account
}

function admit(byKey: ReadonlyMap<string, Account>, authorization: string | undefined): Account {
  const [scheme = '', key = ''] = (authorization ?? '').trim().split(/\s+/)
  if (key === '') throw new Refusal(10001, 'missing api key')
  const account = scheme.toLowerCase() === 'bearer' ? byKey.get(key) : undefined
  if (account === undefined) throw new Refusal(10003, 'invalid api key')
  const wait = account.window.spend()
  if (wait > 0) throw new Refusal(10008, 'API rate limit exceeded', 429, { 'retry-after': String(wait) })
  return account
}

export function openAccounts(settings: Settings): Accounts {
  const keys = eachKey(() => `minimal.${randomBytes(18).toString('hex')}`)
  const byName = eachKey((name) => openAccount(name, settings))
  const byKey = new Map(keyNames.map((name) => [keys[name], byName[name]]))
  return { keys, byName, admit: (authorization) => admit(byKey, authorization) }
}
