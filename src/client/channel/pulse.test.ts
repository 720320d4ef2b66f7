import { expect, test } from 'vitest'
import { createPulse, type Pongs } from './pulse.ts'

/** A pulse whose pongs may take 30 ms, and what came of it. */
function felt(pongs: Pongs) {
  const found = { pings: 0, dead: [] as number[] }
  const pulse = createPulse({
    pongs,
    ping: () => void (found.pings += 1),
    now: () => 7,
    patience_ms: 30,
    dead: (since) => void found.dead.push(since),
  })
  return { pulse, found }
}

const later = (): Promise<void> => new Promise((resolve) => void setTimeout(resolve, 120))

test('nobody is there where a ping is not answered by a target that answered others', async () => {
  const { pulse, found } = felt({ answered: true })
  pulse.doubt()
  await later()
  expect(found).toEqual({ pings: 1, dead: [7] })
})

test('a target that never answered a ping says nothing by its silence', async () => {
  const pongs = { answered: false }
  const { pulse, found } = felt(pongs)
  pulse.doubt()
  await later()
  expect(found).toEqual({ pings: 2, dead: [] })
  expect(pongs.answered).toBe(false)
})

test.for(['pong', 'heard', 'stop'] as const)('%s: there is no doubt any more', async (sign) => {
  const pongs = { answered: true }
  const { pulse, found } = felt(pongs)
  pulse.doubt()
  pulse.doubt()
  pulse[sign]()
  await later()
  expect(found).toEqual({ pings: 1, dead: [] })
})
