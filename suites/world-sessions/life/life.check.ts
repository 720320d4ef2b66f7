import type { Exchange } from '#client/types'
import { anew } from '#scenario/author/sessions/anew'
import { pickKey } from '#scenario/author/pick-key'
import { acceptance, rejection } from '#scenario/author/expectation'
import { watchFactor } from '#judge/timing/timeouts'
import { poll } from '#scenario/author/poll'
import { eachRowOnce, type Optional } from '#scenario/author/optional'
import { scenario } from '#scenario/author/scenario'
import { step } from '#scenario/author/step'
import { unfound, unissued } from '#scenario/author/unissued'
import type { RequirementId } from '#spec/register'
import type { Condition } from '#trace/claim'
import { accepted, all, answer, different, equals, rejected, value } from '#trace/conditions'
import { at } from '#trace/json'
import { world as minimal } from '#scenario/author/bodies'
import { seenOnClose, seenOnCreate, seenOnGet, seenOnSecrets } from './seen.ts'
import { ask, askOpen, closeIt, makeWorld, sendCreate, settled, untilClosed, type World } from '../send.ts'

/** Model and initial prompt, and a key that finds the session again. */
const createMinimal = step(['world-sessions.create.minimal-accepted'], (c) =>
  makeWorld(c, minimal(), { expect: acceptance('world-sessions.create.minimal-accepted') }),
)

/** A life so short that a session of which nobody knows does no harm, in seconds. */
const short_s = 20

/**
 * Not even a key. The interface has no list of world sessions: should the answer be lost, the session ends by itself.
 * Bounds of the duration are not shown (section 8): whoever refuses such a short one is asked for none.
 */
const createWithoutKey = step(['world-sessions.create.minimal-accepted'], async (c) => {
  const exchange = c.expect(acceptance('world-sessions.create.minimal-accepted'))
  const key = pickKey(c, 'same_workspace')
  const body = minimal({ max_session_duration_seconds: short_s })
  const made = await sendCreate(c, body, { exchange, key, recall: { ends_within_s: short_s } })
  await closeIt(c, made.ok ? made : await sendCreate(c, minimal(), { exchange, key }), key)
})

/** A minimal session, and what Get shows once it is provisioned. */
const createSettled = step([...createMinimal.claims], async (c) => {
  const world = await createMinimal(c)
  const { exchange: shown, data } = await settled(c, world, watchFactor)
  return { world, shown, status: at(data, '/status') }
})

/** Numbers of the requests for the session that are to succeed. */
interface Numbers {
  /** Showed whether it is active. */
  readonly shown: number
  readonly get: number
  readonly secret: number
  readonly close: number
}

const isActive = (shown: number): Condition => equals(answer(shown, '/data/status'), value('active'))

const found = 'world-sessions.get.own-session-found'

/** A manual session that connects still is given time to be held. */
const find = step([found], async (c, world: World, { get }: Numbers) => {
  const look = () => ask(c, 'get-world-session', world)
  const shown = await ask(c, 'get-world-session', world, { exchange: get, expect: acceptance(found) })
  await poll(c, look, ({ data }) => at(data, '/runtime/media_status') !== 'connecting', {
    within_ms: watchFactor * c.timeouts.provisioning_ms,
    first: 300,
    factor: 1.6,
    longest: 4_000,
    shown,
  })
})

const unknowns = [
  ['get-world-session', 'get', 'get'],
  ['create-client-secret', 'client-secret', 'secret'],
  ['close-world-session', 'close', 'close'],
] as const

/** The rows of an operation on a session that was never issued: that it is refused, and by which code. */
const unknownRows = <Name extends (typeof unknowns)[number][1]>(name: Name) =>
  [`world-sessions.${name}.unknown-session-rejected`, `world-sessions.code-20005.${name}-unknown`] as const

const askForUnissued = step(
  unknowns.flatMap(([, name]) => unknownRows(name)),
  async (c, world: World, numbers: Numbers) => {
    const strange = unissued(world.id)
    for (const [operation, name, own] of unknowns) {
      if (!c.takes(`unknown-${name}`)) continue
      const [rows, coded] = unknownRows(name)
      const expect = unfound({ rows, coded }, strange, numbers[own])
      await ask(c, operation, { ...world, id: strange.id }, { expect })
    }
    // Nor is it one of the avatar sessions; a rule judges the answer beside those that were found.
    if (c.takes('other-kind')) await c.call('get-avatar-session', { key: world.key, params: { session_id: world.id } })
  },
)

/** "Fresh `control` and `media` descriptors … for an active session" (4.5), without a key. */
const renew = step(
  ['world-sessions.client-secret.accepted'],
  (c, world: World, { shown, secret }: Numbers): Promise<Exchange> =>
    askOpen(c, 'create-client-secret', world, {
      exchange: secret,
      expect: acceptance('world-sessions.client-secret.accepted', { given: [isActive(shown)] }),
    }),
)

/** The same with a key, and with another one. */
const renewAgain = step(
  ['world-sessions.client-secret.idempotency-key-accepted'],
  async (c, world: World, { shown, other }: Numbers & { readonly other: World | undefined }) => {
    const given = [isActive(shown)]
    const body = { idempotency_key: c.id('secret') }
    await askOpen(c, 'create-client-secret', world, {
      body,
      expect: acceptance('world-sessions.client-secret.idempotency-key-accepted', { given }),
    })
    await ask(c, 'create-client-secret', world, { body: { idempotency_key: c.id('secret') } })
    // Whether the key may be used for another session is not said; if it may, the secrets are that session's own.
    if (other !== undefined && c.takes('elsewhere')) await ask(c, 'create-client-secret', other, { body })
    await ask(c, 'get-world-session', world)
  },
)

const descriptors = ['control', 'media'] as const
const withoutKeyRow = 'world-sessions.idempotency.without-key-new-session'

/** Those of the create; of one that came before the descriptors were ready, the fresh ones. */
const useSecretsAsKeys = step(
  descriptors.map((name) => `world-sessions.${name}.secret-rejected-as-api-key` as const),
  async (
    c,
    world: World,
    { renewed, control }: { readonly renewed: Exchange | undefined; readonly control: number },
  ) => {
    for (const name of c.tier === 'full' ? descriptors : (['control'] as const)) {
      const path = `/${name}/client_secret`
      const secret = at(world.data, path) || at(renewed?.data, path)
      if (typeof secret !== 'string') continue
      const row = `world-sessions.${name}.secret-rejected-as-api-key` as const
      const exchange = c.exchange()
      const refused = rejected(exchange, control)
      // No header carries such a secret: then nobody can use it as a key.
      if (!/^[!-~]+$/.test(secret)) {
        c.claim(row, refused, { onlyIf: [refused] })
        continue
      }
      const expect = rejection({ rows: row, control })
      await ask(c, 'get-world-session', world, {
        exchange,
        key: 'malformed',
        authorization: `Bearer ${secret}`,
        expect,
      })
    }
  },
)

const late = 'world-sessions.client-secret.after-close-rejected'

const lateCode = 'world-sessions.code-20005.client-secret-closed'
const repeated = 'world-sessions.close.repeated-same-key'

const end = step(
  ['world-sessions.close.accepted', repeated, late, lateCode],
  async (c, world: World, { shown, secret, close }: Numbers) => {
    const body = { idempotency_key: c.id('close') }
    const closes = acceptance('world-sessions.close.accepted', { given: [isActive(shown)] })
    await askOpen(c, 'close-world-session', world, { exchange: close, body, expect: closes })
    if (!c.takes('closed')) return
    // 20005 says that the session is closed by now, and does no harm either.
    const repeats = acceptance(repeated, (again) => ({
      onlyIf: [accepted(close), different(answer(again, '/code'), value(20005))],
    }))
    await ask(c, 'close-world-session', world, { body, expect: repeats })
    const control = all(accepted(secret), accepted(close))
    const isLate = c.takes('late')
    if (isLate) await ask(c, 'create-client-secret', world, { expect: rejection({ rows: late, control }) })
    const last = await untilClosed(c, world)
    // A cleanup may fail (3.2): then there is nothing that is closed.
    const failed = at(last.data, '/status') === 'failed'
    const over = { given: [closedIn(last)], ...(failed ? ({ given_code: 'model_choice' } as const) : {}) }
    const expect = rejection({ rows: late, coded: lateCode, codes: [20005], control }, over)
    if (isLate) await ask(c, 'create-client-secret', world, { body: { idempotency_key: c.id('late') }, expect })
    // `closed` is final: once more, after all that was asked of it.
    await ask(c, 'close-world-session', world)
    await ask(c, 'get-world-session', world)
  },
)

/** Get shows `closed`, or finds the session no more. */
function closedIn({ exchange, code }: Exchange): Condition {
  return code === 20005
    ? equals(answer(exchange, '/code'), value(20005))
    : equals(answer(exchange, '/data/status'), value('closed'))
}

/** What is seen of sessions that nobody touched: a rule judges it, since a service may end them by itself. */
const othersOpen = 'world-sessions.close.leaves-others-open'
const staysOpen = 'world-sessions.client-secret.leaves-session'

const withoutKey = 'world-sessions.close.without-key-accepted'

/**
 * The other session is still there, and is closed without a key. One that has failed meanwhile ("Transitions into `failed`
 * from later states: not shown", 3.2) tells nothing of that close: another one does.
 */
const endOther = step([createMinimal, withoutKey], async (c, other: World) => {
  const shown = await ask(c, 'get-world-session', other)
  const failed = at(shown.data, '/status') === 'failed'
  const world = failed ? await createMinimal(c) : other
  const { data, exchange } = failed ? await settled(c, world) : shown
  const terms = at(data, '/status') === 'active' ? {} : { given: [isActive(exchange)] }
  const expect = acceptance(withoutKey, terms)
  await ask(c, 'close-world-session', world, { expect })
})

const perSession: readonly RequirementId[] = [
  'world-sessions.session.id-unique',
  'world-sessions.control.secret-session-scoped',
  'world-sessions.media.secret-session-scoped',
]

/** What Get shows in the course of a life, and what it may show otherwise once there are fresh secrets. */
const othersOnGet = seenOnGet.filter((row) => !row.includes('.no-'))
const secretsOnGet = seenOnGet.filter((row) => /\.no-|\.same-expires-at$|\.manual-stays-held$/.test(row))

/** What is left of it without all of these: a session that is created, found and closed. */
const optional: readonly Optional[] = eachRowOnce([
  ...unknowns.map(([, name]) => ({
    id: `unknown-${name}`,
    rows: unknownRows(name),
    requests: 1,
    ...(name === 'client-secret' ? { needs: ['secret'] } : {}),
  })),
  { id: 'other-kind', rows: ['errors.code-20005.get-unknown-avatar-session'], requests: 1 },
  { id: 'secret', rows: ['world-sessions.client-secret.accepted', ...seenOnSecrets], also: perSession, requests: 1 },
  {
    id: 'secrets',
    rows: [...renewAgain.claims, staysOpen, ...seenOnSecrets],
    also: secretsOnGet,
    requests: 3,
    needs: ['secret'],
  },
  {
    id: 'elsewhere',
    rows: [],
    also: ['world-sessions.client-secret.names-session', ...perSession],
    requests: 1,
    needs: ['secrets', 'other'],
  },
  { id: 'secret-as-key', rows: useSecretsAsKeys.claims, requests: 1, needs: ['secret'] },
  { id: 'closed', rows: [repeated, ...seenOnClose], also: othersOnGet, requests: 4 },
  { id: 'late', rows: [late, lateCode], requests: 2, needs: ['secret', 'closed'] },
  {
    id: 'without-key',
    rows: [withoutKeyRow],
    also: ['world-sessions.create.minimal-accepted', ...seenOnCreate],
    requests: 4,
  },
  {
    id: 'between',
    rows: [],
    also: [othersOpen],
    requests: 0,
    needs: ['other', 'without-key'],
  },
  { id: 'other', rows: [withoutKey, othersOpen, ...perSession], requests: 3 },
])

/** From create to closed: Get, Create Client Secret and Close of one session, and of ids that nobody issued. */
export const life = scenario({
  id: 'world-sessions.life-of-a-session',
  needs: { abilities: ['world_sessions'] },
  price: { requests: { primary: 32, same_workspace: 8 }, typical: 27 },
  optional,
  steps: [createMinimal, find, askForUnissued, renew, renewAgain, useSecretsAsKeys, end, createWithoutKey, endOther],
  observes: [othersOpen, staysOpen, ...seenOnCreate, ...seenOnGet, ...seenOnSecrets, ...seenOnClose, withoutKeyRow],
  async drive(c) {
    // One right after the other, and still there after all that befalls the second one.
    const other = c.takes('other') ? await createMinimal(c) : undefined
    const { world, shown } = await anew(
      () => createSettled(c),
      ({ status }) => status === 'failed',
    )
    if (other !== undefined) await settled(c, other)
    const numbers = { shown, get: c.exchange(), secret: c.exchange(), close: c.exchange() }
    await find(c, world, numbers)
    await askForUnissued(c, world, numbers)
    const renewed = c.takes('secret') ? await renew(c, world, numbers) : undefined
    if (c.takes('secrets')) await renewAgain(c, world, { ...numbers, other })
    if (c.takes('secret-as-key')) await useSecretsAsKeys(c, world, { renewed, control: numbers.get })
    await end(c, world, numbers)
    // Each closed again before the next one begins: beside the other session, a small cap has room for one.
    for (let times = 0; times < 2 && c.takes('without-key'); times += 1) await createWithoutKey(c)
    if (other !== undefined) await endOther(c, other)
  },
})
