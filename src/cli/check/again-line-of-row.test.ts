import { expect, test } from 'vitest'
import { indexTrace } from '#judge/trace-index'
import { resender } from '#report/curl'
import { TraceBuilder } from '#testing/trace-builder'
import { againLines, type ShownBy } from './again-lines.ts'

/** What is printed for failures of a trace. @param shownBy by requirement */
function againOf(trace: TraceBuilder, shownBy: { readonly [id: string]: ShownBy }): ReturnType<typeof againLines> {
  const profile = { keys: { primary: 'GR_KEY' } }
  return againLines({
    profile,
    index: indexTrace(trace.entries),
    shownBy: (id) => shownBy[id],
    folder: 'out/replay',
    curl: resender(trace.entries, 'https://x.example', profile),
  })
}

test('rows that the same lines break have lines of their own', () => {
  const trace = new TraceBuilder()
  trace.rest('get-avatar-session', { body: { code: 0 } }, {}, 'primary', '/v1/realtime-avatar/sessions/s1')
  const again = againOf(trace, { 'a.first': 'script', 'a.second': 'curl', 'a.third': 'script' })
  expect(again([2, 3], 'a.first')).toBe('node out/replay/a.first.mjs')
  expect(again([2, 3], 'a.second')).toMatch(/^curl /)
  expect(again([2, 3], 'a.third')).toBe('node out/replay/a.third.mjs')
})

test('of a request alone that names what the run made no curl line is made, wherever it names it', () => {
  const trace = new TraceBuilder()
  trace.rest('create-character', { body: { code: 0, data: { character_id: 'chr_12345678' } } })
  trace.rest('create-avatar-session', { body: { code: 10001 } }, { avatars: [{ character_id: 'chr_12345678' }] })
  trace.rest('create-avatar-session', { body: { code: 10001 } }, { character_id: 'mine' })
  const path = '/v1/realtime-avatar/sessions?page_token=chr_12345678'
  trace.rest('list-avatar-sessions', { body: { code: 10001 } }, {}, 'primary', path)
  const again = againOf(trace, {})
  expect(again([2, 3])).toMatch(/^curl /)
  expect(again([4, 5])).toBeUndefined()
  expect(again([6, 7])).toMatch(/^curl /)
  expect(again([8, 9])).toBeUndefined()
})

test('what was told only later was not made yet', () => {
  const trace = new TraceBuilder()
  trace.rest('create-avatar-session', { body: { code: 10001 } }, { character_id: 'chr_12345678' })
  trace.rest('list-characters', { body: { code: 0, data: { characters: [{ character_id: 'chr_12345678' }] } } })
  expect(againOf(trace, {})([2, 3])).toMatch(/^curl /)
})
