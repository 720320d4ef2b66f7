import { expect, test } from 'vitest'
import { unissued } from './unissued.ts'

test.each([
  ['ses_0a1b2c3d4e5f60718293', 'ses_0a1b2c3d5e6f71829304'],
  ['9f1c2b3a-4d5e-4f60-8a1b-0c2d4e6f8a1b', '9f1c2b3a-4d5e-4f60-8a1b-1c4d6e8f0a2b'],
  ['01HF8Z3KQ5T9W2X4Y6B8C0D1EA', '01HF8Z3KQ5T9W2X6Y8B0C1D4EA'],
  ['chr_k7mq3xwa', 'chr_k3mq7xwa'],
  ['voice_aaaaaa3a', 'voice_aaaaaa5a'],
])('only digits of the random end of %s change', (id, other) => {
  expect(unissued(id)).toEqual({ id: other, alike: true })
})

test.each([
  ['S-000017', 'S-999999'],
  ['4211', '9999'],
])('a count becomes higher than any so far: %s', (id, other) => {
  expect(unissued(id)).toEqual({ id: other, alike: true })
})

test('a long number keeps its size, which may be bounded', () => {
  const { id, alike } = unissued('1834567890123456789')
  expect(alike).toBe(true)
  expect(id).toMatch(/^1834567890\d{9}$/)
  expect(id).not.toBe('1834567890123456789')
})

test('a date in an id stays a date', () => {
  expect(unissued('ses_20261122_a1b2c3')).toEqual({ id: 'ses_20261122_a2b3c1', alike: true })
})

test.each(['session-1', 'nobody', 'S-9999', 'ses_20261122_abc', 'euwest1-abcdef', ''])(
  'an id without digits that could change is turned into one of another form: %j',
  (id) => {
    const other = unissued(id)
    expect(other.alike).toBe(false)
    expect(other.id).not.toBe(id)
  },
)

test('characters that are no letters and digits stay where they are', () => {
  expect(unissued('file_aud_9f1c2b3a-0c2d4e6f/+a b=').id).toBe('file_aud_9f1c2b3a-2c4d6e0f/+a b=')
})
