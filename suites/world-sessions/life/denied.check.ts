import type { KeyName } from '#spec/profile'
import { rejection } from '#scenario/author/expectation'
import { scenario } from '#scenario/author/scenario'
import { world as minimal } from '#scenario/author/bodies'
import { closeIt, keyed, sendCreate, sendKeyed } from '../send.ts'

/** "An inactive workspace or insufficient balance is rejected with `10004` or `10005`" (5.6). */
const billing = [10004, 10005]

const denials = [
  { key: 'billing_inactive', row: 'world-sessions.create.billing-inactive-rejected' },
  { key: 'insufficient_balance', row: 'world-sessions.create.balance-insufficient-rejected' },
] as const

const scarce: KeyName = 'capacity_exhausted'
const asked = [scarce, ...denials.map(({ key }) => key)]

/**
 * A workspace that cannot pay makes no world, beside one that can. A key without access to the one model may have it to
 * the other, so that worlds tell nothing about it; the same holds for capacity, but a 30008 that comes is a 30008.
 */
export const denied = scenario({
  id: 'world-sessions.denied',
  needs: { abilities: ['world_sessions'] },
  claims: denials.map(({ row }) => row),
  observes: ['errors.code-30008.status-429', 'errors.code-30008.no-retry-after'],
  price: { requests: { primary: 2, ...Object.fromEntries(asked.map((key) => [key, 2])) }, typical: 5 },
  async drive(c) {
    if (c.has(scarce)) {
      const answer = await c.call('create-world-session', { key: scarce, body: keyed(c, minimal()), retry: 'never' })
      await closeIt(c, answer, scarce)
    }
    const present = denials.filter(({ key }) => c.has(key))
    if (present.length === 0) return
    const made = await sendKeyed(c, minimal())
    await closeIt(c, made, 'primary')
    for (const { key, row } of present) {
      const expect = rejection({ coded: row, codes: billing, control: made.exchange })
      await closeIt(c, await sendCreate(c, keyed(c, minimal()), { key, expect }), key)
    }
  },
})
