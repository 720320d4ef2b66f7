import type { KeyName } from '../../src/law/profile.ts'
import type { RequirementId } from '../../src/law/register.ts'
import type { Context } from '../../src/scenario/context.ts'
import type { Scenario } from '../../src/scenario/scenario.ts'
import { accepted, answer, different, equals, oneOf } from '../../src/trace/conditions.ts'
import { needsCharacters, save } from './acts.ts'
import { textCharacter } from './bodies.ts'

interface Denial {
  readonly key: KeyName
  readonly row: RequirementId
  readonly codes: readonly number[]
}

/** "An inactive workspace or insufficient balance is rejected with `10004` or `10005`" (5.6). */
const billing = [10004, 10005]

const denials: readonly Denial[] = [
  { key: 'billing_inactive', row: 'characters.session.billing-inactive-rejected', codes: billing },
  { key: 'insufficient_balance', row: 'characters.session.balance-insufficient-rejected', codes: billing },
  { key: 'access_denied', row: 'characters.session.access-denied-10009', codes: [10009] },
  { key: 'capacity_exhausted', row: 'characters.code-30008.start', codes: [30008] },
]

/** Codes that speak of load, or of a key which the target doesn't know. */
const aside = [10001, 10003, 10008, 30006, 30008]

/** A key for which something stands in the way starts no session. Whether it may save a character is not said. */
export const denied: Scenario = {
  id: 'characters.denied',
  needs: needsCharacters,
  proves: denials.map(({ row }) => row),
  price: { requests: Object.fromEntries(denials.map(({ key }) => [key, 3])), typical: 12 },
  async drive(c) {
    for (const denial of denials.filter(({ key }) => c.has(key))) await deny(c, denial)
  },
}

async function deny(c: Context, { key, row, codes }: Denial): Promise<void> {
  const [saved, started] = [c.exchange(), c.exchange()]
  const code = answer(started, '/code')
  const meant = different(code, oneOf(...aside.filter((one) => !codes.includes(one))))
  c.claim(row, equals(code, oneOf(...codes)), { given: [accepted(saved), meant], given_code: 'model_choice' })
  const character_id = await save(c, textCharacter(c, 'denied'), { exchange: saved, key })
  if (character_id === undefined) return
  const body = { character_id, idempotency_key: c.id('start') }
  // 30008 has the status 429, which a polite client would answer by asking again.
  const came = await c.call('create-session-from-character', {
    exchange: started,
    key,
    body,
    ...(key === 'capacity_exhausted' ? { retry: 'never' } : {}),
  })
  if (came.ok) await c.close(c.adopt(came, key))
}
