import { billingCodes, keyCodes, loadCodes } from '#spec/code-groups'
import type { KeyName } from '#spec/profile'
import { denies } from '#scenario/author/denies'
import { outcome, rejection } from '#scenario/author/expectation'
import { scenario } from '#scenario/author/scenario'
import { world as minimal } from '#scenario/author/bodies'
import { accepted, answer, different, equals, oneOf, value } from '#trace/conditions'
import { closeIt, keyed, sendCreate, sendKeyed } from '../send.ts'

const denials = [
  { key: 'billing_inactive', row: 'world-sessions.create.billing-inactive-rejected' },
  { key: 'insufficient_balance', row: 'world-sessions.create.balance-insufficient-rejected' },
] as const

const scarce: KeyName = 'capacity_exhausted'
const ungranted: KeyName = 'access_denied'
const ungrantedRow = 'authentication.access.denied-key-10009'
const asked = [scarce, ungranted, ...denials.map(({ key }) => key)]

/** Codes of load, of a balance that is used up, and of a key which the target doesn't know: another fault beside that of the key. */
const aside = [...keyCodes, ...billingCodes, ...loadCodes]

/**
 * A workspace that cannot pay makes no world, beside one that can, and neither does a key of which the profile says so: one
 * without access to the model of avatars may have it to that of worlds. The same holds for capacity, but a 30008 that comes
 * is a 30008.
 */
export const denied = scenario({
  id: 'world-sessions.denied',
  needs: { abilities: ['world_sessions'] },
  claims: [...denials.map(({ row }) => row), ungrantedRow],
  observes: ['errors.code-30008.status-429', 'errors.code-30008.no-retry-after'],
  price: { requests: { primary: 2, ...Object.fromEntries(asked.map((key) => [key, 2])) }, typical: 6 },
  async drive(c) {
    if (c.has(scarce)) {
      const crowded = await c.call('create-world-session', { key: scarce, body: keyed(c, minimal()), retry: 'never' })
      await closeIt(c, crowded, scarce)
    }
    const present = denials.filter(({ key }) => c.has(key))
    const judged = c.has(ungranted) && denies(c.profile, 'create-world-session')
    if (present.length === 0 && !judged) return
    const made = await sendKeyed(c, minimal())
    await closeIt(c, made, 'primary')
    for (const { key, row } of present) {
      const expect = rejection({ coded: row, codes: billingCodes, control: made.exchange })
      await closeIt(c, await sendCreate(c, keyed(c, minimal()), { key, expect }), key)
    }
    if (!judged) return
    const code = (exchange: number) => answer(exchange, '/code')
    const expect = outcome(
      ungrantedRow,
      (exchange) => equals(code(exchange), value(10009)),
      (exchange) => ({ given: [accepted(made.exchange), different(code(exchange), oneOf(...aside))] }),
    )
    await closeIt(c, await sendCreate(c, keyed(c, minimal()), { key: ungranted, expect }), ungranted)
  },
})
