import { expect, test } from 'vitest'
import type { Channel, Exchange } from '#client/types'
import type { AnyContext, OpenSession } from '#scenario/author/context'
import type { JsonObject } from '#trace/json'
import { expiry } from './expiry.check.ts'

interface Service {
  /** What Get says of every session. */
  readonly status: string
  /** Whether its first openings are let in, one after the other. */
  readonly letsIn: readonly boolean[]
  /** Whether the second connection is told that the session has ended. */
  readonly isTold?: boolean
}

/** Drives the scenario until it connects for good, which nobody is let to. */
async function durationsAsked({ status, letsIn, isTold = false }: Service): Promise<readonly unknown[]> {
  const asked: unknown[] = []
  let opened = 0
  const context = {
    create: async (body: JsonObject) => {
      asked.push(body['max_duration_seconds'])
      return { id: 'ses_1', key: 'primary', exchange: asked.length } as OpenSession
    },
    open: async () => {
      const state = letsIn[opened] === true ? 'open' : 'refused'
      opened += 1
      const frames = isTold && opened === 2 ? [{ type: 'session.closed' }] : []
      return { state, frames, close: async () => {} } as unknown as Channel
    },
    call: async () => ({ ok: true, data: { session_id: 'ses_1', status } }) as unknown as Exchange,
    close: async () => {},
    connect: async () => {
      throw new Error('nobody is let in')
    },
  } as unknown as AnyContext
  await expect(expiry.drive(context)).rejects.toThrow('nobody is let in')
  return asked
}

test.each([[[false, false]], [[true, false]], [[false, true]]])(
  'a session that goes on and lets nobody in is not replaced: %j',
  async (letsIn) => {
    expect(await durationsAsked({ status: 'active', letsIn })).toEqual([4])
  },
)

test('a session that is over before all is asked is replaced by a longer one', async () => {
  expect(await durationsAsked({ status: 'closed', letsIn: [true, false] })).toEqual([4, 15])
  expect(await durationsAsked({ status: 'active', letsIn: [true, false], isTold: true })).toEqual([4, 15])
})
