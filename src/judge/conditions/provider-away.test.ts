import { expect, test } from 'vitest'
import { TraceBuilder } from '#testing/trace-builder'
import { accepted } from '#trace/conditions'
import { judgeClaim } from '../findings.ts'
import { indexTrace } from '../trace-index.ts'

/** What becomes of the claim that a request is accepted which is refused twice with this code, while another one is taken. */
function refusedTwice(operation: string, code: number): string {
  const trace = new TraceBuilder()
  const refusal = { status: 502, body: { code, message: 'no' } }
  const exchange = trace.rest(operation, refusal, { name: 'long' })
  trace.pass(400).again(exchange, refusal)
  trace.rest('clone-voice', { body: { code: 0, message: 'ok', data: { voice_id: 'voice_1' } } }, { name: 'short' })
  trace.claim('part.a.must', accepted(exchange))
  const index = indexTrace(trace.entries)
  const [claim] = index.claims
  const outcome = claim === undefined ? undefined : judgeClaim(index, claim.entry)
  return outcome !== undefined && 'eachTime' in outcome ? 'each time' : (outcome?.state ?? 'none')
}

test('a clone whose provider failed speaks against the target only where it does so each time', () => {
  expect(refusedTwice('clone-voice', 30007)).toBe('each time')
  expect(refusedTwice('clone-voice', 20004)).toBe('broken')
  expect(refusedTwice('upload-audio', 30007)).toBe('broken')
})
