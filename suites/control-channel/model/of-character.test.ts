import { expect, test } from 'vitest'
import type { Steps } from '#testing/channel/steps'
import { applied, state } from '#testing/channel/talk'
import { verdictsOf } from '#testing/channel/verdicts'
import { rules } from '../rules.ts'

/** A session from a character that has two avatars, started with one of another name. */
const started = (sent: string): Steps => [
  {
    what: 'create',
    session: 'started',
    body: { [sent]: 'chr_1', avatars: [{ avatar_id: 'zoe' }] },
    data: { session: state('text_chat', 'ada'), avatars: [{ avatar_id: 'ada' }, { avatar_id: 'bea' }] },
  },
  { what: 'open', channel: 'one', session: 'started' },
]
const to = (avatar: string): Steps => [
  ...applied('u', { active_avatar_id: avatar }, state('text_chat', avatar)),
  ...applied('v', { mode: 'text_chat' }, state('text_chat', avatar)),
]
const broken = (...steps: readonly Steps[]) => verdictsOf(rules, steps.flat()).broken

test('avatars that are sent with a character are ignored: the session has those of the character', () => {
  expect(broken(started('character_id'), to('bea'))).toEqual([])
  expect(broken(started('character_id'), to('zoe'))).toContain('session-update.unknown-avatar-rejected')
  expect(broken(started('name'), to('bea'))).toContain('session-update.unknown-avatar-rejected')
})
