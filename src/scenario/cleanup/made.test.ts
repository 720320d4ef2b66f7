import { expect, test } from 'vitest'
import type { Exchange } from '#client/types'
import { silence } from '#testing/fake-service'
import type { Json } from '#trace/json'
import { creationOf } from '../journal/creations.ts'
import { madeBy } from './made.ts'

const session = creationOf('create-avatar-session')
const character = creationOf('create-character')
if (session === undefined || character === undefined) throw new Error('they make something')

/** An answer with this body, whatever it says of itself. */
function answer(body: Json | undefined, status = 200): Exchange {
  return { ...silence(), failure: undefined, status, body }
}

const control = { url: 'wss://target.example/v1/realtime-avatar/control?session_id=ses_1' }

test.each<[string, Json]>([
  ['no message', { code: 0, data: { session_id: 'ses_1' } }],
  ['the code 200', { code: 200, message: 'ok', data: { session_id: 'ses_1' } }],
  ['a code in a string', { code: '0', message: 'ok', data: { session_id: 'ses_1' } }],
  ['no envelope', { session_id: 'ses_1', status: 'active' }],
  ['a member of another name', { code: 0, message: 'ok', result: { session: { session_id: 'ses_1' } } }],
  ['a list', [{ session_id: 'ses_1' }]],
  ['another spelling', { code: 0, message: 'ok', data: { sessionId: 'ses_1' } }],
  ['the control URL alone', { code: 0, message: 'ok', data: { control } }],
  ['a bare id', { code: 0, message: 'ok', data: { id: 'ses_1' } }],
])('a session is named by an answer with %s', (_, body) => {
  expect(madeBy(session, answer(body))).toEqual(['ses_1'])
})

test('an id may be a number', () => {
  expect(madeBy(character, answer({ code: 0, message: 'ok', data: { character_id: 7 } }))).toEqual(['7'])
})

test('what the caller sent is no id of what was made', () => {
  const data = { session_id: 'ses_1', metadata: { session_id: 'mine' }, conversation: { tools: [{ id: 'tool' }] } }
  expect(madeBy(session, answer({ code: 0, message: 'ok', data }))).toEqual(['ses_1'])
})

test('a session that an envelope speaks of beside the answer is not what was made', () => {
  const envelope = { message: 'ok', status: 'failed', session_id: 'of-the-console' }
  expect(madeBy(session, answer({ ...envelope, code: 0, data: { session_id: 'ses_1' } }))).toEqual(['ses_1'])
  expect(madeBy(session, answer({ ...envelope, code: 30004, data: null }, 400))).toBe('nothing')
})

test('a refusal makes nothing, also one that names what stands in its way', () => {
  expect(madeBy(session, answer({ code: 30004, message: 'no', data: {} }, 400))).toBe('nothing')
  expect(madeBy(session, answer({ code: 30006, message: 'full', data: { session_id: 'theirs' } }, 429))).toBe('nothing')
  expect(madeBy(session, silence('refused'))).toBe('nothing')
})

test('a refusal beside a session with its credential made that session', () => {
  const data = { session_id: 'ses_1', control: { ...control, client_secret: 's' } }
  expect(madeBy(session, answer({ code: 30004, message: 'no', data }, 400))).toEqual(['ses_1'])
})

test('what nothing names, what failed, and what got no answer are told apart', () => {
  expect(madeBy(session, answer({ code: 0, message: 'ok', data: null }))).toBe('unnamed')
  expect(madeBy(session, answer({ code: 50000, message: 'failed', data: {} }, 500))).toBe('unclear')
  expect(madeBy(session, answer({ error: { title: 'gone' } }, 404))).toBe('unclear')
  expect(madeBy(session, answer(undefined, 502))).toBe('lost')
  expect(madeBy(session, silence())).toBe('lost')
})
