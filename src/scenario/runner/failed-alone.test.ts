import { expect, test } from 'vitest'
import type { Exchange, RestCall } from '#client/types'
import type { OperationId } from '#spec/tables'
import { createFailedAlone } from './failed-alone.ts'

const answer = { exchange: 1, headers: {}, body: undefined, message: undefined, data: undefined, failure: undefined }
const taken: Exchange = { ...answer, ok: true, status: 200, code: 0 }
const refused: Exchange = { ...answer, ok: false, status: 400, code: 20003 }
const failed: Exchange = { ...answer, ok: false, status: 500, code: 50_000 }

type What = readonly [scenario: string, operation: OperationId, key?: RestCall['key']]

/** Sends a request, and meanwhile others. */
function setUp() {
  const failedAlone = createFailedAlone()
  const alone: string[] = []
  const send = async ([scenario, operation, key]: What, sent: Exchange, meanwhile: readonly What[] = []) => {
    const others = async () => {
      for (const one of meanwhile) await send(one, taken)
      return sent
    }
    await failedAlone.around({ scenario, operation, key }, others, () => alone.push(scenario))
  }
  return { alone, send }
}

test('a failure over a write beside which no other one was taken is told once a scenario', async () => {
  const { alone, send } = setUp()
  await send(['a', 'clone-voice'], taken)
  await send(['a', 'clone-voice'], failed)
  await send(['a', 'create-character'], failed)
  await send(['b', 'clone-voice'], failed, [['c', 'clone-voice', 'other_workspace']])
  expect(alone).toEqual(['a', 'b'])
})

test('a failure beside which the same workspace took a write, and one over a read, need no second look', async () => {
  const { alone, send } = setUp()
  await send(['a', 'clone-voice'], failed, [['b', 'create-character', 'same_workspace']])
  await send(['a', 'get-character'], failed)
  await send(['a', 'clone-voice'], refused)
  expect(alone).toEqual([])
})
