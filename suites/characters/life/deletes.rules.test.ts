import { expect, test } from 'vitest'
import { saidOf } from '#testing/said-of'
import { TraceBuilder } from '#testing/trace-builder'
import type { Json } from '#trace/json'
import { deletes } from './deletes.rules.ts'

function told(data: Json, code = 0): readonly string[] {
  const trace = new TraceBuilder()
  trace.rest('delete-character', { body: { code, message: 'said', data } }, {}, 'primary', '/v1/characters/chr_1')
  return [...saidOf([deletes], trace)].filter((one) => one.startsWith('broken'))
}

test('a delete answers with the id and the status', () => {
  expect(told({ character_id: 'chr_1', status: 'deleted', name: 'Ada' })).toEqual([])
  expect(told(null, 20_005)).toEqual([])
})

test.each<[Json, readonly string[]]>([
  [{ character_id: 'chr_1', status: 'deleting' }, ['status-deleted']],
  [{ character_id: 'chr_2', status: 'deleted' }, ['character-id']],
  [null, ['status-deleted', 'character-id']],
])('%j is told what it lacks', (data, rows) => {
  expect(told(data)).toEqual(rows.map((row) => `broken characters.delete.${row}`))
})
