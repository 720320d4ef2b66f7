import { expect, expectTypeOf, test } from 'vitest'
import { accepted, rejected } from '#trace/conditions'
import type { RequirementId } from '#spec/register'
import type { Context } from './context.ts'
import { acceptance, asWritten, rejection, together } from './expectation.ts'
import { scenario } from './scenario.ts'
import { step } from './step.ts'

const accept = step(['voices.clone.accepted'], async (c) => {
  await c.call('clone-voice', { expect: acceptance('voices.clone.accepted') })
})

const refuse = step(['voices.clone.name-required'], async (c, control: number) => {
  // @ts-expect-error the step does not declare the row
  c.claim('voices.clone.accepted', accepted(control))
  // @ts-expect-error nor may a call expect anything of it
  await c.call('clone-voice', { expect: acceptance('voices.clone.accepted') })
  // @ts-expect-error nor another step in it
  await accept(c)
})

test('a scenario proves what its steps claim, what it claims itself and what it observes', () => {
  const both = step([accept, refuse], async (c) => accept(c))
  const { proves } = scenario({
    id: 'voices.sample',
    price: { requests: {} },
    steps: [both, accept],
    claims: ['voices.get.object'],
    observes: ['voices.list.voice-id'],
    drive: async (c) => both(c),
  })
  expect(proves).toEqual([
    'voices.clone.accepted',
    'voices.clone.name-required',
    'voices.get.object',
    'voices.list.voice-id',
  ])
})

test('a helper that claims nothing takes any context, and one that claims a row takes none without it', () => {
  type Row = 'voices.clone.accepted'
  expectTypeOf<Context<RequirementId>>().toExtend<Context<Row>>()
  expectTypeOf<Context<Row>>().toExtend<Context>()
  expectTypeOf<Context>().not.toExtend<Context<Row>>()
})

test('rows that the compiler does not know by name are none', () => {
  const rows: readonly RequirementId[] = []
  // @ts-expect-error any row
  expect(step(rows, async () => {}).claims).toEqual([])
})

test('rows of a refusal are claimed without a code and with one', () => {
  const expected = rejection({
    rows: 'voices.clone.name-required',
    coded: ['voices.code-20003.name-missing'],
    codes: [20003],
    control: 4,
  })
  expect(expected(7).map(({ row, condition }) => [row, condition])).toEqual([
    ['voices.clone.name-required', rejected(7, 4)],
    ['voices.code-20003.name-missing', rejected(7, 4, [20003])],
  ])
})

test('what a correct target may leave open does not block', () => {
  const [one, other] = together(
    acceptance('voices.clone.accepted', { given: [accepted(1)] }),
    acceptance('voices.get.object', (exchange) => ({ onlyIf: [accepted(exchange)] })),
  )(2)
  expect([one, other].map((each) => asWritten(each?.terms ?? {}))).toEqual([
    { given: [accepted(1)] },
    { given: [accepted(2)], given_code: 'model_choice' },
  ])
})
