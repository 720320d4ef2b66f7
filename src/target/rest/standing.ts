import { Refusal } from '../refusal.ts'
import type { Service } from '../service.ts'
import type { RestRequest } from './request.ts'

/**
 * 5.5 and 5.6 outside of the creates of sessions: access, billing and balance of the caller.
 * @throws Refusal with 10004, 10005 or 10009.
 */
export function holdToStanding(service: Service, { account, operation }: RestRequest): void {
  const { access } = service.behaviour
  if (!access.gated.includes(operation)) return
  const code = access.billing(account.state) ?? access.permission(account.state)
  if (code !== undefined) throw new Refusal(code, '')
}
