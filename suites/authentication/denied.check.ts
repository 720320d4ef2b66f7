import { billingCodes, keyCodes, loadCodes } from '#spec/code-groups'
import type { KeyName } from '#spec/profile'
import type { RequirementId } from '#spec/register'
import { textChat } from '#scenario/author/bodies'
import type { Context } from '#scenario/author/context'
import { denies } from '#scenario/author/denies'
import { outcome, rejection, type Terms } from '#scenario/author/expectation'
import type { Optional } from '#scenario/author/optional'
import { retryTransient } from '#scenario/author/retry-transient'
import { scenario } from '#scenario/author/scenario'
import { step } from '#scenario/author/step'
import { accepted, answer, any, different, equals, oneOf, value } from '#trace/conditions'
import { lookForSessions } from '#scenario/author/look-for-sessions'
import type { JsonObject } from '#trace/json'

const scarce: KeyName = 'capacity_exhausted'
/** More places than these are not tried. */
const places = 2

const seenWhenScarce = [
  'errors.code-30008.status-429',
  'errors.code-30008.no-retry-after',
  'limits.concurrency.refused-create-holds-nothing',
] as const satisfies readonly RequirementId[]

const seenOfEach = [
  'authentication.api-key.never-echoed',
  'errors.envelope.nonzero-code-is-failure',
] as const satisfies readonly RequirementId[]

interface Denial {
  readonly key: KeyName
  /** Row that asks for one of several codes. */
  readonly row?: readonly [RequirementId, readonly number[]]
  /** Row of section 7 that asks for one code. */
  readonly exact: readonly [RequirementId, number]
}

const denials = [
  {
    key: 'billing_inactive',
    row: ['authentication.billing.inactive-workspace-rejected', billingCodes],
    exact: ['errors.code-10004.billing-inactive', 10004],
  },
  {
    key: 'insufficient_balance',
    row: ['authentication.billing.insufficient-balance-rejected', billingCodes],
    exact: ['errors.code-10005.balance-too-low', 10005],
  },
  {
    key: 'access_denied',
    row: ['authentication.access.denied-key-10009', [10009]],
    exact: ['errors.code-10009.key-not-granted', 10009],
  },
  { key: 'capacity_exhausted', exact: ['errors.code-30008.capacity-exceeded', 30008] },
] as const satisfies readonly Denial[]

const usual = 'svc-a1-stream'

/** Of a key: its list, and a create of each model that it is asked for. */
const optional: readonly Optional[] = denials.map((denial) => ({
  id: denial.key,
  rows: [
    denial.exact[0],
    ...('row' in denial ? [denial.row[0]] : []),
    ...(denial.key === scarce ? seenWhenScarce : []),
  ],
  also: seenOfEach,
  requests: denial.key === 'access_denied' ? 2 : 3,
}))

/** Where refused creates took places, the workspace would be full before long. */
async function goOn(context: Context): Promise<void> {
  const cap = context.profile.limits?.[scarce]?.concurrent_sessions ?? places + 1
  if (cap > places) return
  for (let place = 0; place < cap; place += 1) {
    await context.attempt(bodyOf(context, usual), { key: scarce, retry: 'never' })
  }
}

function modelsOf(context: Context): readonly string[] {
  return [usual, ...(context.offers('lite_model') ? ['svc-a1-stream-lite'] : [])]
}

/** Who can't pay can't pay for either model; what a key is granted and what is scarce may differ from one to the other. */
function isBilling({ row }: Denial): boolean {
  return row?.[1] === billingCodes
}

function bodyOf(context: Context, model: string): JsonObject {
  return textChat({ idempotency_key: context.id('create'), model, avatars: [{ avatar_id: context.id('denied') }] })
}

interface Beside {
  readonly model: string
  /** The same create, accepted with another key, and what the key at hand could list. */
  readonly control: number
  readonly list: number
}

const deny = step(
  denials.flatMap((denial) => [denial.exact[0], ...('row' in denial ? [denial.row[0]] : [])]),
  async (c, denial: (typeof denials)[number], { model, control, list }: Beside) => {
    const { key, exact } = denial
    const [id, code] = exact
    const judged = key !== 'access_denied' || denies(c.profile, 'create-avatar-session')
    const received = (exchange: number) => answer(exchange, '/code')
    const isExact = (exchange: number) => equals(received(exchange), value(code))
    // What is used up is another fault than that of the key (5.6): of two, either may be told.
    const others = [...loadCodes.filter((other) => other !== code), ...(isBilling(denial) ? [] : billingCodes)]
    const meant = (exchange: number) => different(received(exchange), oneOf(...others))
    const termsOfExact = (exchange: number): Terms => {
      // A key may lack access to something else than creates of avatar sessions.
      if (!judged) return { onlyIf: [isExact(exchange)] }
      const known = any(accepted(list), different(received(exchange), oneOf(...keyCodes)))
      return { given: [accepted(control), known, meant(exchange)] }
    }
    const [row, codes] = 'row' in denial ? denial.row : []
    const refusal = rejection({ ...(row === undefined ? {} : { coded: row, codes }), control }, (exchange) =>
      judged ? { given: [meant(exchange)] } : { onlyIf: [isExact(exchange)] },
    )
    const expect = [outcome(id, isExact, termsOfExact), refusal]
    // 30008 has the status 429, which a polite client would answer by asking again.
    const retry = key === scarce ? 'never' : 'polite'
    const [exchange, body] = [c.expect(expect), bodyOf(c, model)]
    await retryTransient(c, () => c.attempt(body, { exchange, key, retry }), { scarce: [] })
  },
)

/** Creates with keys for which something stands in the way, beside the same create with a key for which nothing does. */
export const denied = scenario({
  id: 'authentication.denied',
  steps: [deny],
  observes: [...seenWhenScarce, ...seenOfEach],
  price: {
    requests: {
      primary: 4,
      ...Object.fromEntries(denials.map((one) => [one.key, one.key === scarce ? 3 + places : isBilling(one) ? 4 : 3])),
    },
    typical: 15,
    sessions: { primary: 1 },
  },
  optional,
  async drive(c) {
    const present = denials.filter(({ key }) => c.has(key) && c.takes(key))
    if (present.length === 0) return
    const lists = new Map<KeyName, number>(present.map(({ key }) => [key, c.exchange()]))
    for (const model of modelsOf(c)) {
      const session = await c.create(bodyOf(c, model))
      await c.close(session)
      for (const denial of model === usual ? present : present.filter(isBilling)) {
        const list = lists.get(denial.key) ?? 0
        await deny(c, denial, { model, control: session.exchange, list })
        // It shows whether the key is known at all, and what a refused create has left.
        if (model === usual) await lookForSessions(c, denial.key, list)
        if (model === usual && denial.key === scarce) await goOn(c)
      }
    }
  },
})
