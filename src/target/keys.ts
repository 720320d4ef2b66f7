import { type KeyName, keyNames } from '#spec/profile'
import type { Random } from './random.ts'

export { type KeyName, keyNames as KEY_NAMES }

/** What stands in the way of creating with a key (5.5, 5.6, 30008 of section 7). */
export type KeyState = 'granted' | 'billing_inactive' | 'insufficient_balance' | 'access_denied' | 'capacity_exhausted'

/** One API key and the workspace it identifies (1.6). */
export interface Account {
  readonly name: KeyName
  readonly secret: string
  readonly workspace: string
  readonly state: KeyState
  readonly requestsPerMinute: number
}

export interface AccountOptions {
  requestsPerMinute: number
  rateLimitedPerMinute: number
}

const WORKSPACES: Record<KeyName, string> = {
  primary: 'first',
  same_workspace: 'first',
  other_workspace: 'second',
  billing_inactive: 'unpaid',
  insufficient_balance: 'empty',
  access_denied: 'ungranted',
  rate_limited: 'hurried',
  capped: 'capped',
  capacity_exhausted: 'crowded',
}

const STATES: Partial<Record<KeyName, KeyState>> = {
  billing_inactive: 'billing_inactive',
  insufficient_balance: 'insufficient_balance',
  access_denied: 'access_denied',
  capacity_exhausted: 'capacity_exhausted',
}

/** A value for each key name, made in their order. */
export const byKey = <Value>(value: (name: KeyName) => Value): Record<KeyName, Value> => ({
  primary: value('primary'),
  same_workspace: value('same_workspace'),
  other_workspace: value('other_workspace'),
  billing_inactive: value('billing_inactive'),
  insufficient_balance: value('insufficient_balance'),
  access_denied: value('access_denied'),
  rate_limited: value('rate_limited'),
  capped: value('capped'),
  capacity_exhausted: value('capacity_exhausted'),
})

export function createAccounts(random: Random, options: AccountOptions): Record<KeyName, Account> {
  return byKey((name) => ({
    name,
    secret: `sk-${random.hex(40)}`,
    workspace: WORKSPACES[name],
    state: STATES[name] ?? 'granted',
    requestsPerMinute: name === 'rate_limited' ? options.rateLimitedPerMinute : options.requestsPerMinute,
  }))
}
