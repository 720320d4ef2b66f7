import type { Account } from '../keys.ts'
import { Refusal } from '../refusal.ts'
import type { Service } from '../service.ts'
import type { IncomingRest } from './request.ts'

/** 5.1 and 5.5: whose key it is. */
export function identify(service: Service, { operation, headers }: IncomingRest): Account {
  const { access } = service.behaviour
  const credential = access.credential(headers.authorization, headers)
  const { primary } = service.keyring
  if (credential === undefined) {
    if (access.open.includes(operation)) return primary
    throw new Refusal(access.missingKey(operation), '')
  }
  const account = access.accountOf(credential, service.accounts, service.sessions.values(), operation)
  const turnedAway = access.turnsAway(operation)
  if (account !== undefined && turnedAway !== undefined) throw new Refusal(turnedAway, '')
  if (account !== undefined) return account
  if (access.trusting.includes(operation)) return primary
  throw new Refusal(access.invalidKey(operation, credential), '')
}

/** Section 8: the limit of the key. A refused request costs nothing. */
export function limitRate(service: Service, operation: string, account: Account): void {
  const { rate } = service.behaviour
  if (!rate.counts(operation)) return
  const scope = rate.scope(account)
  const state = service.rates.get(scope) ?? { level: 0, since: 0, times: [] }
  service.rates.set(scope, state)
  const decision = rate.decide(state, rate.perMinute(account), service.clock())
  if (!decision.admitted) throw new Refusal('10008', '', decision.retryAfterSeconds)
}
