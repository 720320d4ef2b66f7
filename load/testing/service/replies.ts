import type { Outage, Refusal } from './rules.ts'

export interface ServiceReply {
  /** 0 for a connection that breaks. */
  readonly status: number
  readonly retryAfter: string | undefined
  /** The header `Date`, by the service's own clock. */
  readonly date: string
  readonly body: string
}

export type ScriptedReply = Omit<ServiceReply, 'date'>

/** A failure of the service itself; no code of section 7. */
export const FAILURE: Refusal = { code: 50000, status: 500 }

export const succeeded = (data: object): ScriptedReply => ({
  status: 200,
  retryAfter: undefined,
  body: JSON.stringify({ code: 0, message: 'success', data }),
})

export const refused = ({ code, status, retryAfter }: Refusal): ScriptedReply => ({
  status,
  retryAfter,
  body: JSON.stringify({ code, message: 'refused', data: {} }),
})

export const outageReply = (kind: Outage): ScriptedReply => ({
  status: kind === 'reset' ? 0 : 503,
  retryAfter: undefined,
  body: '<html>away</html>',
})
