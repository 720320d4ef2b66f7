import type { KeyName } from '../../src/law/profile.ts'
import type { RequirementId } from '../../src/law/register.ts'
import type { Context } from '../../src/scenario/context.ts'
import type { Scenario } from '../../src/scenario/scenario.ts'
import { accepted, answer, any, different, equals, oneOf, rejected, value } from '../../src/trace/conditions.ts'
import { textChat } from './bodies.ts'

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
  ],
  price: {
    requests: { primary: 2, ...Object.fromEntries(denials.map(({ key }) => [key, 3])) },
    sessions: { primary: 1 },
  },
  async drive(context: Context) {
    const present = denials.filter(({ key }) => context.has(key))
    if (present.length === 0) return
    const twin = context.exchange()
    const session = await context.create(textChat(context.id('create')), { exchange: twin })
    await context.close(session)
    for (const denial of present) await deny(context, denial, twin)
  },
}

/** The list shows whether the key is known at all; what it answers is the target's choice. */
async function deny(context: Context, { key, row, exact }: Denial, twin: number): Promise<void> {
  const [list, exchange] = [context.exchange(), context.exchange()]
  await context.call('list-avatar-sessions', { key, exchange: list })
  const [id, code] = exact
  const came = answer(exchange, '/code')
  const known = any(accepted(list), different(came, oneOf(...unknown)))
  const meant = different(came, oneOf(...load.filter((other) => other !== code)))
  context.claim(id, equals(came, value(code)), { given: [accepted(twin), known, meant] })
  if (row !== undefined) context.claim(row[0], rejected(exchange, twin, row[1]))
  // 30008 has the status 429, which a polite client would answer by asking again.
  const retry = key === 'capacity_exhausted' ? 'never' : 'polite'
  await context.attempt(textChat(context.id('create')), { exchange, key, retry })
}
