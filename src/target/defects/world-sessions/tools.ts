import type { Behaviour } from '#target/behaviour/behaviour'
import type { ErrorCode } from '#target/behaviour/codes'
import { rule } from '#target/behaviour/rules/rule'
import { demand } from '#target/behaviour/rules/waive'
import type { WorldInput } from '#target/behaviour/world/input'
import type { Account } from '#target/keys'
import { textOf, type Wire, wireAt, wiresAt } from '#target/wire'
import type { WorldChannel } from '#target/worlds/session'
import { type Change, change } from '../paths.ts'
import { onData } from '../tools.ts'

export const onMade = (behaviour: Behaviour, make: Change): void => onData(behaviour, 'create-world-session', make)
export const onGot = (behaviour: Behaviour, make: Change): void => onData(behaviour, 'get-world-session', make)
export const onSecrets = (behaviour: Behaviour, make: Change): void => onData(behaviour, 'create-client-secret', make)
export const onClosed = (behaviour: Behaviour, make: Change): void => onData(behaviour, 'close-world-session', make)

/** Changes what create and Get both show. */
export function onShown(behaviour: Behaviour, make: Change): void {
  onMade(behaviour, make)
  onGot(behaviour, make)
}

/** Refuses creates that the spec accepts. */
export const refuseWorld = (
  { world }: Behaviour,
  broken: (input: WorldInput) => boolean,
  code: ErrorCode = '30004',
): void => demand(world.rules, 'refused-by-defect', { ...rule('4.5', 'body', broken), code })

/** Content blocks of all references. */
export const blocksOf = ({ references }: WorldInput): Wire[] =>
  references.flatMap((reference) => wiresAt(reference, 'content'))

export const blocksOfType = (input: WorldInput, type: string): Wire[] =>
  blocksOf(input).filter((block) => block['type'] === type)

/** Moves a timestamp. */
export const later = (path: string, ms: number): Change =>
  change(path, (value) => (typeof value === 'string' ? new Date(Date.parse(value) + ms).toISOString() : value))

export const seconds = (path: string): Change =>
  change(path, (value) => (typeof value === 'string' ? Math.floor(Date.parse(value) / 1000) : value))

/** How often each session was shown, this time included. */
export function looks(): (data: Wire) => number {
  const counts = new Map<unknown, number>()
  return (data) => {
    const count = (counts.get(data['session_id']) ?? 0) + 1
    counts.set(data['session_id'], count)
    return count
  }
}

/** Descriptors that were last given out, by session. */
export function given(behaviour: Behaviour): (data: Wire) => Wire {
  const known = new Map<unknown, Wire>()
  const keep: Change = (data) => {
    known.set(data['session_id'], data)
    return data
  }
  onMade(behaviour, keep)
  onSecrets(behaviour, keep)
  return (data) => known.get(data['session_id']) ?? {}
}

export const secretOf = (data: Wire, channel: WorldChannel): string =>
  textOf(wireAt(data, channel)['client_secret']) ?? ''

/** Makes a channel's secrets good for REST. */
export function secretsAsKeys({ access, world }: Behaviour, channel: WorldChannel): void {
  const owners = new Map<string, Account>()
  const { secret } = world.ids
  const { accountOf } = access
  world.ids.secret = (random, account, of) => {
    const made = secret(random, account, of)
    if (of === channel) owners.set(made, account)
    return made
  }
  access.accountOf = (credential, accounts, sessions) =>
    accountOf(credential, accounts, sessions) ?? owners.get(credential)
}

/** Only keys of the workspace reach a session, save for this operation, where `fits` decides. */
export function reachedBy(
  { access }: Behaviour,
  operation: string,
  fits: (account: Account, owner: Account) => boolean,
): void {
  const { sees } = access
  access.sees = (account, owner, asked) => (asked === operation ? fits(account, owner) : sees(account, owner, asked))
}
