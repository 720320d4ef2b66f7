import { expect, test } from 'vitest'
import { createNames } from './names.ts'

const names = () => createNames('abcdefghij')

test('what an answer told stands in a path as in a URL', () => {
  const { bind, say, used } = names()
  bind('abc/def==', 'answer3', '/data/next~1token')
  expect(say('abc/def==')).toBe('answer3?.data?.["next/token"]')
  expect(say('/v1/voices?page_token=abc%2Fdef%3D%3D')).toBe(
    '`/v1/voices?page_token=${encodeURIComponent(answer3?.data?.["next/token"])}`',
  )
  expect([...used]).toEqual(['answer3'])
})

test('only what is said makes a name used', () => {
  const { bind, say, used } = names()
  bind('voice-12345', 'answer1', '/data/voices/0/voice_id')
  bind('ses-1234567', 'answer2', '/data/session_id')
  expect(say('/v1/voices/voice-12345')).toBe('`/v1/voices/${answer1?.data?.voices?.[0]?.voice_id}`')
  expect([...used]).toEqual(['answer1'])
})

test('the first answer that told a text counts', () => {
  const { bind, say } = names()
  bind('ses-1234567', 'answer1', '/data/session_id')
  bind('ses-1234567', 'answer2', '/data/session_id')
  expect(say('ses-1234567')).toBe('answer1?.data?.session_id')
})

test('a text that is no Unicode is bound all the same', () => {
  const { bind, say } = names()
  bind('abcdefgh\ud800', 'answer1', '/data/session_id')
  expect(say('abcdefgh\ud800')).toBe('answer1?.data?.session_id')
})

test.each([
  ['[api_key primary]', 'keys.primary'],
  ['Bearer [api_key primary]x', '`Bearer ${keys.primary}x`'],
  ['Bearer [api_key_second_workspace_turned 81034216]', '`Bearer ${turned(keys.second_workspace)}`'],
  ['[api_key denied], [api_key primary] and [api_key denied]', '`${keys.denied}, ${keys.primary} and ${keys.denied}`'],
  ['[api_key_primary_bent 7]', '"[api_key_primary_bent 7]"'],
])('where %s stood, a script says %s', (text, said) => {
  expect(names().say(text)).toBe(said)
})
