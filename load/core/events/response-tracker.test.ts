import { expect, test } from 'vitest'
import type { ServerEvent } from './frames.ts'
import { ResponseTracker } from './response-tracker.ts'

type Said = readonly [at: number, event: ServerEvent]

const created = (at: number, id: string, named: string | undefined = `ask ${id}`): Said => [
  at,
  {
    type: 'response.created',
    response: { id, status: 'in_progress' },
    ...(named === undefined ? {} : { request_event_id: named }),
  },
]

const delta = (at: number, id: string): Said => [
  at,
  { type: 'response.output_text.delta', response_id: id, item_id: `item ${id}`, output_index: 0, delta: 'x' },
]

const deltas = (id: string, count: number, from: number, every: number): Said[] =>
  Array.from({ length: count }, (_, index) => delta(from + index * every, id))

const ended = (at: number, id: string, status = 'completed', length = 8): Said[] => {
  const place = { response_id: id, output_index: 0 }
  return [
    [at, { type: 'response.output_text.done', ...place, item_id: `item ${id}`, text: 'x'.repeat(length) }],
    [at, { type: 'response.output_item.done', ...place, item: { id: `item ${id}`, type: 'message' } }],
    [at, { type: 'response.done', response: { id, status } }],
  ]
}

const error = (id: string): Said => [
  1,
  { type: 'error', error: { type: 'invalid_request_error', message: 'no', event_id: `ask ${id}` } },
]

/** `1` is interrupted by `2`, for which `3` waits; `4` finds no room. */
function flawsOf(...said: readonly Said[]): string[] {
  const tracker = new ResponseTracker('ask ')
  for (const id of ['1', '2', '3', '4']) tracker.ask(`ask ${id}`, 'x'.repeat(8), 0, id > '2')
  for (const [at, event] of said) tracker.take(event, at)
  return Object.keys(tracker.allFlaws())
}

const first = [created(0, '1'), ...deltas('1', 3, 0, 10)]
const rest = [...ended(600, '2'), created(700, '3'), ...deltas('3', 8, 700, 10), ...ended(800, '3')]

test.each<[string, Said[]]>([
  ['is cancelled', [...first, ...ended(40, '1', 'cancelled', 3), created(50, '2'), ...deltas('2', 8, 50, 10), ...rest]],
  [
    'still says a little after the next has begun',
    [...first, created(50, '2'), ...deltas('1', 5, 50, 1), ...deltas('2', 8, 60, 10), ...ended(200, '1'), ...rest],
  ],
  [
    'says more after the next has begun, and is cancelled then',
    [
      ...first,
      created(50, '2'),
      ...deltas('1', 5, 50, 30),
      ...ended(200, '1', 'cancelled'),
      ...deltas('2', 8, 210, 10),
      ...rest,
    ],
  ],
])('a response that is interrupted and %s has no flaw', (_, said) => {
  expect(flawsOf(error('4'), ...said)).toEqual([])
})

test('an interrupted response that goes on to its end beside the next is told as that', () => {
  const both = [created(50, '2'), ...deltas('1', 5, 50, 400), ...deltas('2', 8, 60, 10)]
  expect(flawsOf(error('4'), ...first, ...both, ...ended(1_700, '1'), ...rest)).toEqual(['two-at-once'])
})

test('it is told as that while it still goes on, and is waited for no longer', () => {
  const tracker = new ResponseTracker('ask ')
  const [one] = ['1', '2'].map((id) => tracker.ask(`ask ${id}`, 'x'.repeat(99), 0))
  for (const [at, event] of [...first, created(50, '2'), ...deltas('1', 5, 50, 400)]) tracker.take(event, at)
  expect(Object.keys(tracker.allFlaws())).toEqual(['two-at-once'])
  expect(one !== undefined && tracker.isOver(one)).toBe(true)
})

test('an interruption that takes six tenths of a second to show has no flaw, though the text was over before', () => {
  const both = [created(50, '2'), ...deltas('1', 5, 50, 130), ...deltas('2', 8, 60, 10)]
  expect(flawsOf(error('4'), ...first, ...both, ...ended(650, '1'), ...rest)).toEqual([])
})

test('responses without id have no flaw, and are told as that', () => {
  const tracker = new ResponseTracker('ask ')
  tracker.ask('ask 1', 'x', 0)
  for (const type of ['response.created', 'response.created', 'response.done', 'response.done'])
    tracker.take({ type, response: { status: 'in_progress' } }, 0)
  expect([tracker.blind, ...Object.keys(tracker.allFlaws())]).toEqual([true])
})

test('one that was interrupted before it began is over; where no response names its request, the text tells whose it is', () => {
  const tracker = new ResponseTracker('ask ')
  const asked = ['one', 'two', 'three'].map((text) => tracker.ask(`ask ${text}`, text, 0))
  const said = [created(0, '1', ''), created(5, '3', ''), ...ended(9, '1', 'cancelled', 0)]
  for (const [at, event] of said) tracker.take({ ...event, request_event_id: undefined }, at)
  const place = { response_id: '3', item_id: 'item 3', output_index: 0 }
  tracker.take({ type: 'response.output_text.delta', ...place, delta: 'three' }, 20)
  tracker.take({ type: 'response.output_text.done', ...place, text: 'three' }, 20)
  tracker.take({ type: 'response.output_item.done', ...place, item: { id: 'item 3' } }, 20)
  tracker.take({ type: 'response.done', response: { id: '3', status: 'completed' } }, 30)
  expect(Object.keys(tracker.allFlaws())).toEqual([])
  expect(asked.map(({ doneAt }) => doneAt)).toEqual([9, undefined, 30])
  expect(asked.every((one) => tracker.isOver(one))).toBe(true)
})

test.each([undefined, null, ''])('events that name %j name nothing', (named) => {
  const tracker = new ResponseTracker('ask ')
  const [one, two] = ['one', 'two'].map((text) => tracker.ask(`ask ${text}`, text, 0, text === 'two'))
  tracker.take({ type: 'response.created', response: { id: '1' }, request_event_id: named }, 7)
  tracker.take({ type: 'error', error: { type: 'invalid_request_error', message: 'no', event_id: named } }, 8)
  expect([one?.createdAt, one?.named, two?.chain, tracker.namelessErrors]).toEqual([7, false, undefined, 1])
  expect(Object.keys(tracker.allFlaws())).toEqual([])
})

test('what was cleared may have begun before that was heard, and where no response names its request, no other is taken for it', () => {
  const tracker = new ResponseTracker('ask ')
  const ask = (text: string, waits = false) => tracker.ask(`ask ${text}`, text, 0, waits)
  const [spoken, cleared] = [ask('one'), ask('two', true)]
  cleared.cleared = true
  const [cut, last, waiting] = [ask('three'), ask('four'), ask('five', true)]
  const speak = (id: string, text: string, status = 'completed'): void => {
    const place = { response_id: id, item_id: `item ${id}`, output_index: 0 }
    tracker.take({ type: 'response.created', response: { id, status: 'in_progress' } }, 10)
    if (text !== '') tracker.take({ type: 'response.output_text.delta', ...place, delta: text }, 20)
    if (text !== '') tracker.take({ type: 'response.output_text.done', ...place, text }, 20)
    tracker.take({ type: 'response.output_item.done', ...place, item: { id: place.item_id } }, 20)
    tracker.take({ type: 'response.done', response: { id, status } }, 30)
  }
  speak('1', 'one')
  for (const id of ['2', '3']) speak(id, '', 'cancelled')
  speak('4', 'four')
  expect([spoken, cut, last].every((one) => tracker.isOver(one))).toBe(true)
  expect([last.chain?.status, tracker.isOver(waiting)]).toEqual(['completed', false])
  speak('5', 'five')
  expect([waiting.chain?.status, ...Object.keys(tracker.allFlaws())]).toEqual(['completed'])
})

test('a response that waits and begins before the last output of the other is told as that', () => {
  const both = [created(50, '2'), ...deltas('2', 4, 50, 10), created(100, '3'), ...deltas('2', 4, 110, 10)]
  const end = [...ended(200, '2'), ...deltas('3', 8, 200, 10), ...ended(300, '3')]
  expect(flawsOf(...both, ...end)).toEqual(['pending-early'])
})

test('a request that was rejected and begins all the same is told as that', () => {
  const late = [created(900, '4'), ...deltas('4', 8, 900, 10), ...ended(1_000, '4')]
  expect(flawsOf(created(50, '2'), error('4'), ...deltas('2', 8, 60, 10), ...rest, ...late)).toEqual(['rejected-ran'])
})

test('where no response names its request, nothing is said of their order', () => {
  const both = [created(0, '9', ''), created(50, '2', ''), created(100, '3', '')]
  const end = [
    ...ended(400, '9', 'completed', 8),
    ...ended(500, '2', 'completed', 0),
    ...ended(600, '3', 'completed', 0),
  ]
  const flaws = flawsOf(...both, ...deltas('9', 8, 110, 30), ...end)
  expect(flaws.filter((flaw) => ['two-at-once', 'pending-early', 'rejected-ran'].includes(flaw))).toEqual([])
})

test.each([
  ['was the opening, once', ['1'], false, []],
  ['was no opening in a later round', ['1'], true, ['request-answered-again']],
  ['was no opening each time', ['1', '2'], false, ['request-answered-again']],
])('what names no request, and came before its answer, %s', (_, doubled, opened, flaws) => {
  const tracker = new ResponseTracker('ask ', undefined, { cleared: [], failures: [], unbegun: 0, opened })
  for (const id of doubled) tracker.ask(`ask ${id}`, 'x'.repeat(8), 0)
  for (const id of doubled) {
    const double = created(5, `double of ${id}`, '')
    for (const [at, event] of [double, created(10, id), ...deltas(id, 8, 20, 10), ...ended(100, id)])
      tracker.take(event, at)
  }
  expect(Object.keys(tracker.flaws)).toEqual(flaws)
})

test.each([
  [true, 0, 0, ['created-missing']],
  // What never began may end all the same, and so may an opening.
  [true, 1, 0, []],
  [true, 0, 1, []],
  [false, 0, 0, []],
])(
  'an end without a beginning (opened %s, %i unbegun before, %i here) is flawed as %j',
  (opened, before, here, flaws) => {
    const tracker = new ResponseTracker('ask ', undefined, { cleared: [], failures: [], unbegun: before, opened })
    for (let asked = 0; asked < here; asked += 1) tracker.ask(`ask ${asked}`, 'xxxxxxxx', 0)
    tracker.take({ type: 'response.done', response: { id: 'another', status: 'cancelled' } }, 5)
    expect(Object.keys(tracker.allFlaws())).toEqual(flaws)
  },
)
