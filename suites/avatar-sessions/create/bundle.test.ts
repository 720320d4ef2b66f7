import { expect, test } from 'vitest'
import type { Exchange, RestCall } from '#client/types'
import { evaluate } from '#judge/conditions/conditions'
import { indexTrace } from '#judge/trace-index'
import type { AnyContext } from '#scenario/author/context'
import { claimsOf } from '#scenario/runner/context-claims'
import { TraceBuilder } from '#testing/trace-builder'
import type { Claim } from '#trace/claim'
import { isObject, type Json, type JsonObject } from '#trace/json'
import { type CreateOption, sendCreateBundle } from './bundle.ts'

const rows = {
  a: 'avatar-sessions.create.recording-on-accepted',
  b: 'avatar-sessions.create.recording-off-accepted',
  soft: 'avatar-sessions.create.region-unknown-accepted',
} as const
const option = (id: keyof typeof rows, more: Partial<CreateOption> = {}): CreateOption => ({
  id,
  rows: [rows[id]],
  change: { set: { [`/${id}`]: 1 } },
  ...more,
})

/** A context over a service that refuses every body with one of the members. */
function setUp(refused: readonly string[]) {
  const built = new TraceBuilder()
  const claims: Claim[] = []
  const bodies: JsonObject[] = []
  const aliases = new Map<number, number>()
  let numbers = 100
  const attempt = async (body: JsonObject, call: RestCall = {}): Promise<Exchange> => {
    const { idempotency_key: _, ...shown } = body
    bodies.push(shown)
    const ok = !refused.some((name) => Object.hasOwn(body, name))
    const data: Json = { session_id: `s${bodies.length}` }
    const answer: Json = ok ? { code: 0, message: '', data } : { code: 30004, message: 'invalid' }
    const exchange = built.rest('create-avatar-session', { body: answer }, body)
    if (call.exchange !== undefined) aliases.set(call.exchange, exchange)
    const common = { exchange, status: ok ? 200 : 400, headers: {}, body: answer, failure: undefined, ok }
    return { ...common, code: ok ? 0 : 30004, message: '', data: ok ? data : undefined }
  }
  const scope = {
    exchange: () => (numbers += 1),
    claim: (claim: Omit<Claim, 'claim'>) => claims.push({ claim: claims.length, ...claim }),
  }
  const context = {
    ...scope,
    ...claimsOf(scope, () => {}),
    id: (word: string) => word,
    attempt,
    close: async () => undefined,
    wait: async () => undefined,
  } as unknown as AnyContext
  return { context, bodies, outcomes: () => outcomes(built, claims, aliases) }
}

/** `<row> <state>` of the claims whose givens hold. */
function outcomes(built: TraceBuilder, claims: readonly Claim[], aliases: ReadonlyMap<number, number>): string[] {
  const trace = indexTrace(built.entries)
  const state = (condition: Claim['condition']) => evaluate(trace, renumbered(condition, aliases)).state
  const given = claims.filter((claim) => (claim.given ?? []).every((one) => state(one) === 'held'))
  return given.map(({ requirement, condition }) => `${requirement.split('.').at(-1) ?? ''} ${state(condition)}`)
}

function renumbered(condition: Claim['condition'], aliases: ReadonlyMap<number, number>): Claim['condition'] {
  const walk = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(walk)
    if (!isObject(value)) return value
    return Object.fromEntries(
      Object.entries(value).map(([name, inside]) => [
        name,
        name === 'exchange' && typeof inside === 'number' ? (aliases.get(inside) ?? inside) : walk(inside),
      ]),
    )
  }
  return walk(condition) as Claim['condition']
}

test('what is accepted together costs one create', async () => {
  const { context, bodies, outcomes: judged } = setUp([])
  const bundle = await sendCreateBundle(context, { base: {}, options: [option('a'), option('b')], key: 'primary' })
  expect(bodies).toEqual([{ a: 1, b: 1 }])
  expect(judged()).toEqual(['recording-on-accepted held', 'recording-off-accepted held'])
  expect([...bundle.taken.keys()]).toEqual(['a', 'b'])
})

test('what is refused together is tried alone, and only the option at fault is blamed', async () => {
  const { context, bodies, outcomes: judged } = setUp(['b'])
  await sendCreateBundle(context, { base: {}, options: [option('a'), option('b')], key: 'primary' })
  expect(bodies).toEqual([{ a: 1, b: 1 }, { a: 1 }, { b: 1 }])
  expect(judged()).toEqual(['recording-on-accepted held', 'recording-off-accepted broken'])
})

test('options that may be refused are set apart before the others are suspected', async () => {
  const { context, bodies, outcomes: judged } = setUp(['soft'])
  const options = [option('a'), option('soft', { mayBeRefused: true }), option('b')]
  const bundle = await sendCreateBundle(context, { base: {}, options, key: 'primary' })
  expect(bodies).toEqual([{ a: 1, soft: 1, b: 1 }, { a: 1, b: 1 }, { soft: 1 }])
  expect(judged()).toEqual([
    'recording-on-accepted held',
    'recording-off-accepted held',
    'region-unknown-accepted broken',
  ])
  expect([...bundle.mayBeRefused]).toEqual(['soft'])
})

test('a option whose fellows are refused as well is not blamed', async () => {
  const { context, outcomes: judged } = setUp(['a', 'b'])
  const options = [option('a', { mayBeRefused: true, given: ['b'] }), option('b', { mayBeRefused: true, given: ['a'] })]
  await sendCreateBundle(context, { base: {}, options, key: 'primary' })
  expect(judged()).toEqual([])
})

test('what the base rests on is tried without the options, once, and where it is refused another base stands in', async () => {
  const instead = { without: { picture: 1 }, base: { plain: 1 } }
  const plan = { base: { picture: 1, voice: 1 }, instead, options: [option('a'), option('b')], key: 'primary' } as const
  const lacking = setUp(['picture'])
  await sendCreateBundle(lacking.context, plan)
  expect(lacking.bodies.slice(1)).toEqual([{ picture: 1 }, { plain: 1, a: 1 }, { plain: 1, b: 1 }])
  expect(lacking.outcomes()).toEqual(['recording-on-accepted held', 'recording-off-accepted held'])
  const wrong = setUp(['voice'])
  await sendCreateBundle(wrong.context, plan)
  expect(wrong.bodies).toHaveLength(4)
  expect(wrong.outcomes()).toEqual(['recording-on-accepted broken', 'recording-off-accepted broken'])
})
