import { expect, test } from 'vitest'
import { saidOf } from '#testing/said-of'
import { TraceBuilder } from '#testing/trace-builder'
import type { JsonObject } from '#trace/json'
import { characterTimes } from './times.rules.ts'

const row = 'characters.character.created-at-utc'
const soon = '2026-01-15T12:00:00Z'
const later = '2026-01-15T20:00:00Z'
const body: JsonObject = { name: 'n', model: 'svc-a1-stream', avatars: [{ avatar_id: 'ada' }] }

/** What is said of a character with this time, on a service without `Date` that dates its audio files so. */
function said(created_at: string, uploaded_at?: string): readonly string[] {
  const trace = new TraceBuilder()
  const answer = (data: JsonObject) => ({ body: { code: 0, message: '', data } })
  if (uploaded_at !== undefined) trace.rest('upload-audio', answer({ file_id: 'file_aud_1', created_at: uploaded_at }))
  trace.rest('create-character', answer({ ...body, character_id: 'chr_1', created_at, updated_at: created_at }), body)
  return [...saidOf([characterTimes], trace)].filter((one) => one.endsWith(row))
}

test('without the date of the answer, our clock tells when a character was made', () => {
  expect(said(soon)).toEqual([`held ${row}`])
})

test('another time is wrong where the service is known to have our clock', () => {
  expect(said(later, soon)).toEqual([`broken ${row}`])
})

test('its clock may be another one', () => {
  expect(said(later)).toEqual([`unobserved ${row}`])
  expect(said(later, later)).toEqual([`unobserved ${row}`])
})

const movedRow = 'characters.character.updated-at-moved-by-replace'

/** What is said of a replace that tells the second of the create, by whose answer it came at this time. */
function saidOfReplace(date: string): readonly string[] {
  const trace = new TraceBuilder()
  const answer = (at: string) => ({
    headers: { date: new Date(at).toUTCString() },
    body: { code: 0, message: '', data: { ...body, character_id: 'chr_1', created_at: soon, updated_at: soon } },
  })
  trace.rest('create-character', answer(soon), body)
  trace.pass(1_200)
  trace.rest('replace-character', answer(date), { ...body, name: 'm' }, 'primary', '/v1/characters/chr_1')
  return [...saidOf([characterTimes], trace)].filter((one) => one.endsWith(movedRow))
}

test('a replace that leaves the time as it was is wrong by its own clock, and right by that of a machine that is behind', () => {
  expect(saidOfReplace('2026-01-15T12:00:01Z')).toEqual([`broken ${movedRow}`])
  expect(saidOfReplace(soon)).toEqual([`unobserved ${movedRow}`])
})
