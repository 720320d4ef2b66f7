import { expect, test } from 'vitest'
import type { Draft } from '#trace/writer'
import { noteHalts } from './halts.ts'

test('a process that stood still says so, once and for how long', async () => {
  const noted: Draft[] = []
  const end = noteHalts({ write: (draft) => ({ line: noted.push(draft), t: 0 }) })
  await new Promise((resolve) => void setTimeout(resolve, 250))
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_200)
  await new Promise((resolve) => void setTimeout(resolve, 450))
  end()
  const long = noted.flatMap((one) => (one.kind === 'halt' && one.ms > 900 ? [one.ms] : []))
  expect(long).toHaveLength(1)
})

test('a trace that cannot be written stops nobody', async () => {
  const end = noteHalts({
    write: () => {
      throw new Error('the disk is full')
    },
  })
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 900)
  await new Promise((resolve) => void setTimeout(resolve, 50))
  end()
})
