import type { KeyName } from '#spec/profile'
import type { RequirementId } from '#spec/register'
import type { Context } from '#scenario/author/context'
import { denies } from '#scenario/author/denies'
import { lookForSessions } from '#scenario/author/look-for-sessions'
import { outcome } from '#scenario/author/expectation'
import { scenario } from '#scenario/author/scenario'
import { step } from '#scenario/author/step'
import { accepted, answer, different, equals, oneOf } from '#trace/conditions'
import type { JsonObject } from '#trace/json'
import { needsCharacters, save } from '../acts.ts'
import { textCharacter } from '../bodies.ts'

const scarce: KeyName = 'capacity_exhausted'
/** As many places may be taken by starts that were refused, one each, as are tried. */
const places = 2

interface Denial {
  readonly key: KeyName
  readonly row: RequirementId
  readonly codes: readonly number[]
}

/** "An inactive workspace or insufficient balance is rejected with `10004` or `10005`" (5.6). */
const billing = [10004, 10005]

const denials = [
  { key: 'billing_inactive', row: 'characters.session.billing-inactive-rejected', codes: billing },
  { key: 'insufficient_balance', row: 'characters.session.balance-insufficient-rejected', codes: billing },
  { key: 'access_denied', row: 'characters.session.access-denied-10009', codes: [10009] },
  { key: 'capacity_exhausted', row: 'characters.code-30008.start', codes: [30008] },
] as const satisfies readonly Denial[]

/** Codes that speak of load, or of a key which the target doesn't know. */
const aside = [10001, 10003, 10008, 30006, 30008]

/** Where refused starts took places, the workspace would be full before long. */
async function startOn(c: Context, body: JsonObject): Promise<void> {
  const cap = c.profile.limits?.[scarce]?.concurrent_sessions ?? places + 1
  if (cap > places) return
  for (let place = 0; place < cap; place += 1) {
    const again = { ...body, idempotency_key: c.id('start') }
    const received = await c.call('create-session-from-character', { key: scarce, body: again, retry: 'never' })
    if (received.ok) await c.close(c.adopt(received, scarce))
  }
}

const deny = step(
  denials.map(({ row }) => row),
  async (c, { key, row, codes }: (typeof denials)[number]) => {
    const saved = c.exchange()
    const named = { ...textCharacter(c, 'denied'), avatars: [{ avatar_id: c.id('denied') }] }
    const code = (exchange: number) => answer(exchange, '/code')
    const others = aside.filter((one) => !codes.some((other) => other === one))
    const judged = key !== 'access_denied' || denies(c.profile, 'create-session-from-character')
    const expect = outcome(
      row,
      (exchange) => equals(code(exchange), oneOf(...codes)),
      (exchange) =>
        judged
          ? { onlyIf: [accepted(saved), different(code(exchange), oneOf(...others))] }
          : { onlyIf: [equals(code(exchange), oneOf(...codes))] },
    )
    const exchange = c.expect(expect)
    const character_id = await save(c, named, { exchange: saved, key })
    if (character_id === undefined) return
    const body = { character_id, idempotency_key: c.id('start') }
    // 30008 has the status 429, which a polite client would answer by asking again.
    const retry = key === scarce ? 'never' : 'polite'
    const received = await c.call('create-session-from-character', { exchange, key, body, retry })
    if (received.ok) await c.close(c.adopt(received, key))
    else await lookForSessions(c, key, c.exchange())
    if (!received.ok && key === scarce) await startOn(c, body)
  },
)

/**
 * A key for which something stands in the way starts no session, as far as the profile says what stands in the way of it.
 * Whether it may save a character is not said.
 */
export const denied = scenario({
  id: 'characters.denied',
  needs: needsCharacters,
  steps: [deny],
  observes: ['errors.envelope.nonzero-code-is-failure', 'limits.concurrency.refused-create-holds-nothing'],
  price: {
    requests: Object.fromEntries(denials.map(({ key }) => [key, key === scarce ? 4 + places : 4])),
    typical: 17,
  },
  async drive(c) {
    for (const denial of denials.filter(({ key }) => c.has(key))) await deny(c, denial)
  },
})
