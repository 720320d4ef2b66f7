import type { KeyName } from '#spec/profile'
import type { RequirementId } from '#spec/register'
import type { AnyContext as Context } from '#scenario/author/context'
import type { Scenario } from '#scenario/author/scenario'
import { accepted, answer, any, different, equals, oneOf, rejected, value } from '#trace/conditions'
import { lookForSessions } from '#scenario/author/look-for-sessions'
import type { JsonObject } from '#trace/json'
import { textChat } from './bodies.ts'

const scarce: KeyName = 'capacity_exhausted'
/** More places than these are not tried. */
const places = 2

interface Denial {
  readonly key: KeyName
  /** Row that asks for one of several codes. */
  readonly row?: readonly [RequirementId, readonly number[]]
  /** Row of section 7 that asks for one code. */
  readonly exact: readonly [RequirementId, number]
}

/** "An inactive workspace or insufficient balance is rejected with `10004` or `10005`" (5.6). */
const billing = [10004, 10005]

const denials: readonly Denial[] = [
  {
    key: 'billing_inactive',
    row: ['authentication.billing.inactive-workspace-rejected', billing],
    exact: ['errors.code-10004.billing-inactive', 10004],
  },
  {
    key: 'insufficient_balance',
    row: ['authentication.billing.insufficient-balance-rejected', billing],
    exact: ['errors.code-10005.balance-too-low', 10005],
  },
  {
    key: 'access_denied',
    row: ['authentication.access.denied-key-10009', [10009]],
    exact: ['errors.code-10009.key-not-granted', 10009],
  },
  { key: 'capacity_exhausted', exact: ['errors.code-30008.capacity-exceeded', 30008] },
]

const usual = 'svc-a1-stream'
const create = 'create-avatar-session'

/** Codes that speak of load. */
const load = [10008, 30006, 30008]
/** Codes that speak of a key which the target doesn't know. */
const unknown = [10001, 10003]

const rows = denials.flatMap(({ row, exact }) => [exact[0], ...(row === undefined ? [] : [row[0]])])

/** Creates with keys for which something stands in the way, beside the same create with a key for which nothing does. */
export const denied: Scenario = {
  id: 'authentication.denied',
  proves: [
    ...rows,
    'errors.code-30008.status-429',
    'errors.code-30008.no-retry-after',
    'authentication.api-key.never-echoed',
    'errors.envelope.nonzero-code-is-failure',
    'limits.concurrency.refused-create-holds-nothing',
  ],
  price: {
    requests: {
      primary: 4,
      ...Object.fromEntries(denials.map((one) => [one.key, one.key === scarce ? 3 + places : isBilling(one) ? 4 : 3])),
    },
    typical: 15,
    sessions: { primary: 1 },
  },
  async drive(context: Context) {
    const present = denials.filter(({ key }) => context.has(key))
    if (present.length === 0) return
    const lists = new Map(present.map(({ key }) => [key, context.exchange()]))
    for (const model of modelsOf(context)) {
      const twin = context.exchange()
      const session = await context.create(bodyOf(context, model), { exchange: twin })
      await context.close(session)
      for (const denial of model === usual ? present : present.filter(isBilling)) {
        const list = lists.get(denial.key) ?? 0
        await deny(context, denial, { model, twin, list })
        // It shows whether the key is known at all, and what a refused create has left.
        if (model === usual) await lookForSessions(context, denial.key, list)
        if (model === usual && denial.key === scarce) await goOn(context)
      }
    }
  },
}

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
  return row?.[1] === billing
}

function bodyOf(context: Context, model: string): JsonObject {
  return { ...textChat(context.id('create')), model, avatars: [{ avatar_id: context.id('denied') }] }
}

/** The profile may say what the key is denied. */
function isJudged({ profile }: Context, key: KeyName): boolean {
  return key !== 'access_denied' || (profile.denies ?? [create]).includes(create)
}

interface Beside {
  readonly model: string
  /** The same create, accepted with another key, and what the key at hand could list. */
  readonly twin: number
  readonly list: number
}

async function deny(context: Context, { key, row, exact }: Denial, { model, twin, list }: Beside): Promise<void> {
  const exchange = context.exchange()
  const [id, code] = exact
  const came = answer(exchange, '/code')
  const known = any(accepted(list), different(came, oneOf(...unknown)))
  const meant = different(came, oneOf(...load.filter((other) => other !== code)))
  // A key may lack access to something else than creates of avatar sessions.
  const choice = { given: [equals(came, value(code))], given_code: 'model_choice' } as const
  const judged = isJudged(context, key)
  context.claim(id, equals(came, value(code)), judged ? { given: [accepted(twin), known, meant] } : choice)
  if (row !== undefined) context.claim(row[0], rejected(exchange, twin, row[1]), judged ? {} : choice)
  // 30008 has the status 429, which a polite client would answer by asking again.
  const retry = key === scarce ? 'never' : 'polite'
  await context.attempt(bodyOf(context, model), { exchange, key, retry })
}
