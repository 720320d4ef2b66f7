import { expect, test } from 'vitest'
import { saidOf } from '#testing/said-of'
import { TraceBuilder } from '#testing/trace-builder'
import type { Json, JsonObject } from '#trace/json'
import { choices } from './choices.rules.ts'
import { file } from './file.rules.ts'

const part = { name: 'file', filename: 'speech.wav', content_type: 'audio/wav', bytes: 100, sha256: 'aa' }
const good: JsonObject = {
  file_id: 'file_aud_1',
  file_type: 'audio',
  mime_type: 'audio/wav',
  size_bytes: 100,
  url: 'https://cdn.example/1',
  created_at: '2026-11-21T12:00:00Z',
}

interface SentFile {
  readonly data: Json
  readonly part?: JsonObject
}

function said(...uploads: readonly SentFile[]): ReadonlySet<string> {
  const trace = new TraceBuilder()
  for (const { data, part: sent = part } of uploads) {
    trace.rest('upload-audio', { body: { code: 0, message: 'ok', data } }, { multipart: [sent] })
  }
  return saidOf([file, choices], trace)
}

test('an audio file as the interface shows it bears out all that one upload can', () => {
  const found = said({ data: { ...good, size_bytes: '100', duration_ms: 5 } })
  expect([...found].filter((one) => one.startsWith('broken'))).toEqual([])
  for (const row of ['object', 'id-shaped', 'type-audio', 'mime-type-string', 'url-absolute', 'size-bytes-exact']) {
    expect(found).toContain(`held audio-files.file.${row}`)
  }
  expect(found).not.toContain('held audio-files.file.ids-distinct')
})

test('a file that is later than its upload was dated in another zone', () => {
  const told = (created_at: string): string[] => {
    const trace = new TraceBuilder()
    const headers = { date: 'Sat, 21 Nov 2026 12:00:00 GMT' }
    const body = { code: 0, message: 'ok', data: { ...good, created_at } }
    trace.rest('upload-audio', { headers, body }, { multipart: [part] })
    return [...saidOf([file], trace)].filter((one) => one.endsWith('not-ahead'))
  }
  expect(told('2026-11-21T14:00:00Z')).toEqual(['broken audio-files.file.created-at-not-ahead'])
  expect(told('2026-11-21T14:00:00+02:00')).toEqual(['held audio-files.file.created-at-not-ahead'])
  expect(told('2025-11-21T12:00:00Z')).toEqual(['held audio-files.file.created-at-not-ahead'])
})

test.each<[string, Json, string]>([
  ['no object', 'file_aud_1', 'object'],
  ['no file_id', { ...good, file_id: null }, 'id-string'],
  ['a bare file_id', { ...good, file_id: 'f1' }, 'id-shaped'],
  ['a file_id that is only the prefix', { ...good, file_id: 'file_aud_' }, 'id-shaped'],
  ['another file_type', { ...good, file_type: 'audio/wav' }, 'type-audio'],
  ['no type', { ...good, mime_type: 'wav' }, 'mime-type-string'],
  ['a size in kilobytes', { ...good, size_bytes: 0.1 }, 'size-bytes-integer'],
  ['the size of the form', { ...good, size_bytes: 312 }, 'size-bytes-exact'],
  ['another size in a string', { ...good, size_bytes: '101' }, 'size-bytes-exact'],
  ['a path', { ...good, url: '/files/1' }, 'url-absolute'],
  ['no url', { ...good, url: null }, 'url-string'],
  ['an empty url', { ...good, url: '' }, 'url-string'],
  ['an empty file_id', { ...good, file_id: '' }, 'id-string'],
  ['seconds', { ...good, created_at: 1_795_262_400 }, 'created-at-timestamp'],
])('%s breaks its row and no other', (_, data, row) => {
  const found = [...said({ data })].filter((one) => one.startsWith('broken'))
  expect(found).toEqual([`broken audio-files.file.${row}`])
})

test('what is no string says nothing about its form', () => {
  const found = said({ data: { ...good, file_id: 7, url: null } })
  expect(found).not.toContain('held audio-files.file.id-shaped')
  expect(found).not.toContain('held audio-files.file.url-absolute')
})

test.each([
  ['id', 'ids-distinct', { file_id: 'file_aud_2' }],
  ['URL', 'urls-distinct', { url: 'https://cdn.example.com/2' }],
])('other bytes need another %s, the same bytes do not', (_, name, fresh) => {
  const other = { ...part, sha256: 'bb' }
  const row = `audio-files.file.${name}`
  expect(said({ data: good }, { data: good, part: other })).toContain(`broken ${row}`)
  expect(said({ data: good }, { data: { ...good, ...fresh }, part: other })).toContain(`held ${row}`)
  const twice = said({ data: good }, { data: good })
  expect([...twice].filter((one) => one.endsWith(row))).toEqual([])
})
