import { expect, test } from 'vitest'
import { renewed, Run } from '#testing/hand-made-worlds'
import { saidOf } from '#testing/said-of'
import { untouched } from './untouched.rules.ts'

const others = 'world-sessions.close.leaves-others-open'
const renewal = 'world-sessions.client-secret.leaves-session'
const accepted = 'world-sessions.close.accepted'

/** Two sessions: what happens in between, and what Get then shows of the first one. */
function saying(between: (run: Run) => void, shown: string | number, pause_ms = 0): readonly string[] {
  const run = new Run()
  const first = run.create('w-first', { idempotency_key: 'k-1' })
  run.create('w-second', { idempotency_key: 'k-2' })
  between(run)
  run.trace.pass(pause_ms)
  if (typeof shown === 'number') run.call('get-world-session', shown, {}, 'w-first')
  else run.get(first, { status: shown })
  return [...saidOf([untouched], run.trace)].filter((one) => !one.endsWith(accepted))
}

const closing = { session_id: 'w-second', status: 'closing' }
const closeSecond = (run: Run): void => void run.call('close-world-session', closing, {}, 'w-second')
const renewFirst = (run: Run): void => void run.call('create-client-secret', renewed('w-first', 1), {}, 'w-first')

/** The same twice, one after the other, each time with sessions of its own. */
function sayingTwice(
  act: (run: Run, first: string, second: string) => void,
  shown: string | number,
): readonly string[] {
  const run = new Run()
  for (const round of [1, 2]) {
    const [one, other] = [`w-${round}-first`, `w-${round}-second`]
    const first = run.create(one, { idempotency_key: `k-${round}-1` })
    run.create(other, { idempotency_key: `k-${round}-2` })
    act(run, one, other)
    run.trace.pass(10)
    if (typeof shown === 'number') run.call('get-world-session', shown, {}, one)
    else run.get(first, { status: shown })
  }
  return [...new Set(saidOf([untouched], run.trace))].filter((one) => !one.endsWith(accepted))
}

test.each(['closing', 'closed', 20005])('closes that take other sessions along are told: %s', (shown) => {
  const close = (run: Run, _: string, id: string): void =>
    void run.call('close-world-session', { session_id: id, status: 'closing' }, {}, id)
  expect(sayingTwice(close, shown)).toEqual([`broken ${others}`])
})

test('fresh secrets that end their sessions are told', () => {
  const renew = (run: Run, id: string): void => void run.call('create-client-secret', renewed(id, 1), {}, id)
  expect(sayingTwice(renew, 'closing')).toEqual([`broken ${renewal}`])
})

test('what ended once may have ended by itself', () => {
  expect(saying(closeSecond, 'closed')).toEqual([`unobserved ${others}`])
  expect(saying(renewFirst, 'closing')).toEqual([`unobserved ${renewal}`])
})

test('what stays open bears both rows out', () => {
  expect(saying(closeSecond, 'active')).toEqual([`held ${others}`])
  expect(saying(renewFirst, 'active')).toEqual([`held ${renewal}`])
  // With one key at its pace a minute may go by between two looks.
  expect(saying(closeSecond, 'active', 70_000)).toEqual([`held ${others}`])
  expect(saying(renewFirst, 'active', 70_000)).toEqual([`held ${renewal}`])
})

test('a session that failed, that was seen open long ago, or that had expired, ended by itself', () => {
  expect(saying(closeSecond, 'failed')).toEqual([])
  expect(saying(closeSecond, 'closed', 40_000)).toEqual([`unobserved ${others}`])
})

test('a close that was refused ended nothing, and a session that was asked to close itself is no other', () => {
  expect(saying((run) => void run.call('close-world-session', 30004, {}, 'w-second'), 'active')).toEqual([])
  const closeBoth = (run: Run): void => {
    run.call('close-world-session', { session_id: 'w-first', status: 'closing' }, {}, 'w-first')
    closeSecond(run)
  }
  expect(saying(closeBoth, 'closed')).toEqual([])
})

test('where the service ended a session by itself elsewhere, an end proves nothing', () => {
  const capricious = (run: Run): void => {
    const third = run.create('w-third', { idempotency_key: 'k-3' })
    run.get(third, { status: 'closed' })
    closeSecond(run)
  }
  expect(saying(capricious, 'closed')).toEqual([`unobserved ${others}`])
})

/** What is said of a close, with what Get shows before and after it. */
function closeSays(answer: number, { before = 'active', after = 'active' } = {}): readonly string[] {
  const run = new Run()
  const made = run.create('w-one', { idempotency_key: 'k-1' })
  run.get(made, { status: before })
  const data = { session_id: 'w-one', status: 'closing' }
  run.call('close-world-session', answer === 0 ? data : answer, { idempotency_key: 'c-1' }, 'w-one')
  run.get(made, { status: after })
  return [...saidOf([untouched], run.trace)].filter((one) => one.endsWith(accepted))
}

test('a close of an active session is accepted', () => {
  expect(closeSays(0, { after: 'closing' })).toEqual([`held ${accepted}`])
  expect(closeSays(10009)).toEqual([`broken ${accepted}`])
})

test('a refusal for another reason, or of a session that was over or failed, tells nothing', () => {
  expect(closeSays(10008)).toEqual([])
  expect(closeSays(20005)).toEqual([])
  expect(closeSays(30004, { before: 'closing' })).toEqual([])
  expect(closeSays(30004, { after: 'failed' })).toEqual([])
})

test('whether a key may close what it made is not said', () => {
  const run = new Run()
  run.create('w-one', { idempotency_key: 'k-1' })
  run.call('close-world-session', 30004, { idempotency_key: 'k-1' }, 'w-one')
  expect([...saidOf([untouched], run.trace)]).toEqual([])
})

test('whether one key may close two sessions is not said', () => {
  const run = new Run()
  run.create('w-one', { idempotency_key: 'k-1' })
  run.create('w-two', { idempotency_key: 'k-2' })
  const body = { idempotency_key: 'c-1' }
  run.call('close-world-session', { session_id: 'w-one', status: 'closing' }, body, 'w-one')
  run.call('close-world-session', 30004, body, 'w-two')
  expect([...saidOf([untouched], run.trace)]).toEqual([`held ${accepted}`])
})
