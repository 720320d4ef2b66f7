import { expect, test } from 'vitest'
import { TraceBuilder } from '#testing/trace-builder'
import { indexTrace } from '#judge/trace-index'
import { idInPath } from './history.ts'

function idIn(path: string): string | undefined {
  const trace = new TraceBuilder()
  trace.rest('get-character', { status: 404 }, {}, 'primary', path)
  const [record] = indexTrace(trace.entries).exchanges.values()
  return record === undefined ? undefined : idInPath(record)
}

test('an id is read out of any path, also where it is no proper encoding', () => {
  expect(idIn('/v1/characters/chr%5F1?x=1')).toBe('chr_1')
  expect(idIn('/v1/characters/100%')).toBe('100%')
})
