import { expect, test } from 'vitest'
import type { Exchange } from '#client/types'
import { timeoutsFor } from '#spec/profile'
import type { RequestEntry } from '#trace/entry'
import { createInVain } from './in-vain.ts'
import { settled } from './settled.ts'

const request = { kind: 'request', operation: 'get-avatar-session' } as RequestEntry
const shows = (status: string) => ({ body: { code: 0, data: { status } } }) as unknown as Exchange
const timeouts = timeoutsFor({ timeouts: { closed_ms: 10 } })
const wait = async (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 20))

test('a session that stays closing is waited for as long as a check does, once for a failure, and it is said', async () => {
  const said: string[] = []
  const vain = createInVain(
    5_000,
    () => {},
    (what) => void said.push(what),
  )
  let asked = 0
  const once = async (): Promise<Exchange> =>
    settled(
      { timeouts, wait },
      { request, recorded: shows('closed').body, first: shows('closing') },
      vain,
      async () => {
        asked += 1
        return shows('closing')
      },
    )
  expect(await once()).toEqual(shows('closing'))
  expect(asked).toBe(1)
  await once()
  expect(asked).toBe(1)
  expect(said).toEqual(['waits up to 1 s for a session that Get Session calls closing'])
})
