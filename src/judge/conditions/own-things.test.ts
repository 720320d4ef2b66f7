import { expect, test } from 'vitest'
import { TraceBuilder } from '#testing/trace-builder'
import type { Condition } from '#trace/claim'
import { accepted, rejected } from '#trace/conditions'
import { judgeClaim } from '../findings.ts'
import { indexTrace } from '../trace-index.ts'

const ok = (data: { [name: string]: string }) => ({ body: { code: 0, message: 'ok', data } })
const other = 'other_workspace'

function stateOf(trace: TraceBuilder, condition: Condition): string {
  trace.claim('part.a.must', condition)
  const index = indexTrace(trace.entries)
  const [claim] = index.claims
  return claim === undefined ? 'none' : judgeClaim(index, claim.entry).state
}

/** What becomes of the claim that a file of `primary` is not found by another workspace, where files were uploaded in this order. */
function foreignFile(
  uploads: readonly (readonly ['primary' | 'other_workspace', string])[],
  answer: Parameters<TraceBuilder['rest']>[1] = ok({ voice_id: 'voice_2' }),
): string {
  const trace = new TraceBuilder()
  for (const [key, file_id] of uploads) trace.rest('upload-audio', ok({ file_id }), {}, key)
  const file_id = uploads.findLast(([key]) => key === 'primary')?.[1] ?? ''
  const works = trace.rest('clone-voice', ok({ voice_id: 'voice_1' }), { name: 'A', file_id })
  const asked = trace.rest('clone-voice', answer, { name: 'B', file_id }, other)
  return stateOf(trace, rejected(asked, accepted(works), [20005]))
}

test('a workspace whose count had come as far may have a file of the same number', () => {
  const ahead = [
    [other, 'file_aud_100040'],
    [other, 'file_aud_100041'],
    ['primary', 'file_aud_100010'],
  ] as const
  expect(foreignFile(ahead)).toBe('unobserved')
  expect(foreignFile(ahead, { status: 400, body: { code: 30004, message: 'no speech' } })).toBe('unobserved')
  expect(foreignFile(ahead, { status: 404, body: { code: 20005, message: 'not found' } })).toBe('held')
})

test('it has none where its count is behind, where all are counted together, and where nothing is counted', () => {
  const behind = [
    ['primary', 'file_aud_100040'],
    ['primary', 'file_aud_100041'],
    [other, 'file_aud_100010'],
  ] as const
  const together = [
    ['primary', 'file_aud_100040'],
    [other, 'file_aud_100041'],
    ['primary', 'file_aud_100042'],
    [other, 'file_aud_100043'],
  ] as const
  const random = [
    [other, 'file_aud_982304'],
    [other, 'file_aud_120934'],
    ['primary', 'file_aud_100010'],
  ] as const
  for (const uploads of [behind, together, random]) expect(foreignFile(uploads)).toBe('broken')
})

test('a workspace that was given the same id itself has its own', () => {
  const once = [
    [other, 'file_aud_982304'],
    ['primary', 'file_aud_120934'],
  ] as const
  expect(foreignFile([[other, 'file_aud_120934'], ...once])).toBe('unobserved')
  expect(foreignFile(once)).toBe('broken')
})

/** What becomes of the claim that a voice of `primary` is not found by another workspace, which is shown this name. */
function foreignVoice(name: string, key = other): string {
  const trace = new TraceBuilder()
  const works = trace.rest('clone-voice', ok({ voice_id: 'voice_1', name: 'Ada' }), { name: 'Ada', file_id: 'f' })
  const got = trace.rest('get-voice', ok({ voice_id: 'voice_1', name }), {}, key, '/v1/voices/voice_1')
  return stateOf(trace, rejected(got, accepted(works)))
}

test('what it is shown under another name is its own, and nothing else is', () => {
  expect(foreignVoice('Grace')).toBe('unobserved')
  expect(foreignVoice('Ada')).toBe('broken')
  expect(foreignVoice('')).toBe('broken')
})

test('of what nobody else made nothing is excused', () => {
  expect(foreignVoice('Ada', 'primary')).toBe('broken')
})

/** What becomes of the claim that another workspace does not find a voice, of which both count, where two clones crossed. */
function crossed(name: string, isBeside: boolean): string {
  const trace = new TraceBuilder()
  const clone = (key: string, id: string, called: string): void =>
    void trace.rest('clone-voice', ok({ voice_id: `voice_${id}`, name: called }), { name: called, file_id: 'f' }, key)
  clone('primary', '101', 'Ada')
  clone(other, '102', 'Ben')
  clone(other, '104', 'Dan')
  clone('primary', '103', 'Cid')
  clone('primary', '105', 'Eve')
  if (isBeside) {
    // The request for 103 was sent before that for 104.
    const [moved] = trace.entries.splice(7, 1)
    if (moved !== undefined) trace.entries.splice(5, 0, moved)
  }
  const works = trace.rest('get-voice', ok({ voice_id: 'voice_104', name: 'Dan' }), {}, other, '/v1/voices/voice_104')
  const got = trace.rest('get-voice', ok({ voice_id: 'voice_104', name }), {}, 'primary', '/v1/voices/voice_104')
  return stateOf(trace, rejected(got, accepted(works), [20005]))
}

test('where all are counted together two that ran side by side may be answered in either order', () => {
  expect(crossed('', true)).toBe('broken')
  expect(crossed('', false)).toBe('unobserved')
})

test('what it is shown under the name that another workspace gave in this run is that one’s', () => {
  expect(crossed('Dan', false)).toBe('broken')
})
