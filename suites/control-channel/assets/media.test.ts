import { expect, test } from 'vitest'
import { audioTypes, imageType, silence, silentMp3 } from './media.ts'

test('an address that ends like WAV or MP3 tells the type of its audio', () => {
  expect(audioTypes('https://media.example/voice.wav?v=2')).toEqual(['audio/wav'])
  expect(audioTypes('https://media.example/voice.MP3')).toEqual(['audio/mpeg'])
})

test('an address that tells nothing leaves both types open', () => {
  expect(audioTypes('https://media.example/voice')).toEqual(['audio/wav', 'audio/mpeg'])
})

test('an image is a PNG unless its address says JPEG', () => {
  expect(imageType('https://media.example/face.jpeg')).toBe('image/jpeg')
  expect(imageType('https://media.example/face')).toBe('image/png')
})

test('silence is a WAV file of as many bytes as its header says', () => {
  const bytes = Buffer.from(silence(0.5), 'base64')
  expect(bytes.subarray(0, 4).toString('latin1')).toBe('RIFF')
  expect(bytes.subarray(8, 12).toString('latin1')).toBe('WAVE')
  expect(bytes.readUInt32LE(4)).toBe(bytes.length - 8)
  expect(bytes.readUInt32LE(40)).toBe(16_000)
})

test('a silent MP3 is a row of whole frames', () => {
  const bytes = Buffer.from(silentMp3(0.5), 'base64')
  const heads = Array.from({ length: bytes.length / 144 }, (_, frame) => bytes.readUInt32BE(144 * frame))
  expect(heads).toHaveLength(14)
  expect(new Set(heads)).toEqual(new Set([0xfffb18c4]))
})
