import { expect, test } from 'vitest'
import { indexTrace } from '#judge/trace-index'
import { TraceBuilder } from '#testing/trace-builder'
import type { JsonObject } from '#trace/json'
import { responsesOf } from './responses.ts'
import { sessionsOf } from './sessions.ts'

const delta = (response_id: string, item_id: string): JsonObject => ({
  type: 'response.output_text.delta',
  event_id: `delta-${item_id}`,
  response_id,
  item_id,
  output_index: 0,
  delta: 'Hm.',
})

const started = (id: string): JsonObject => ({
  type: 'response.created',
  event_id: `created-${id}`,
  response: { id, status: 'in_progress', output: [] },
})

/** 2.10: its `id` is optional. */
const nameless = (nth: number, ...output: JsonObject[]): JsonObject => ({
  type: 'response.done',
  event_id: `done-${nth}`,
  response: { status: 'completed', output },
})

/** Which response each nameless end was given to, on a connection that saw the first one only from its middle on. */
function endsOf(
  ...ends: readonly JsonObject[]
): readonly (readonly [id: string | undefined, ends: number, guessed: boolean])[] {
  const builder = new TraceBuilder()
  builder.created()
  const channel = builder.opened()
  for (const event of [delta('first', 'item-1'), started('second'), ...ends]) builder.received(channel, event)
  const [session] = sessionsOf(indexTrace(builder.entries))
  return session === undefined ? [] : responsesOf(session).map(({ id, done, guessed }) => [id, done.length, guessed])
}

test('an end without an id belongs to the response whose items it lists, though its start was not seen', () => {
  expect(endsOf(nameless(1, { id: 'item-1', type: 'message' }))).toEqual([
    ['first', 1, false],
    ['second', 0, false],
  ])
})

test('one that lists nothing belongs to the oldest, and is no more than a guess', () => {
  expect(endsOf(nameless(1), nameless(2))).toEqual([
    ['first', 1, true],
    ['second', 1, true],
  ])
})
