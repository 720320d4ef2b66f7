import { expect, test } from 'vitest'
import { eventFrame, frame, frameHead, opcode } from './frames.ts'

test('lengths take the form that RFC 6455 demands of their size', () => {
  expect([...frameHead({ opcode: opcode.text }, 125)]).toEqual([0x81, 125])
  expect([...frameHead({ opcode: opcode.binary }, 126)]).toEqual([0x82, 126, 0, 126])
  expect([...frameHead({ opcode: opcode.text }, 65_536)]).toEqual([0x81, 127, 0, 0, 0, 0, 0, 1, 0, 0])
})

test('bits are set on request only', () => {
  expect(frameHead({ opcode: opcode.text, fin: false }, 0)[0]).toBe(0x01)
  expect(frameHead({ opcode: opcode.text, reserved: true }, 0)[0]).toBe(0xc1)
})

test('a mask is announced, sent and applied', () => {
  const mask = Buffer.of(1, 2, 3, 4)
  expect([...frame({ opcode: opcode.text, mask }, 'ab')]).toEqual([0x81, 0x82, 1, 2, 3, 4, 97 ^ 1, 98 ^ 2])
})

test('an event travels as JSON', () => {
  expect(eventFrame({ type: 'x' }).subarray(2).toString()).toBe('{"type":"x"}')
})
