import { expect, test } from 'vitest'
import type { Exchange } from '#client/types'
import type { Context } from './context.ts'
import { retryTransient } from './retry-transient.ts'

type FakeReply = Pick<Exchange, 'status' | 'attempts'> & { readonly code?: number }

const full: FakeReply = { status: 429, code: 30006 }
const lack: FakeReply = { status: 429, code: 30008 }
const fault: FakeReply = { status: 500, code: 50000 }
const proxy: FakeReply = { status: 502 }
const refused: FakeReply = { status: 400, code: 30004 }

/** Which of these answers is taken for the answer, and what was waited for before. */
function retried(...answers: readonly FakeReply[]): Promise<{ readonly taken: number; readonly waited: string[] }> {
  return retriedIn(new Map(), answers)
}

async function retriedIn(silences: Context['silences'], answers: readonly FakeReply[]) {
  const waited: string[] = []
  const wait = async (ms: number, why: string) => void waited.push(`${ms} ${why}`)
  const context = { wait, silences } as unknown as Context
  let sent = 0
  const answer = await retryTransient(context, () =>
    Promise.resolve(answers[Math.min(sent++, answers.length - 1)] as Exchange),
  )
  return { taken: answers.indexOf(answer as FakeReply), waited }
}

test.each([
  ['a refusal is an answer', [refused], 0, []],
  ['a mishap is none', [fault, refused], 1, ['500 backoff']],
  ['a mishap that stays is one in the end', [fault], 0, ['500 backoff', '1000 backoff']],
  ['after which the client has asked again itself', [{ ...fault, attempts: 4 }], 0, []],
  ['nor is a full workspace, for longer', [full, full, full, refused], 3, ['500 quota', '1000 quota', '2000 quota']],
  ['nor is a lack of capacity', [lack, lack, refused], 2, ['500 quota', '1000 quota']],
  ['what a proxy says is left to the client, which has tried again', [proxy], 0, []],
])('%s', async (_, answers, taken, waited) => {
  expect(await retried(...answers)).toEqual({ taken, waited })
})

test('a workspace that stays full is not asked for ever', async () => {
  expect((await retried(full)).waited).toEqual([500, 1_000, 2_000, 4_000, 8_000].map((ms) => `${ms} quota`))
})

test('what stays scarce for the whole run is waited for shortly, until something came of it', async () => {
  const silences: Context['silences'] = new Map()
  for (let vain = 0; vain < 4; vain += 1) await retriedIn(silences, [full])
  expect((await retriedIn(silences, [full])).waited).toEqual(['500 quota'])
  expect((await retriedIn(silences, [full, refused])).waited).toEqual(['500 quota'])
  expect((await retriedIn(silences, [full])).waited).toHaveLength(5)
})
