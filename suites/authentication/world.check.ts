import type { Exchange, RestCall } from '#client/types'
import { anew } from '#scenario/author/sessions/anew'
import { world } from '#scenario/author/bodies'
import type { Context } from '#scenario/author/context'
import { poll } from '#scenario/author/poll'
import { retryTransient } from '#scenario/author/retry-transient'
import { scenario } from '#scenario/author/scenario'
import { step } from '#scenario/author/step'
import { loadCodes } from '#spec/code-groups'
import type { OperationId } from '#spec/tables'
import { answer, equals, value } from '#trace/conditions'
import { at, textAt } from '#trace/json'
import { type KeyedRequest, expectRefused, optionalKeys, rowsOfKeys, withBadKey, withoutKey } from './invalid-keys.ts'

const kept = {
  keyless: 'authentication.missing-key.changes-nothing',
  wrong: 'authentication.invalid-key.changes-nothing',
} as const

/** Requests about one session that a valid key has made. */
interface Made {
  readonly params: { readonly session_id: string }
  readonly request: (operation: OperationId, call?: RestCall) => KeyedRequest<'world-sessions'>
}

const body = (c: Context) => world({ idempotency_key: c.id('create') })

async function make(c: Context): Promise<Made> {
  const sent = { body: body(c) }
  const made = await retryTransient(c, () => c.call('create-world-session', sent), { scarce: loadCodes })
  const { data, code = 0, exchange: control } = made
  const session_id = at(data, '/session_id')
  if (typeof session_id !== 'string')
    return c.block(loadCodes.includes(code) ? 'quota' : 'prerequisite', 'no world session was created')
  const request = (operation: OperationId, call: RestCall = {}) =>
    ({ group: 'world-sessions', operation, call, control }) as const
  return { params: { session_id }, request }
}

const settled = (c: Context, { params }: Made): Promise<Exchange> =>
  poll(
    c,
    () => c.call('get-world-session', { params }),
    (shown) => at(shown.data, '/status') !== 'provisioning',
    { within_ms: c.timeouts.provisioning_ms, first: 500, longest: 5_000 },
  )

async function makeSettled(c: Context): Promise<{ readonly made: Made; readonly get: Exchange }> {
  const made = await make(c)
  return { made, get: await settled(c, made) }
}

/** Something ended the session: with each kind of close another one shows whether that did. */
const tellApart = step(rowsOfKeys('world-sessions'), async (c) => {
  for (const [kind, send] of [
    ['keyless', withoutKey],
    ['wrong', withBadKey],
  ] as const) {
    if (!c.takes(kind)) continue
    const made = await make(c)
    await send(c, made.request('close-world-session', { params: made.params }))
    await settled(c, made)
  }
})

const hasFailed = ({ data }: Exchange): boolean => at(data, '/status') === 'failed'

const isOver = ({ code, data }: Exchange): boolean =>
  code === 20005 || ['closing', 'closed'].includes(textAt(data, '/status') ?? '')

/** The four world session endpoints, for a session that a valid key has made, and what becomes of it meanwhile. */
export const worldSessions = scenario({
  id: 'authentication.world-sessions',
  needs: { abilities: ['world_sessions'] },
  steps: [tellApart],
  claims: rowsOfKeys('world-sessions'),
  // A session may end by itself: what a look at one says of the close before it is told over the whole run.
  observes: Object.values(kept),
  price: { requests: { primary: 3 }, typical: 11 },
  optional: optionalKeys(4, 'world-sessions').map((one) => ({ ...one, rows: [...one.rows, kept[one.id]] })),
  async drive(c) {
    const first = await make(c)
    // First of all, so that the look that is needed anyway shows what they have done.
    await expectRefused(c, first.request('close-world-session', { params: first.params }))
    const shown = await settled(c, first)
    if (isOver(shown)) await tellApart(c)
    // One that failed has no state to be asked about (3.2).
    const { made, get } = hasFailed(shown)
      ? await anew(
          () => makeSettled(c),
          (another) => hasFailed(another.get),
        )
      : { made: first, get: shown }
    const { params, request } = made
    await expectRefused(c, request('create-world-session', { body: body(c) }))
    await expectRefused(c, request('get-world-session', { params }))
    // "For an active session" (4.5): before, its state may be the fault that is told.
    const active = equals(answer(get.exchange, '/data/status'), value('active'))
    await expectRefused(c, { ...request('create-client-secret', { params, body: {} }), clean: () => active })
  },
})
