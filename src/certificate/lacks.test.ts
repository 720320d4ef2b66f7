import { expect, test } from 'vitest'
import { register } from '#judge/register'
import { keyNames } from '#spec/profile'
import { lacksOf } from './lacks.ts'

const media = { image_url: 'https://m.example/a.png', audio_url: 'https://m.example/a.wav', voice_sample: 'a.wav' }
const whole = { profile: { media }, keys: keyNames }
const said = (candidate: Parameters<typeof lacksOf>[0]): readonly string[] =>
  lacksOf(candidate, register()).map(({ what }) => what)

test('all keys and media, no waiver and a released requirement set are enough', () => {
  expect(said(whole)).toEqual([])
})

test('each key and medium that is missing is one line, with how many requirements need it', () => {
  const poor = { profile: { media: { image_url: media.image_url } }, keys: ['primary', ...keyNames.slice(3)] }
  const lines = said(poor)
  expect(lines.filter((line) => line.startsWith('keys.'))).toHaveLength(2)
  expect(lines).toContainEqual(
    expect.stringMatching(/^keys\.other_workspace has no value, and \d+ requirements need it \(/),
  )
  expect(lines).toContainEqual(expect.stringMatching(/^media\.audio_url is not given, and \d+ requirements need it \(/))
  expect(lines.every((line) => !line.includes('image_url'))).toBe(true)
})

test('what only a declared-away ability needs is not missing', () => {
  const needed = (profile: object): number => {
    const lines = said({ profile: { ...profile }, keys: ['primary'] })
    return Number(/^keys\.other_workspace .* (\d+) requirements/m.exec(lines.join('\n'))?.[1])
  }
  expect(needed({ abilities: { world_sessions: false, voices: false } })).toBeLessThan(needed({}))
})

test('a waiver is told, and so is a requirement set that is not as released', () => {
  const profile = { media, expected_failures: [{ id: 'x' }] }
  expect(said({ ...whole, profile })).toEqual(['expected_failures has 1 entry, and a certificate takes no waiver'])
  const changed = { ...register(), release: { version: '1.0.0', digest: 'other' } }
  expect(lacksOf(whole, changed).map(({ what }) => what)).toEqual([
    'the requirements of this Greenroom are not those of release 1.0.0',
  ])
})
