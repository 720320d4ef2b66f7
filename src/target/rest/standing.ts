import { Refusal } from '../refusal.ts'
import type { Service } from '../service.ts'
import type { RestRequest } from './request.ts'

/**
 * 5.5 and 5.6 outside of the creates of sessions: access, billing and balance of the caller.
 * @throws Refusal with 10004, 10005 or 10009.
 */
export function holdToStanding(service: Service, { account, operation }: RestRequest): void {
  const { access } = service.behaviour
  const unpaid = access.gated.includes(operation) ? access.billing(account.state) : undefined
  const code = unpaid ?? (access.granted.includes(operation) ? access.permission(account.state) : undefined)
  if (code !== undefined) throw new Refusal(code, '')
}
