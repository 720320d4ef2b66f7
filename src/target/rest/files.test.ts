import { afterAll, expect, test } from 'vitest'
import { RawTarget } from '#testing/raw-target/raw-target'
import { FORM_TYPE, formOf, send, upload, wavOf } from '#testing/raw-target/upload'

const raw = await RawTarget.open()
afterAll(() => raw.stop())

const WAV = wavOf(1)
const ebml = (codec: string): Buffer =>
  Buffer.concat([Buffer.from('1a45dfa3934282847765626d', 'hex'), Buffer.from(`\0\0\0\0${codec}`), Buffer.alloc(200)])
const mp4 = (brand: string, handler = 'soun'): Buffer =>
  Buffer.concat([Buffer.from(`\0\0\0\x14ftyp${brand}\0\0\0\0${brand}\0\0\0\x10hdlr\0\0\0\0\0\0\0\0${handler}`), WAV])
const OGG = Buffer.concat([Buffer.from(`OggS\0\x02${'\0'.repeat(20)}\x01\x13OpusHead`), Buffer.alloc(100)])
const mpeg = Buffer.concat(
  Array.from({ length: 20 }, () => Buffer.concat([Buffer.from('fffb5064', 'hex'), Buffer.alloc(204)])),
)

test('an upload is answered with the file that it made', async () => {
  const { code, data, status } = await upload(raw, WAV)
  expect([code, status]).toEqual([0, 200])
  expect(data).toEqual({
    file_id: expect.stringMatching(/^file_aud_[0-9a-f]{16}$/u),
    file_type: 'audio',
    mime_type: 'audio/wav',
    size_bytes: WAV.length,
    url: expect.stringMatching(/^https:\/\/cdn\./u),
    created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/u),
  })
  expect((await upload(raw, WAV)).data['file_id']).not.toBe(data['file_id'])
})

test.each([
  ['audio/wav', WAV],
  ['audio/mpeg', mpeg],
  ['audio/mpeg', Buffer.concat([Buffer.from('ID3\x04\0\0\0\0\0\x0a'), Buffer.alloc(10), mpeg])],
  ['audio/mp4', mp4('M4A ')],
  ['audio/mp4', mp4('isom')],
  ['audio/ogg', OGG],
  ['audio/webm', ebml('A_OPUS')],
])('%s is found in the bytes, whatever the form declares', async (found, bytes) => {
  for (const type of [found, 'audio/webm', 'application/octet-stream', null]) {
    const { code, data } = await send(raw, formOf([{ name: 'file', bytes, type }]))
    expect([code, data['mime_type']]).toEqual([0, found])
  }
})

test.each([
  ['a picture', Buffer.from('89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c489', 'hex'), 'audio/wav'],
  ['a text', Buffer.from('not a sound at all'), 'audio/wav'],
  ['a film in WebM', ebml('V_VP9'), 'audio/webm'],
  ['a film in MP4', mp4('isom', 'vide'), 'audio/mp4'],
  ['another sound format', Buffer.concat([Buffer.from('fLaC\0\0\0\x22'), Buffer.alloc(100)]), 'audio/wav'],
])('%s is of no supported type', async (_kind, bytes, type) => {
  expect((await send(raw, formOf([{ name: 'file', bytes, type }]))).code).toBe(20008)
})

test('a file may have ten binary megabytes and not a byte more', async () => {
  const codes = []
  for (const bytes of [10_000_000, 10_485_760, 10_485_761]) codes.push((await upload(raw, wavOf(1, { bytes }))).code)
  expect(codes).toEqual([0, 0, 20007])
})

test('a body that is too large for any upload is too large, too', async () => {
  const reply = await send(raw, Buffer.alloc(65 * 1024 * 1024)).catch((error: unknown) => error)
  // The answer may be lost to a reset, since it comes before the body was read.
  expect(reply instanceof Error || reply).toSatisfy((one: unknown) => one === true || Object(one).code === 20007)
})

test('an empty file is told from a missing one', async () => {
  const empty = await upload(raw, Buffer.alloc(0))
  const other = await send(raw, formOf([{ name: 'audio', bytes: WAV }]))
  const none = await send(raw, formOf([]))
  expect([empty.code, other.code, none.code]).toEqual([20006, 20010, 20010])
})

test('fields beside the file do no harm', async () => {
  const note = { name: 'note', bytes: Buffer.from('hello'), filename: null, type: null }
  const { code, data } = await send(raw, formOf([note, { name: 'file', bytes: WAV }, note]))
  expect([code, data['size_bytes']]).toEqual([0, WAV.length])
})

const whole = formOf([{ name: 'file', bytes: WAV }])
test.each([
  ['JSON', Buffer.from('{"file":"x"}'), 'application/json'],
  ['no boundary', whole, 'multipart/form-data'],
  ['another boundary', whole, 'multipart/form-data; boundary=other'],
  ['an end that is missing', whole.subarray(0, -40), FORM_TYPE],
  ['an end in the head of a part', whole.subarray(0, 40), FORM_TYPE],
  ['nothing', Buffer.alloc(0), FORM_TYPE],
  ['no form', Buffer.from('file=1'), 'application/x-www-form-urlencoded'],
])('%s is no valid form', async (_kind, body, type) => {
  expect((await send(raw, body, { type })).code).toBe(20009)
})

test('keys without billing or balance upload nothing', async () => {
  const keys = ['access_denied', 'billing_inactive', 'insufficient_balance'] as const
  const replies = await Promise.all(keys.map((key) => upload(raw, WAV, key)))
  expect(replies.map(({ code }) => code)).toEqual([0, 10004, 10005])
  expect((await send(raw, whole, { key: null })).code).toBe(10001)
})
