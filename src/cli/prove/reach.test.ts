import { expect, test } from 'vitest'
import { deviations } from '#target/deviations'
import { changeOf, reachOf, visitsOf } from './reach.ts'

const visits = {
  'avatar-sessions.life': ['create-avatar-session', 'close-avatar-session'],
  'control-channel.speech': ['create-avatar-session', 'channel'],
  'characters.life': ['create-character', 'create-session-from-character'],
  'voices.library': ['upload-audio', 'clone-voice'],
  'world-sessions.life': ['create-world-session'],
}

function reach(...ids: readonly string[]): readonly string[] | undefined {
  const { variations } = deviations()
  const changed = ids.map((id) => variations.find((one) => one.id === id) ?? expect.fail(`no variation ${id}`))
  return reachOf(changed.map(changeOf), visits)
}

test.each([
  ['what changes worlds is seen by those who ask for worlds', ['world-provisioning'], ['world-sessions.life']],
  ['what changes voices, by those who ask for voices', ['samples-short-refused'], ['voices.library']],
  ['what changes responses, by those who open a channel', ['render-first'], ['control-channel.speech']],
  ['two of them, by both', ['world-provisioning', 'character-ids-odd'], ['characters.life', 'world-sessions.life']],
  [
    'what changes avatar sessions, by those who have one',
    ['get-like-create'],
    ['avatar-sessions.life', 'control-channel.speech', 'characters.life'],
  ],
  ['what changes HTTP, by all', ['failures-with-200'], undefined],
  ['what says itself which operations it changes, by those who ask for them', ['starts-filled'], ['characters.life']],
  ['one that all see, beside another', ['world-provisioning', 'failures-with-200'], undefined],
])('%s', (_, ids, expected) => {
  expect(reach(...ids)).toEqual(expected)
})

test('no variation is without reach: it would run beside nothing', () => {
  const { variations } = deviations()
  expect(variations.filter((one) => reachOf([changeOf(one)], visits)?.length === 0)).toEqual([])
})

test('who has to wait for a place, for the next minute or for each answer is slow', () => {
  const { variations } = deviations()
  const slow = variations.filter((one) => changeOf(one).slow).map(({ id }) => id)
  expect(slow).toEqual(
    expect.arrayContaining(['slow', 'cap-1', 'rate-fixed-window', 'response-starts-late', 'errors-late']),
  )
  expect(slow).not.toContain('instant')
  expect(slow.length).toBeLessThan(variations.length / 10)
})

test('a trace tells what each scenario asked for, and where it opened a channel', () => {
  const request = {
    kind: 'request',
    t: 1,
    exchange: 1,
    attempt: 1,
    method: 'GET',
    path: '/',
    key: 'primary',
    headers: {},
  }
  expect(
    visitsOf([
      { ...request, kind: 'request', scenario: 'a.b', operation: 'list-voices' },
      { ...request, kind: 'request', scenario: 'a.b', operation: null },
      { ...request, kind: 'request', operation: 'list-avatar-sessions' },
      { kind: 'channel-open', t: 2, channel: 1, session: 's', url: '', scenario: 'a.c', credential: 'query' },
    ]),
  ).toEqual({ 'a.b': ['list-voices'], 'a.c': ['channel'] })
})
