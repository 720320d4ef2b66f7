import { expect, test } from 'vitest'
import { converseMeasures, type ConverseTally } from '../core/converse-measures.ts'
import type { Created, Session } from '../core/envelope.ts'
import { Tally, type TallyJson } from '../core/tally.ts'
import type { Workload } from '../workloads.ts'
import { converse } from './converse.ts'
import type { Line, Listener, Stage } from './stage.ts'

const workload: Workload = {
  users: 1,
  conversations: 1,
  speeches: 2,
  characters: 40,
  patience_ms: 1_000,
  conversation_ms: 5_000,
  lag_bound_ms: 5,
}

const session: Session = { id: 's1', url: 'wss://127.0.0.1/control?session_id=s1', secret: 'x' }

/** What a target does with a `response.create`, after so many milliseconds each. */
type Answer = (request: { event_id: string; text: string }) => readonly (readonly [number, object | 'hang up'])[]

/** A stage without a machine: its time passes only by what is to be done. */
class FakeStage implements Stage {
  readonly name = 'run-1-0'
  readonly log: string[] = []
  readonly written: TallyJson[] = []
  readonly tally: ConverseTally = new Tally(
    converseMeasures({ serverEvents: ['response.created', 'response.done'], errorCodes: ['30004', '30008'] }),
  )
  readonly #created: Created[]
  readonly #answer: Answer
  #opens = true
  #closes = true
  #time = 0
  #tasks: { due: number; task: () => void }[] = []

  constructor(answer: Answer, created: readonly Created[] = [{ session }]) {
    this.#answer = answer
    this.#created = [...created]
  }

  /** A target whose handshake never ends. */
  neverOpens(): this {
    this.#opens = false
    return this
  }

  /** A target that does not close when asked. */
  neverCloses(): this {
    this.#closes = false
    return this
  }

  now(): number {
    return this.#time
  }

  random(): number {
    return 0.5
  }

  later(ms: number, task: () => void): () => void {
    const entry = { due: this.#time + ms, task }
    this.#tasks.push(entry)
    return () => (this.#tasks = this.#tasks.filter((other) => other !== entry))
  }

  createSession(): Created {
    this.log.push(`create at ${this.#time}`)
    return this.#created.shift() ?? { refusal: 'network' }
  }

  closeSession(id: string): void {
    this.log.push(`close ${id}`)
  }

  connect(_: Session, listener: Listener): Line {
    if (this.#opens) this.later(1, () => listener.opened())
    return {
      send: (frame) => this.#receive(listener, frame),
      close: () => {
        this.log.push('hang up')
        if (this.#closes) this.later(1, () => listener.ended())
      },
    }
  }

  flush(): void {
    this.written.push(this.tally.toJSON())
    this.tally.clear()
  }

  /** Plays until nothing is left to do. */
  play(): TallyJson {
    converse(this, workload)
    for (let next = this.#next(); next !== undefined; next = this.#next()) {
      this.#time = next.due
      next.task()
    }
    const all: ConverseTally = new Tally(this.tally.measures)
    for (const json of this.written) all.addJson(json)
    return all.toJSON()
  }

  #next(): { due: number; task: () => void } | undefined {
    const next = this.#tasks.toSorted((left, right) => left.due - right.due)[0]
    this.#tasks = this.#tasks.filter((entry) => entry !== next)
    return next
  }

  #receive(listener: Listener, frame: string): void {
    const { event_id, response } = JSON.parse(frame)
    let due = 0
    for (const [wait, what] of this.#answer({ event_id, text: response.script.vocal.text })) {
      due += wait
      const at = this.#time + due
      const tell = what === 'hang up' ? () => listener.ended() : () => listener.heard(JSON.stringify(what), at)
      this.later(due, tell)
    }
  }
}

/** A correct answer: two deltas, 20 ms apart. */
const right: Answer = ({ event_id, text }) => {
  const place = { response_id: `r ${event_id}`, item_id: `i ${event_id}`, output_index: 0 }
  const response = { id: `r ${event_id}`, status: 'completed' }
  return [
    [5, { type: 'response.created', response, request_event_id: event_id }],
    [10, { type: 'response.output_text.delta', ...place, delta: text.slice(0, 7) }],
    [20, { type: 'response.output_text.delta', ...place, delta: text.slice(7) }],
    [0, { type: 'response.output_text.done', ...place, text }],
    [0, { type: 'response.output_item.done', ...place, item: { id: place.item_id, type: 'message' } }],
    [1, { type: 'response.done', response }],
  ]
}

test('two speeches are spoken, counted and timed, and the session is closed', () => {
  const stage = new FakeStage(right)
  const { conversations, responses, events, flaws, ...times } = stage.play()
  expect({ conversations, responses, flaws }).toEqual({
    conversations: { begun: 1, whole: 1 },
    responses: { whole: 2 },
    flaws: undefined,
  })
  expect(events).toEqual({ 'response.created': 2, 'response.done': 2, other: 8 })
  expect(Object.keys(times).toSorted()).toEqual([
    'created_ms',
    'delta_gap_ms',
    'first_delta_ms',
    'handler_lag_ms',
    'response_ms',
  ])
  expect(stage.log).toEqual(['create at 0', 'hang up', 'close s1'])
})

test('that a conversation began is told before anything else', () => {
  const stage = new FakeStage(right)
  stage.play()
  expect(stage.written[0]).toEqual({ conversations: { begun: 1 } })
})

test.each<[string, Answer, object]>([
  ['silence', () => [], { conversations: { begun: 1, stopped: 1 }, responses: { silent: 1 } }],
  ['an end without a reason', () => [[5, 'hang up']], { conversations: { begun: 1, cut: 1 }, responses: { cut: 1 } }],
  [
    'a session that closes',
    () => [[5, { type: 'session.closed', session_id: 's1', reason: 'maintenance' }]],
    { conversations: { begun: 1, cut: 1 }, responses: { cut: 1 } },
  ],
  [
    'a rejection',
    ({ event_id }) => [[5, { type: 'error', error: { type: 'invalid_request_error', message: 'no', event_id } }]],
    { conversations: { begun: 1, stopped: 1 }, responses: { rejected: 1 } },
  ],
  [
    'failed responses',
    ({ event_id }) => [
      [5, { type: 'response.created', response: { id: event_id }, request_event_id: event_id }],
      [5, { type: 'response.done', response: { id: event_id, status: 'failed' } }],
    ],
    { conversations: { begun: 1, whole: 1 }, responses: { unfinished: 2 } },
  ],
  [
    'text that got lost',
    (request) => right(request).toSpliced(1, 1),
    { conversations: { begun: 1, whole: 1 }, responses: { broken: 2 }, flaws: { 'text-lost': 2 } },
  ],
  [
    'events without end',
    () => Array.from({ length: 3_000 }, (): [number, object] => [0, { type: 'weather' }]),
    { conversations: { begun: 1, stopped: 1 }, responses: { flooded: 1 } },
  ],
])('%s is told as what it is', (_, answer, expected) => {
  const stage = new FakeStage(answer)
  expect(stage.play()).toMatchObject(expected)
  expect(stage.log.at(-1)).toBe('close s1')
})

test('a slow answer is awaited as long as something moves', () => {
  const slow: Answer = (request) => right(request).map(([, event]) => [300, event])
  expect(new FakeStage(slow).play()).toMatchObject({ responses: { whole: 2 } })
})

test('a conversation that goes on for ever is stopped', () => {
  const endless: Answer = (request) => [
    ...right(request).slice(0, 2),
    ...Array.from({ length: 20 }, (): [number, object] => [900, right(request)[1]?.[1] as object]),
  ]
  expect(new FakeStage(endless).play()).toMatchObject({ responses: { silent: 1 } })
})

test('a handshake that never ends leaves the session closed', () => {
  const stage = new FakeStage(right).neverOpens()
  expect(stage.play()).toEqual({ conversations: { begun: 1, unopened: 1 } })
  expect(stage.log).toEqual(['create at 0', 'hang up', 'close s1'])
})

test('a target that does not close when asked is left all the same', () => {
  const stage = new FakeStage(right).neverCloses()
  expect(stage.play()).toMatchObject({ conversations: { begun: 1, whole: 1 } })
  expect(stage.log.at(-1)).toBe('close s1')
})

test('a create that failed for the moment is tried again, later and later', () => {
  const stage = new FakeStage(right, [{ refusal: 'http-5xx' }, { refusal: '30008' }, { session }])
  expect(stage.play()).toMatchObject({ conversations: { begun: 1, whole: 1 }, refusals: { 'http-5xx': 1, '30008': 1 } })
  expect(stage.log.slice(0, 3)).toEqual(['create at 0', 'create at 200', 'create at 600'])
})

test('a create that was refused for good is not tried again', () => {
  const stage = new FakeStage(right, [{ refusal: '30004' }])
  expect(stage.play()).toEqual({
    conversations: { begun: 1, refused: 1 },
    refusals: { '30004': 1 },
    turned_away: { '30004': 1 },
  })
  expect(stage.log).toEqual(['create at 0'])
})
