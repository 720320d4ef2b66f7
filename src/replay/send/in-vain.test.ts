import { expect, test, vi } from 'vitest'
import type { Channel, Frame } from '#client/types'
import { createBindings } from './bindings.ts'
import { createHearer } from './hearer.ts'
import { createInVain } from './in-vain.ts'

const types = ['response.created', 'response.output_text.delta', 'response.done', 'asset.added', 'avatar.added']

/** A channel on which at most this comes, one at a time with each wait; says how long it was listened to. */
function listened(coming: readonly string[]): { readonly channel: Channel; readonly ms: () => number } {
  const frames: Frame[] = []
  let ms = 0
  const next: Channel['next'] = (_, { within_ms = 0 } = {}) => {
    const type = coming[frames.length]
    if (type === undefined) ms += within_ms
    else frames.push({ frame: frames.length + 1, t: 0, type, data: { type } })
    return Promise.resolve(undefined)
  }
  return { channel: { frames, state: 'open', next } as unknown as Channel, ms: () => ms }
}

async function hearAll(coming: readonly string[]) {
  const vain = createInVain(5_000, () => {})
  const { channel, ms } = listened(coming)
  const nothing = (): void => {}
  const hearer = createHearer(channel, {
    bindings: createBindings('run', { ids: 'ids', mark: 'mark' }),
    said: () => false,
    learn: nothing,
    number: nothing,
    lastSent: () => 0,
    answersLast: () => false,
    otherWay: nothing,
    vain,
    event_ms: 5_000,
  })
  for (const type of [...types, ...types]) {
    // One after the other, as they were recorded.
    await hearer.hear({
      kind: 'frame-received',
      frame: 1,
      channel: 1,
      data: { type },
      bytes: 1,
      t: 0,
    })
  }
  return { over: vain.over, ms: ms() }
}

test('a target that says nothing is waited for 20 s in all, whatever it had said then', async () => {
  const { over, ms } = await hearAll([])
  expect(ms).toBe(20_000)
  expect(over).toBe('the target said nothing for 20 s, where it had said something then')
})

test('one that says something else now and then is waited for with each type', async () => {
  const others = Array.from({ length: 3 }, () => 'x')
  const { over, ms } = await hearAll([...others])
  expect(over).toBe('the target said nothing for 20 s, where it had said something then')
  expect(ms).toBe(20_000)
  expect((await hearAll(Array.from({ length: 9 }, () => 'x'))).over).toBeUndefined()
})

test('a profile that gives events a minute is waited for two', () => {
  const vain = createInVain(60_000, () => {})
  vain.waited(60_000)
  expect([vain.left(90_000), vain.over]).toEqual([60_000, undefined])
})

test('nobody who answers is told once', () => {
  const gone = vi.fn()
  const vain = createInVain(5_000, gone)
  vain.unanswered()
  vain.unanswered()
  expect(gone).toHaveBeenCalledOnce()
  expect(vain.over).toBe('the target does not answer where it had answered then')
})
