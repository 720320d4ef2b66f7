import { expect, test } from 'vitest'
import { type CreateTry, judgeDuplicates, judgeRefusedCreates, judgeStuck } from './duplicate-oracle.ts'

const create = (sentAt: number, outcome: CreateTry['outcome'], sessionId?: string, lasts = 5): CreateTry => ({
  idempotencyKey: 'key',
  sentAt,
  answeredAt: sentAt + lasts,
  outcome,
  ...(sessionId === undefined ? {} : { sessionId }),
})

const never = new Map<string, number>()
const none = new Map<string, readonly string[]>()

const broken = (
  tries: readonly CreateTry[],
  closedAt = never,
  strays: ReadonlyMap<string, readonly string[]> = none,
): string[] => judgeDuplicates(tries, { closedAt, strays }).flatMap(({ law, got }) => (got === undefined ? [] : [law]))

test.each<[string, CreateTry[]]>([
  ['duplicate-after-success', [create(0, 'made', 'a'), create(10, 'made', 'b')]],
  ['duplicate-in-flight', [create(0, 'made', 'a', 20), create(10, 'made', 'b')]],
  ['duplicate-after-429', [create(0, 'throttled'), create(10, 'made', 'a'), create(20, 'made', 'b')]],
  ['duplicate-after-5xx', [create(0, 'failed'), create(10, 'made', 'a'), create(20, 'made', 'b')]],
  ['duplicate-after-timeout', [create(0, 'lost'), create(10, 'made', 'a'), create(20, 'made', 'b')]],
])('%s is found where a key is given two sessions', (law, tries) => {
  expect(broken(tries)).toContain(law)
})

test('one session for all tries breaks nothing', () => {
  const outcomes = ['throttled', 'failed', 'lost', 'made', 'made'] as const
  const tries = outcomes.map((outcome, index) => create(10 * index, outcome, outcome === 'made' ? 'a' : undefined))
  expect(broken(tries)).toEqual([])
})

test('the key of a session that was closed may stand for another one', () => {
  const tries = [create(0, 'made', 'a'), create(10, 'made', 'b')]
  expect(broken(tries, new Map([['a', 12]]))).toEqual([])
  expect(broken(tries, new Map([['a', 30]]))).toEqual(['duplicate-after-success'])
})

test('a session that no answer told of is a duplicate only beside another one', () => {
  const tries = [create(0, 'lost'), create(10, 'made', 'a')]
  expect(broken(tries, never, new Map([['key', ['b']]]))).toContain('duplicate-after-timeout')
  expect(broken([create(0, 'lost'), create(10, 'throttled')], never, new Map([['key', ['b']]]))).toEqual([])
})

test('two keys that are given one session break the law of different keys', () => {
  const other = { ...create(10, 'made', 'a'), idempotencyKey: 'other' }
  expect(broken([create(0, 'made', 'a'), other])).toContain('key-shared-session')
})

test('a create that was only ever refused has made nothing', () => {
  const tries = [create(0, 'throttled'), create(10, 'throttled')]
  expect(judgeRefusedCreates(tries, none)).toEqual([{ law: 'refused-create-made-session', got: undefined }])
  const [ruling] = judgeRefusedCreates(tries, new Map([['key', ['b']]]))
  expect(ruling?.got).toBeDefined()
})

test('a key is stuck only where fresh keys are served', () => {
  const law = 'failed-key-stuck'
  expect(judgeStuck([{ law, served: false, othersServed: false }])).toEqual([])
  expect(judgeStuck([{ law, served: true, othersServed: true }])).toEqual([{ law, got: undefined }])
  expect(judgeStuck([{ law, served: false, othersServed: true }])[0]?.got).toBeDefined()
})
