import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { newFolder } from '#testing/new-folder'
import { TraceSoFar } from '#trace/growing/so-far'
import { whileGettingReady } from './ready-to-judge.ts'

// Each pause is over at once.
vi.mock('node:timers/promises', () => ({
  setTimeout: (_ms: number, _value: unknown, { signal }: { signal: AbortSignal }) => {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    setImmediate(() => (signal.aborted ? reject(signal.reason) : resolve()))
    return promise
  },
}))

const mark = (t: number): string => `${JSON.stringify({ kind: 'mark', t, mark: t, label: 'here' })}\n`

function traceOf(text: string | undefined): TraceSoFar {
  const file = join(newFolder(), 'trace.ndjson')
  if (text !== undefined) writeFileSync(file, text)
  return new TraceSoFar(file)
}

/** Calls `then` before the third look at the trace. @returns how many looks there were so far */
function atThirdLook(written: TraceSoFar, then: () => void): () => number {
  const readSome = written.readSome.bind(written)
  let looks = 0
  vi.spyOn(written, 'readSome').mockImplementation((most) => {
    looks += 1
    if (looks === 3) then()
    return readSome(most)
  })
  return () => looks
}

test('what is written is read while the run lasts, and no longer', async () => {
  const written = traceOf(mark(1) + mark(2))
  const { promise: run, resolve } = Promise.withResolvers<string>()
  const looks = atThirdLook(written, () => resolve('what it came to'))
  expect(await whileGettingReady(written, run)).toBe('what it came to')
  expect(looks()).toBe(3)
  expect(written.whole().entries).toHaveLength(2)
})

test('where the run fails its trace is read no longer either', async () => {
  const written = traceOf(mark(1))
  const { promise: run, reject } = Promise.withResolvers<string>()
  const looks = atThirdLook(written, () => reject(new Error('the run died')))
  await expect(whileGettingReady(written, run)).rejects.toThrow('the run died')
  const known = looks()
  for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve))
  expect(looks()).toBe(known)
})

test.each([
  ['is no trace', '{}\n'],
  ['is not there', undefined],
])('a file that %s is left to whoever judges', async (_what, text) => {
  const written = traceOf(text)
  const { promise: run, resolve } = Promise.withResolvers<string>()
  const look = vi.spyOn(written, 'readSome')
  const end = whileGettingReady(written, run)
  look.mockImplementationOnce((most) => {
    resolve('done')
    return TraceSoFar.prototype.readSome.call(written, most)
  })
  expect(await end).toBe('done')
  expect(look).toHaveBeenCalledTimes(1)
})
