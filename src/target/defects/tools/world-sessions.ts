import type { Override } from '#target/behaviour/behaviour'
import type { ErrorCode } from '#target/behaviour/codes'
import { validation } from '#target/behaviour/validations/input-validation'
import { referenceBlocks, type WorldInput } from '#target/behaviour/world/input'
import type { Account } from '#target/keys'
import { type Change, change, omit } from '#target/overrides/changes'
import { onData } from '#target/overrides/data'
import { add, around, remembering, several } from '#target/overrides/operators'
import type { JsonObject } from '#target/wire'
import type { WorldChannel } from '#target/worlds/session'
import type { Rows } from './table.ts'

export const onMade = (make: Change): Override => onData('create-world-session', make)

export const onGot = (make: Change): Override => onData('get-world-session', make)

export const onSecrets = (make: Change): Override => onData('create-client-secret', make)

/** Changes what create and Get both show. */
export const onShown = (make: Change): Override => several(onMade(make), onGot(make))

/** Refuses creates that the spec accepts. */
export const refuseWorld = (broken: (input: WorldInput) => boolean, code: ErrorCode = '30004'): Override =>
  add('world.validations', 'refused-by-defect', validation('4.5', 'body', broken, code))

export const blocksOfType = (input: WorldInput, type: string): JsonObject[] =>
  referenceBlocks(input).filter((block) => block['type'] === type)

/** Moves a timestamp. */
export const later = (path: string, ms: number): Change =>
  change(path, (value) => (typeof value === 'string' ? new Date(Date.parse(value) + ms).toISOString() : value))

export const seconds = (path: string): Change =>
  change(path, (value) => (typeof value === 'string' ? Math.floor(Date.parse(value) / 1000) : value))

/** How often each session was shown, this time included. */
export function looks(): (data: JsonObject) => number {
  const counts = new Map<unknown, number>()
  return (data) => {
    const count = (counts.get(data['session_id']) ?? 0) + 1
    counts.set(data['session_id'], count)
    return count
  }
}

/** Makes a channel's secrets good for REST. */
export const secretsAsKeys = (channel: WorldChannel): Override =>
  remembering(() => {
    const owners = new Map<string, Account>()
    return [
      around('world.ids.secret', (secret) => (random, account, of) => {
        const made = secret(random, account, of)
        if (of === channel) owners.set(made, account)
        return made
      }),
      around(
        'access.accountOf',
        (accountOf) => (credential, accounts, sessions, operation) =>
          accountOf(credential, accounts, sessions, operation) ?? owners.get(credential),
      ),
    ]
  })

/** Only keys of the workspace reach a session, save for this operation, where `fits` decides. */
export const reachedBy = (operation: string, fits: (account: Account, owner: Account) => boolean): Override =>
  around(
    'access.sees',
    (sees) => (account, owner, asked) => (asked === operation ? fits(account, owner) : sees(account, owner, asked)),
  )

/** Mistakes of a create that either descriptor may have. */
export const madeChannel = (channel: WorldChannel): Rows => ({
  [`url-nonempty: There is no address of the ${channel} channel.`]: onMade(omit(`${channel}.url`)),
  [`client-secret-nonempty: There is no secret of the ${channel} channel.`]: onMade(omit(`${channel}.client_secret`)),
  [`expires-at-timestamp: The expiry of the ${channel} secret is told in seconds.`]: onMade(
    seconds(`${channel}.expires_at`),
  ),
  [`expires-at-in-future: The ${channel} secret is stale when it comes.`]: onMade(
    later(`${channel}.expires_at`, -3_600_000),
  ),
  [`secret-session-scoped: All sessions share their ${channel} secret.`]: around(
    'world.ids.secret',
    (secret) => (random, account, of) =>
      of === channel ? `shared_${account.workspace.repeat(5)}` : secret(random, account, of),
  ),
  [`secret-other-than-api-key: The ${channel} secret is the API key.`]: around(
    'world.ids.secret',
    (secret) => (random, account, of) => (of === channel ? account.secret : secret(random, account, of)),
  ),
  [`secret-rejected-as-api-key: A ${channel} secret works as an API key.`]: secretsAsKeys(channel),
})
