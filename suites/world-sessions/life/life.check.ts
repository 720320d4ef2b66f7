import type { Exchange } from '#client/types'
import { keyOf } from '#scenario/author/key-of'
import type { AnyContext as Context } from '#scenario/author/context'
import type { Scenario } from '#scenario/author/scenario'
import { claimUnfound, unissued } from '#scenario/author/unissued'
import { accepted, all, answer, different, equals, oneOf, rejected, value } from '#trace/conditions'
import { at } from '#trace/json'
import { merged, minimal } from '../bodies.ts'
import { seenOnClose, seenOnCreate, seenOnGet, seenOnSecrets } from './seen.ts'
import { ask, closeIt, makeWorld, sendCreate, settled, type World } from '../send.ts'

/** From create to closed: Get, Create Client Secret and Close of one session, and of ids that nobody issued. */
export const life: Scenario = {
  id: 'world-sessions.life-of-a-session',
  needs: { abilities: ['world_sessions'] },
  price: { requests: { primary: 29, same_workspace: 8 }, typical: 27 },
  proves: [
    ...seenOnCreate,
    ...seenOnGet,
    ...seenOnSecrets,
    ...seenOnClose,
    'world-sessions.create.minimal-accepted',
    'world-sessions.idempotency.without-key-new-session',
    'world-sessions.get.own-session-found',
    'world-sessions.get.unknown-session-rejected',
    'world-sessions.code-20005.get-unknown',
    'world-sessions.client-secret.accepted',
    'world-sessions.client-secret.idempotency-key-accepted',
    'world-sessions.client-secret.unknown-session-rejected',
    'world-sessions.client-secret.leaves-session',
    'world-sessions.client-secret.after-close-rejected',
    'world-sessions.code-20005.client-secret-unknown',
    'world-sessions.code-20005.client-secret-closed',
    'world-sessions.control.secret-rejected-as-api-key',
    'world-sessions.media.secret-rejected-as-api-key',
    'world-sessions.close.accepted',
    'world-sessions.close.repeated-same-key',
    'world-sessions.close.without-key-accepted',
    'world-sessions.close.unknown-session-rejected',
    'world-sessions.close.leaves-others-open',
    'world-sessions.code-20005.close-unknown',
  ],
  async drive(c: Context) {
    // One right after the other, and still there after all that befalls the second one.
    const other = await createMinimal(c)
    const world = await createMinimal(c)
    const { exchange: shown } = await settled(c, world)
    await settled(c, other)
    const [get, secret, close] = [c.exchange(), c.exchange(), c.exchange()]
    c.claim('world-sessions.get.own-session-found', accepted(get))
    await untilHeld(c, world, await ask(c, 'get-world-session', world, { exchange: get }))
    await askForUnissued(c, world, { get, secret, close })
    const renewed = await renew(c, world, { shown, secret, other })
    await useSecretsAsKeys(c, world, renewed, get)
    await end(c, world, { shown, secret, close })
    // Each closed again before the next one begins: beside the other session, a small cap has room for one.
    for (let times = 0; times < 2; times += 1) await createWithoutKey(c)
    await endOther(c, other)
  },
}

/** Model and initial prompt, and a key that finds the session again. */
async function createMinimal(c: Context): Promise<World> {
  const exchange = c.exchange()
  c.claim('world-sessions.create.minimal-accepted', accepted(exchange))
  return makeWorld(c, minimal(), { exchange })
}

/** A life so short that a session of which nobody knows does no harm, in seconds. */
const short_s = 20

/**
 * Not even a key. The interface has no list of world sessions: should the answer be lost, the session ends by itself.
 * Bounds of the duration are not shown (section 8): whoever refuses such a short one is asked for none.
 */
async function createWithoutKey(c: Context): Promise<void> {
  const exchange = c.exchange()
  c.claim('world-sessions.create.minimal-accepted', accepted(exchange))
  const key = keyOf(c, 'same_workspace')
  const body = merged(minimal(), { max_session_duration_seconds: short_s })
  const made = await sendCreate(c, body, { exchange, key, recall: { ends_within_s: short_s } })
  const answered = made.ok ? made : await sendCreate(c, minimal(), { exchange, key })
  await closeIt(c, answered, key)
}

/** A manual session that connects still is given time to be held. */
async function untilHeld(c: Context, world: World, first: Exchange): Promise<void> {
  const deadline = performance.now() + c.timeouts.provisioning_ms
  let answered = first
  for (let pause = 300; at(answered.data, '/runtime/media_status') === 'connecting'; pause *= 1.6) {
    if (performance.now() > deadline) return
    await c.wait(Math.max(1, Math.min(pause, 4_000, deadline + 50 - performance.now())), 'backoff')
    answered = await ask(c, 'get-world-session', world)
  }
}

interface Twins {
  readonly get: number
  readonly secret: number
  readonly close: number
}

async function askForUnissued(c: Context, world: World, twins: Twins): Promise<void> {
  const strange = unissued(world.id)
  for (const [operation, name, twin] of [
    ['get-world-session', 'get', twins.get],
    ['create-client-secret', 'client-secret', twins.secret],
    ['close-world-session', 'close', twins.close],
  ] as const) {
    const exchange = c.exchange()
    const plain = `world-sessions.${name}.unknown-session-rejected` as const
    const coded = `world-sessions.code-20005.${name}-unknown` as const
    claimUnfound(c, { plain, coded }, strange, { exchange, twin })
    await ask(c, operation, { ...world, id: strange.id }, { exchange })
  }
  // Nor is it one of the avatar sessions; a rule judges the answer beside those that were found.
  await c.call('get-avatar-session', { key: world.key, params: { session_id: world.id } })
}

/** Those of the create; of one that came before the descriptors were ready, the fresh ones. */
async function useSecretsAsKeys(c: Context, world: World, renewed: Exchange, twin: number): Promise<void> {
  const names = c.tier === 'full' ? (['control', 'media'] as const) : (['control'] as const)
  for (const name of names) {
    const path = `/${name}/client_secret`
    const secret = at(world.data, path) || at(renewed.data, path)
    if (typeof secret !== 'string' || !/^[!-~]+$/.test(secret)) continue
    const exchange = c.exchange()
    c.claim(`world-sessions.${name}.secret-rejected-as-api-key`, rejected(exchange, twin))
    const credential = { key: 'malformed', authorization: `Bearer ${secret}` } as const
    await ask(c, 'get-world-session', world, { ...credential, exchange })
  }
}

/** "Fresh `control` and `media` descriptors … for an active session" (4.5), without a key, with one, and with another one. */
async function renew(
  c: Context,
  world: World,
  { shown, secret, other }: { readonly shown: number; readonly secret: number; readonly other: World },
): Promise<Exchange> {
  const active = equals(answer(shown, '/data/status'), value('active'))
  const [again, after] = [c.exchange(), c.exchange()]
  c.claim('world-sessions.client-secret.accepted', accepted(secret), { given: [active] })
  const renewed = await ask(c, 'create-client-secret', world, { exchange: secret })
  c.claim('world-sessions.client-secret.idempotency-key-accepted', accepted(again), { given: [active] })
  const body = { idempotency_key: c.id('secret') }
  await ask(c, 'create-client-secret', world, { exchange: again, body })
  await ask(c, 'create-client-secret', world, { body: { idempotency_key: c.id('secret') } })
  // Whether the key may be used for another session is not said; if it may, the secrets are that session's own.
  await ask(c, 'create-client-secret', other, { body })
  c.claim('world-sessions.client-secret.leaves-session', open(after), { given: [accepted(again)] })
  await ask(c, 'get-world-session', world, { exchange: after })
  return renewed
}

const open = (exchange: number) =>
  all(accepted(exchange), different(answer(exchange, '/data/status'), oneOf('closing', 'closed')))

async function end(c: Context, world: World, { shown, secret, close }: Record<string, number>): Promise<void> {
  const [again, after, later] = [c.exchange(), c.exchange(), c.exchange()]
  const body = { idempotency_key: c.id('close') }
  const active = equals(answer(shown ?? 0, '/data/status'), value('active'))
  c.claim('world-sessions.close.accepted', accepted(close ?? 0), { given: [active] })
  await ask(c, 'close-world-session', world, { exchange: close ?? 0, body })
  // 20005 says that the session is closed by now, and does no harm either.
  const going = different(answer(again, '/code'), value(20005))
  const first = { given: [accepted(close ?? 0), going], given_code: 'model_choice' } as const
  c.claim('world-sessions.close.repeated-same-key', accepted(again), first)
  await ask(c, 'close-world-session', world, { exchange: again, body })
  const twin = all(accepted(secret ?? 0), accepted(close ?? 0))
  c.claim('world-sessions.client-secret.after-close-rejected', rejected(after, twin))
  await ask(c, 'create-client-secret', world, { exchange: after })
  const last = await untilClosed(c, world)
  const over = { given: [closedIn(last)] }
  c.claim('world-sessions.client-secret.after-close-rejected', rejected(later, twin), over)
  c.claim('world-sessions.code-20005.client-secret-closed', rejected(later, twin, [20005]), over)
  await ask(c, 'create-client-secret', world, { exchange: later, body: { idempotency_key: c.id('late') } })
  // `closed` is final: once more, after all that was asked of it.
  await ask(c, 'close-world-session', world)
  await ask(c, 'get-world-session', world)
}

/** Get shows `closed`, or finds the session no more. */
function closedIn({ exchange, code }: Exchange) {
  return code === 20005
    ? equals(answer(exchange, '/code'), value(20005))
    : equals(answer(exchange, '/data/status'), value('closed'))
}

/** Polls until the session is closed or time is over. */
async function untilClosed(c: Context, world: World): Promise<Exchange> {
  const deadline = performance.now() + c.timeouts.closed_ms
  for (let pause = 200; ; pause = Math.min(2 * pause, 4_000)) {
    const late = performance.now() >= deadline
    const answered = await ask(c, 'get-world-session', world)
    const status = at(answered.data, '/status')
    if (answered.code === 20005 || status === 'closed' || status === 'failed' || late) return answered
    await c.wait(Math.max(1, Math.min(pause, deadline + 50 - performance.now())), 'backoff')
  }
}

/** The other session is still there, and is closed without a key. */
async function endOther(c: Context, other: World): Promise<void> {
  const [get, close] = [c.exchange(), c.exchange()]
  c.claim('world-sessions.close.leaves-others-open', open(get))
  const { data } = await ask(c, 'get-world-session', other, { exchange: get })
  const active = at(data, '/status') === 'active'
  const given = [equals(answer(get, '/data/status'), value('active'))]
  c.claim('world-sessions.close.without-key-accepted', accepted(close), active ? {} : { given })
  await ask(c, 'close-world-session', other, { exchange: close })
}
