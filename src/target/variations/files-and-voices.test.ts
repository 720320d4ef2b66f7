import { expect, test } from 'vitest'
import { RawTarget, textBody } from '#testing/raw-target/raw-target'
import { formOf, send, upload, wavOf } from '#testing/raw-target/upload'
import { type JsonObject, objectsAt } from '../wire.ts'

const WAV = wavOf(6)
const M4A = Buffer.concat([Buffer.from('\0\0\0\x14ftypM4A \0\0\0\0M4A '), Buffer.alloc(100)])
const OGG = Buffer.concat([Buffer.from(`OggS\0\x02${'\0'.repeat(20)}\x01\x13OpusHead`), Buffer.alloc(100)])
const note = { name: 'note', bytes: Buffer.from('hello'), filename: null, type: null }

/** Codes that a target of one variation answers with. */
const on = async (variation: string, ask: (raw: RawTarget) => Promise<unknown[]>): Promise<unknown[]> => {
  const raw = await RawTarget.open({ variations: [variation] })
  try {
    return await ask(raw)
  } finally {
    await raw.stop()
  }
}
const sent =
  (...files: Parameters<typeof formOf>[0][]) =>
  async (raw: RawTarget): Promise<unknown[]> =>
    Promise.all(files.map(async (parts) => (await send(raw, formOf(parts))).code))

test.each([
  ['files-of-10-million', [10_000_000, 10_000_001]],
  ['files-limited-by-form', [10_000_000, 10_485_760]],
])('under %s the limit lies between %j bytes', async (variation, sizes) => {
  const forms = sizes.map((bytes) => [{ name: 'file', bytes: wavOf(1, { bytes }) }])
  expect(await on(variation, sent(...forms))).toEqual([0, 20007])
})

test('files may be held to what they are declared to be', async () => {
  const of = (bytes: Buffer, type: string) => [{ name: 'file', bytes, type }]
  const forms = [of(WAV, 'audio/wav'), of(M4A, 'audio/mp4'), of(WAV, 'audio/mpeg'), of(WAV, 'application/octet-stream')]
  expect(await on('files-mislabelled-refused', sent(...forms))).toEqual([0, 0, 20008, 20008])
})

test('bytes of no known type may be taken at their word', async () => {
  const unknown = [{ name: 'file', bytes: Buffer.from('no sound'), type: 'audio/mp3' }]
  expect(await on('files-unknown-taken', sent(unknown))).toEqual([0])
})

test('a form may be held to a named file and nothing else', async () => {
  const file = { name: 'file', bytes: WAV }
  expect(await on('files-alone', sent([file], [file, note]))).toEqual([0, 20009])
  expect(await on('files-named-only', sent([file, note], [{ ...file, filename: null }]))).toEqual([0, 20010])
})

test('the same bytes may be one file', async () => {
  const ids = await on('files-once', async (raw) => {
    const replies = [await upload(raw, WAV), await upload(raw, WAV, 'same_workspace'), await upload(raw, OGG)]
    return replies.map(({ data }) => data['file_id'])
  })
  expect(ids[0]).toBe(ids[1])
  expect(ids[0]).not.toBe(ids[2])
})

test('a long sound may be refused when it comes', async () => {
  const long = await on('files-long-refused', async (raw) => [
    (await upload(raw, wavOf(60))).code,
    (await upload(raw, wavOf(61))).code,
  ])
  expect(long).toEqual([0, 20008])
})

const cloned =
  (bytes: readonly Buffer[], names: readonly string[] = []) =>
  async (raw: RawTarget): Promise<unknown[]> => {
    const codes: unknown[] = []
    for (const [place, one] of bytes.entries()) {
      const file = await upload(raw, one)
      const body: JsonObject = { name: names[place] ?? `Robin ${place}`, file_id: file.data['file_id'] }
      codes.push((await raw.call('POST', '/v1/voices', { body })).code)
    }
    return codes
  }

const silent = wavOf(6).fill(0, 44)
test.each([
  ['samples-short-refused', [WAV, wavOf(4)], [0, 20004]],
  ['samples-coarse-refused', [WAV, wavOf(6, { rate: 8000 })], [0, 20004]],
  ['samples-silent-refused', [WAV, silent], [0, 20004]],
  ['samples-of-three-types', [M4A, OGG], [0, 20004]],
  ['samples-refused-with-30004', [WAV, wavOf(61)], [0, 30004]],
  ['files-for-anybody', [WAV], [0]],
])('%s', async (variation, samples, codes) => {
  expect(await on(variation, cloned(samples))).toEqual(codes)
})

test('names are counted and compared in several ways', async () => {
  const emoji = '😀'.repeat(65)
  const family = '👩‍👧'.repeat(128)
  expect(await on('clones-names-in-utf16', cloned([WAV], [emoji]))).toEqual([20004])
  expect(await on('clones-names-in-graphemes', cloned([WAV], [family]))).toEqual([0])
  expect(await on('clones-names-unique', cloned([WAV, WAV, WAV], ['a', 'a', 'b']))).toEqual([0, 20004, 0])
})

test('every listed voice can be got, whatever its id', async () => {
  for (const variation of ['voices-ids-odd', 'voices-public-many', 'voices-public-first', 'voices-extra-fields']) {
    const got = await on(variation, async (raw) => {
      await cloned([WAV, WAV])(raw)
      const voices = objectsAt((await raw.call('GET', '/v1/voices')).data, 'voices')
      expect(voices.length).toBeGreaterThan(2)
      const ids = voices.map((voice) => encodeURIComponent(String(voice['voice_id'])))
      return Promise.all(ids.map(async (id) => (await raw.call('GET', `/v1/voices/${id}`)).code))
    })
    expect(new Set(got)).toEqual(new Set([0]))
  }
})

test('sessions may look at voice ids or not', async () => {
  const used = (id: string) => async (raw: RawTarget) => {
    const body = textBody({ pipeline_config: { tts_config: { tts_voice_id: id } } })
    return [(await raw.create(body)).code]
  }
  expect(await on('voice-ids-unchecked', used('voice_nobody'))).toEqual([0])
  expect(await on('voice-ids-unknown-taken', used('voice_nobody'))).toEqual([0])
  expect(await on('voice-ids-unknown-refused', used('some-provider-voice'))).toEqual([30004])
})
