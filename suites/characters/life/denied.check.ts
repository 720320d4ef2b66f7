import { billingCodes, keyCodes, loadCodes } from '#spec/code-groups'
import type { KeyName } from '#spec/profile'
import type { RequirementId } from '#spec/register'
import type { Context } from '#scenario/author/context'
import { denies } from '#scenario/author/denies'
import { lookForSessions } from '#scenario/author/look-for-sessions'
import { outcome } from '#scenario/author/expectation'
import type { Optional } from '#scenario/author/optional'
import { retryTransient } from '#scenario/author/retry-transient'
import { scenario } from '#scenario/author/scenario'
import { step } from '#scenario/author/step'
import type { Condition } from '#trace/claim'
import { accepted, all, answer, any, different, equals, oneOf, value } from '#trace/conditions'
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

const denials = [
  { key: 'billing_inactive', row: 'characters.session.billing-inactive-rejected', codes: billingCodes },
  { key: 'insufficient_balance', row: 'characters.session.balance-insufficient-rejected', codes: billingCodes },
  { key: 'access_denied', row: 'characters.session.access-denied-10009', codes: [10009] },
  { key: 'capacity_exhausted', row: 'characters.code-30008.start', codes: [30008] },
] as const satisfies readonly Denial[]

const code = (exchange: number) => answer(exchange, '/code')

/**
 * A key that saved something is known, whatever it may start; so is one that was told what it lacks. A balance that is used up
 * is another fault (5.6): of two, either may be told.
 */
function premiseOf({ key, codes }: Denial, judged: boolean, saved: number, start: number): Condition {
  const others = [...loadCodes, ...billingCodes].filter((one) => !codes.includes(one))
  const started = all(accepted(saved), different(code(start), oneOf(...others)))
  if (key !== 'access_denied') return started
  const known = any(accepted(saved), equals(code(saved), value(10009)))
  const denied = all(known, equals(code(start), oneOf(10009, ...keyCodes)))
  return judged ? any(started, denied) : denied
}

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
  async (c, denial: (typeof denials)[number]) => {
    const { key, row, codes } = denial
    const saved = c.exchange()
    const named = { ...textCharacter(c, 'denied'), avatars: [{ avatar_id: c.id('denied') }] }
    const judged = key !== 'access_denied' || denies(c.profile, 'create-session-from-character')
    const expect = outcome(
      row,
      (exchange) => equals(code(exchange), oneOf(...codes)),
      (exchange) => ({ onlyIf: [premiseOf(denial, judged, saved, exchange)] }),
    )
    const exchange = c.expect(expect)
    const kept = await save(c, named, { exchange: saved, key })
    if (kept === undefined && key !== 'access_denied') return
    // Whoever may save nothing has nothing to start; that the key is no invalid one shows all the same.
    const character_id = kept ?? `chr_${c.id('denied')}`
    const body = { character_id, idempotency_key: c.id('start') }
    // 30008 has the status 429, which a polite client would answer by asking again.
    const retry = key === scarce ? 'never' : 'polite'
    const start = () => c.call('create-session-from-character', { exchange, key, body, retry })
    const received = await retryTransient(c, start, { scarce: [] })
    if (received.ok) await c.close(c.adopt(received, key))
    else await lookForSessions(c, key, c.exchange())
    if (!received.ok && key === scarce) await startOn(c, body)
  },
)

const isFailure = 'errors.envelope.nonzero-code-is-failure'
const holdsNothing = 'limits.concurrency.refused-create-holds-nothing'

/** What each key is refused; places are taken only where capacity is scarce. */
const optional: readonly Optional[] = denials.map(({ key, row }) => ({
  id: key,
  rows: key === scarce ? [row, holdsNothing] : [row],
  also: [isFailure],
  requests: 4,
}))

/**
 * A key for which something stands in the way starts no session, as far as the profile says what stands in the way of it.
 * Whether it may save a character is not said.
 */
export const denied = scenario({
  id: 'characters.denied',
  needs: needsCharacters,
  steps: [deny],
  observes: [isFailure, holdsNothing],
  price: {
    requests: Object.fromEntries(denials.map(({ key }) => [key, key === scarce ? 4 + places : 4])),
    typical: 17,
  },
  optional,
  async drive(c) {
    for (const denial of denials.filter(({ key }) => c.has(key) && c.takes(key))) await deny(c, denial)
  },
})
