import { expect, test, vi } from 'vitest'
import { fakeShell } from '../testing/fake-shell.ts'
import { loadLine, showLoad } from './progress.ts'

const live = {
  open: 42,
  events_per_s: 1_250,
  p95: { operation: 'first_delta', ms: 34 },
  errors: 0,
  at_most: false,
  seconds_left: 24.2,
}

test('the line says what is going on and how long it takes', () => {
  expect(loadLine('soak · average', live)).toBe(
    'soak · average · 42 sessions · 1250 events/s · first_delta p95 34 ms · 0 errors · 25 s left',
  )
  expect(loadLine('soak', { ...live, p95: undefined, seconds_left: -1 })).toBe(
    'soak · 42 sessions · 1250 events/s · 0 errors · the last iterations end',
  )
  expect(loadLine('create-storm', { ...live, at_most: true })).toContain('0 errors · at most 25 s left')
  expect(loadLine('soak', { ...live, open: 1, errors: 1 })).toMatch(/· 1 session · .* · 1 error ·/)
  expect(loadLine('soak', undefined)).toBe('soak · k6 starts')
})

test('without a terminal it is a plain line now and then, on a terminal one line that changes', () => {
  vi.useFakeTimers()
  try {
    const plain = fakeShell()
    const first = showLoad(plain, 'soak', () => live)
    vi.advanceTimersByTime(20_000)
    first.stop()
    expect(plain.stderr().split('\n')).toHaveLength(3)
    expect(plain.stderr()).not.toContain('\u001b')
    const terminal = { ...fakeShell(), columns: 30, err: (text: string) => plain.err(text) }
    const second = showLoad(terminal, 'soak', () => live)
    vi.advanceTimersByTime(1_000)
    second.stop()
    const lines = (plain.stderr().split('\n').at(-1) ?? '').split('\r\u001b[2K')
    expect(lines.map(({ length }) => length)).toEqual([0, 29, 29, 0])
  } finally {
    vi.useRealTimers()
  }
})
