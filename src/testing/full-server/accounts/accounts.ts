import { randomBytes } from 'node:crypto'
import { Bucket } from './bucket.ts'
import type { Choices } from '../choices.ts'

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

export interface Workspace {
  readonly name: string
  readonly cap: number
}

export interface Account {
  readonly keyName: KeyName
  readonly secret: string
  readonly workspace: Workspace
  readonly perMinute: number
  readonly bucket: Bucket
}

/** One account a key; the first two share a workspace. */
export function openAccounts(choices: Choices): readonly Account[] {
  const workspaces = new Map<string, Workspace>()
  return keyNames.map((keyName) => {
    const name = keyName === 'same_workspace' ? 'primary' : keyName
    const workspace = workspaces.get(name) ?? { name, cap: keyName === 'capped' ? 2 : choices.cap }
    workspaces.set(name, workspace)
    const perMinute = keyName === 'rate_limited' ? 60 : choices.requestsPerMinute
    const secret = `sk.${keyNames.indexOf(keyName)}.${randomBytes(18).toString('base64url')}`
    return { keyName, secret, workspace, perMinute, bucket: new Bucket(perMinute) }
  })
}
