import { expect, test } from 'vitest'
import { interruptSwitch } from './interrupts.ts'

function switched() {
  const codes: number[] = []
  const clock = { now: 1_000 }
  const { signal, interrupt } = interruptSwitch(
    (code) => void codes.push(code),
    () => clock.now,
  )
  return { codes, clock, signal, interrupt }
}

test('the first signal aborts and ends nothing', () => {
  const { codes, signal, interrupt } = switched()
  interrupt('SIGTERM')
  expect(signal).toMatchObject({ aborted: true, reason: 'SIGTERM' })
  expect(codes).toEqual([])
})

test('the same keystroke may arrive more than once', () => {
  const { codes, clock, interrupt } = switched()
  interrupt('SIGINT')
  clock.now += 20
  interrupt('SIGINT')
  expect(codes).toEqual([])
})

test('a second keystroke ends the process with 130', () => {
  const { codes, clock, interrupt } = switched()
  interrupt('SIGINT')
  clock.now += 1_000
  interrupt('SIGINT')
  expect(codes).toEqual([130])
})
