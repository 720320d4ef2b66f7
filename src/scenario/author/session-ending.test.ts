import { expect, test } from 'vitest'
import type { Channel, Exchange } from '#client/types'
import type { AnyContext, OpenSession } from './context.ts'
import { onceMoreIfEnded, type Round } from './session-ending.ts'

/** Drives two rounds at most against a service whose sessions end by themselves, and tells what was asked of it. */
async function asked(
  status: (round: number) => string,
  drive: (c: AnyContext, round: Round) => Promise<unknown>,
): Promise<readonly string[]> {
  const calls: string[] = []
  let count = 0
  const lets = (): boolean => status(count) === 'active'
  const context = {
    open: async () => {
      calls.push('open')
      return { state: lets() ? 'open' : 'refused', status: 410, frames: [] } as unknown as Channel
    },
    connect: async () => {
      calls.push('connect')
      if (!lets()) throw new Error('refused with HTTP 410')
      return { state: 'open', frames: [] } as unknown as Channel
    },
    call: async () => ({ ok: true, data: { session_id: 's', status: status(count) } }) as unknown as Exchange,
    close: async () => void calls.push('close'),
  } as unknown as AnyContext
  await onceMoreIfEnded(context, async (round) => {
    count += 1
    await drive(context, round)
  })
  return calls
}

const session = { id: 's', key: 'primary', exchange: 1 } as OpenSession

test('a session that is over before somebody connects to it is followed by another one', async () => {
  const states = (round: number): string => (round === 1 ? 'closed' : 'active')
  expect(await asked(states, (c, round) => round.connect(c, session))).toEqual(['open', 'close', 'connect'])
})

test('where the other one is over as well, its refusal stands in the way', async () => {
  const connects = asked(
    () => 'closed',
    (c, round) => round.connect(c, session),
  )
  await expect(connects).rejects.toThrow('refused with HTTP 410')
})
