import { expect, test } from 'vitest'
import type { Exchange } from '#client/types'
import { defaultTimeouts } from '#spec/profile'
import { accepted } from '#trace/conditions'
import { either, lookTwice, twoLooks } from './look-twice.ts'

function rig(...answers: readonly boolean[]) {
  const did: string[] = []
  const left = [...answers]
  const context = {
    timeouts: { ...defaultTimeouts, lag_ms: 7 },
    wait: (ms: number, why: string) => Promise.resolve(void did.push(`wait ${ms} ${why}`)),
  }
  const look = (exchange: number): Promise<Exchange> => {
    did.push(`look ${exchange}`)
    return Promise.resolve({ exchange, ok: left.shift() === true } as Exchange)
  }
  return { did, run: () => lookTwice(context, [4, 5], look, ({ ok }) => ok) }
}

test('what shows at once is asked for once', async () => {
  const { did, run } = rig(true)
  expect(await run()).toMatchObject({ exchange: 4 })
  expect(did).toEqual(['look 4'])
})

test('what does not show is looked at once more after the lag, and no third time', async () => {
  const { did, run } = rig(false, false)
  expect(await run()).toMatchObject({ exchange: 5, ok: false })
  expect(did).toEqual(['look 4', 'wait 7 lag', 'look 5'])
})

test('a claim about two looks names both numbers', () => {
  let last = 0
  const looks = twoLooks({ exchange: () => (last += 1) })
  expect(either(looks, accepted)).toEqual({ is: 'any', of: [accepted(1), accepted(2)] })
})
