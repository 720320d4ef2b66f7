import { expect, test } from 'vitest'
import { saidOf } from '#testing/said-of'
import { TraceBuilder } from '#testing/trace-builder'
import type { JsonObject } from '#trace/json'
import { characterShape } from './shape.rules.ts'

const row = 'characters.character.shape'
const times = { created_at: '2026-01-15T12:00:00Z', updated_at: '2026-01-15T12:00:00Z' }
const plain: JsonObject = {
  name: 'n',
  model: 'svc-a1-stream',
  session: { mode: 'text_chat' },
  avatars: [{ avatar_id: 'ada' }],
}

/** What is said of reads that show an output which is of no shape, after a client saved this. */
function said(saved: JsonObject): readonly string[] {
  const trace = new TraceBuilder({ recording: 'watch' })
  const answer = (data: JsonObject) => ({ body: { code: 0, message: '', data } })
  const shown = { ...saved, ...times, character_id: 'chr_1' }
  trace.rest('create-character', answer(shown), saved)
  trace.rest('get-character', answer({ ...shown, output: { aspect_ratio: 7 } }), {}, 'primary', '/v1/characters/chr_1')
  return [...saidOf([characterShape], trace)].filter((one) => one.endsWith(row))
}

test('what a client saved in a wrong shape may be read so', () => {
  expect(said({ ...plain, output: { aspect_ratio: 7 } })).toEqual([])
})

test('what it never saved is the service’s', () => {
  expect(said(plain)).toContain(`broken ${row}`)
})

test('an empty member that only a session has tells of no session; one that holds something does', () => {
  const noSession = 'characters.create.starts-no-session'
  const told = (more: JsonObject): readonly string[] => {
    const trace = new TraceBuilder()
    const data = { ...plain, ...times, character_id: 'chr_1', ...more }
    trace.rest('create-character', { body: { code: 0, message: '', data } }, plain)
    return [...saidOf([characterShape], trace)].filter((one) => one.endsWith(noSession))
  }
  const media = (room_id: string) => ({ delivery: { media: { transport: '', rtc_a: { room_id } } } })
  expect(told({ session_id: '', control: {}, ...media('') })).toEqual([`held ${noSession}`])
  expect(told(media('room-1'))).toEqual([`broken ${noSession}`])
})
