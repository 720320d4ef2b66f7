import type { Account } from '../keys.ts'
import { Refusal } from '../refusal.ts'
import type { Service } from '../service.ts'

/** 5.1 and 5.5: whose key it is. */
export function identify(service: Service, operation: string, authorization: string | undefined): Account {
  const { access } = service.behaviour
  const credential = access.credential(authorization)
  const stranger = access.open.includes(operation) ? service.accounts[0] : undefined
  if (credential === undefined) {
    if (stranger !== undefined) return stranger
    throw new Refusal(access.missingKey, '')
  }
  const account = access.accountOf(credential, service.accounts) ?? stranger
  if (account === undefined) throw new Refusal(access.invalidKey, '')
  return account
}

/** Section 8: the limit of the key. A refused request costs nothing. */
export function limitRate(service: Service, operation: string, account: Account): void {
  const { rate } = service.behaviour
  if (!rate.counts(operation)) return
  const scope = rate.scope(account)
  const state = service.rates.get(scope) ?? { level: 0, since: 0, times: [] }
  service.rates.set(scope, state)
  const decision = rate.decide(state, rate.perMinute(account), Date.now())
  if (!decision.admitted) throw new Refusal('10008', '', decision.retryAfterSeconds)
}
