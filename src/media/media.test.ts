import { readdirSync } from 'node:fs'
import { fileTypeFromBuffer } from 'file-type'
import { ALL_FORMATS, BufferSource, Input } from 'mediabunny'
import { expect, test } from 'vitest'
import { asciiWav } from './ascii-wav.ts'
import { makers } from './make-media.ts'
import { media, mediaFolder, medium, type MediumName } from './media.ts'
import { speech } from './speech.ts'
import { stereo, wav, wavOfBytes } from './wav.ts'

const names = Object.keys(media) as MediumName[]
/** As `file-type` calls the types that have several names. */
const otherNames: { readonly [mime: string]: string } = {
  'audio/x-m4a': 'audio/mp4',
  'audio/ogg; codecs=opus': 'audio/ogg',
  'video/webm': 'audio/webm',
}

test('the folder holds the media that are named, in less than a megabyte', () => {
  expect(readdirSync(mediaFolder()).toSorted()).toEqual(names.toSorted())
  expect(names.reduce((sum, name) => sum + medium(name).length, 0)).toBeLessThan(1_000_000)
})

test.each(names.filter((name) => makers[name].same))('%s is what its maker makes', async (name) => {
  expect(Buffer.compare(medium(name), await makers[name].make())).toBe(0)
})

test.each(names)('%s, committed and made anew, has the type that is said of it', async (name) => {
  for (const bytes of [medium(name), await makers[name].make()]) {
    const mime = (await fileTypeFromBuffer(bytes))?.mime ?? null
    expect(otherNames[mime ?? ''] ?? mime).toBe(media[name])
  }
})

test.each([
  ['speech.wav', 12, 'pcm-s16'],
  ['speech.mp3', 12, 'mp3'],
  ['short.wav', 2, 'pcm-s16'],
  ['silence.m4a', 12, 'aac'],
  ['silence.ogg', 12, 'opus'],
  ['silence.webm', 12, 'opus'],
] as const)('%s is %i seconds of %s in one channel of at least 16 kHz', async (name, seconds, codec) => {
  expect(await soundOf(medium(name))).toMatchObject({ seconds, codec, channels: 1 })
})

test('a file of a wanted size is whole, even or odd', async () => {
  const sound = speech(1, 48_000)
  for (const bytes of [1_000_000, 1_000_001]) {
    const file = wavOfBytes(bytes, stereo(sound), { rate: 48_000, channels: 2 })
    expect(file).toHaveLength(bytes)
    expect(await soundOf(file)).toMatchObject({ seconds: 5, channels: 2, codec: 'pcm-s16' })
  }
})

test('a sample lasts as long as it was asked to', async () => {
  const file = wav(speech(61, 16_000), { rate: 16_000 })
  expect(file).toHaveLength(44 + 61 * 32_000)
})

test('speech is heard for more than five seconds on end, and pauses', () => {
  const loud = Array.from(speech(12, 16_000)).map((sample) => Math.abs(sample))
  const windows = Array.from({ length: 120 }, (_, nth) => Math.max(...loud.slice(nth * 1600, (nth + 1) * 1600)) > 500)
  const stretches = windows
    .map((on) => (on ? '1' : '0'))
    .join('')
    .split(/0+/)
  expect(Math.max(...stretches.map((stretch) => stretch.length))).toBeGreaterThan(50)
  expect(stretches.length).toBeGreaterThan(1)
})

test('a WAV file can be text', async () => {
  const text = asciiWav()
  expect(/^[\0-\x7f]*$/.test(text)).toBe(true)
  expect(await soundOf(Buffer.from(text))).toMatchObject({ codec: 'pcm-s16', channels: 1 })
})

async function soundOf(bytes: Uint8Array) {
  const input = new Input({ formats: ALL_FORMATS, source: new BufferSource(bytes) })
  const track = await input.getPrimaryAudioTrack()
  const seconds = Math.round(await input.computeDuration())
  return { seconds, codec: track?.codec, channels: track?.numberOfChannels, rate: track?.sampleRate }
}
