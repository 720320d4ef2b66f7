import type { Account } from '../keys.ts'
import type { Random } from '../random.ts'
import type { Session } from '../sessions/session.ts'

/** Ids of the service; their shape is free unless the spec shapes it. */
export const ids = () => ({
  session: (random: Random): string => `ses_${random.hex(20)}`,
  secret: (random: Random, _account: Account): string => `cs_${random.hex(40)}`,
  event: (random: Random): string => `event_${random.hex(16)}`,
  response: (random: Random): string => `resp_${random.hex(16)}`,
  item: (random: Random, _session: Session): string => `item_${random.hex(16)}`,
  call: (random: Random): string => `call_${random.hex(12)}`,
})
