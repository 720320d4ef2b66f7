import { expect, test } from 'vitest'
import { Run } from '#testing/hand-made-worlds'
import { saidOf } from '#testing/said-of'
import { refusedCloses } from './refused-closes.rules.ts'

const missing = 'authentication.missing-key.changes-nothing'
const invalid = 'authentication.invalid-key.changes-nothing'

type Shown = 'active' | 'closing' | 'closed' | 'failed' | 20005

/** Sessions of which each is made, is asked to close in vain with these codes, and is looked at. */
function saying(...sessions: readonly (readonly [codes: readonly number[], shown: Shown, pause_ms?: number])[]) {
  const run = new Run()
  for (const [place, [codes, shown, pause_ms = 10]] of sessions.entries()) {
    const id = `w-${place}`
    const made = run.create(id, { idempotency_key: `k-${place}` })
    for (const code of codes) {
      run
        .by(code === 10001 ? 'none' : code === 10003 ? 'malformed' : 'primary')
        .call('close-world-session', code, {}, id)
    }
    run.by('primary').trace.pass(pause_ms)
    if (shown === 20005) run.call('get-world-session', shown, {}, id)
    else run.get(made, { status: shown })
  }
  return [...new Set(saidOf([refusedCloses], run.trace))].toSorted()
}

test.each([
  [10001, missing],
  [10003, invalid],
] as const)('closes that are refused by %s and carried out are told', (code, row) => {
  for (const shown of ['closing', 'closed', 20005] as const)
    expect(saying([[code], shown], [[code], shown])).toEqual([`broken ${row}`])
  expect(saying([[code], 'active'])).toEqual([`held ${row}`])
})

test('of two kinds of closes that which left another session open is not blamed', () => {
  const both = [10001, 10003]
  expect(saying([both, 'active'])).toEqual([`held ${invalid}`, `held ${missing}`])
  expect(saying([both, 'closed'], [[10001], 'closed'], [[10003], 'active'])).toEqual([
    `broken ${missing}`,
    `held ${invalid}`,
    `unobserved ${invalid}`,
  ])
})

test('what ended once, where others ended untouched, or after a while, may have ended by itself', () => {
  expect(saying([[10001], 'closed'])).toEqual([`unobserved ${missing}`])
  expect(saying([[10001], 'closed'], [[10001], 'closed'], [[], 'closed'])).toEqual([`unobserved ${missing}`])
  expect(saying([[10001], 'closed', 40_000], [[10001], 'closed', 40_000])).toEqual([])
  expect(saying([[10001], 'failed'], [[10001], 'failed'])).toEqual([])
})

test('a close that was answered otherwise may have closed it', () => {
  expect(saying([[10001, 30004], 'closed'], [[10001, 30004], 'closed'])).toEqual([])
})
