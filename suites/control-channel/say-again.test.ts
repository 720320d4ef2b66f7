import { expect, test } from 'vitest'
import type { JsonObject } from '#trace/json'
import { event } from '#trace/conditions'
import { sayAgainIfFailed } from './say-again.ts'
import type { Talk } from './talk.ts'

const update = { type: 'session.update', event_id: 'one', session: {} }
const updated = { frame: 9, t: 0, type: 'session.updated', data: { type: 'session.updated' } }

/** What is sent again after these answers to an update, the first of which came before it. */
async function sentAfter(...answers: readonly JsonObject[]): Promise<readonly JsonObject[]> {
  const sent: JsonObject[] = []
  const frames = answers.map((data, frame) => ({ frame, t: 0, type: 'error', data }))
  const talk = {
    channel: { frames },
    context: { id: (part: string) => `${part}-1` },
    send: (message: JsonObject) => sent.push(message),
    hear: () => Promise.resolve(updated),
  } as unknown as Talk
  const heard = await sayAgainIfFailed(talk, update, event('session.updated'), 1)
  expect(heard).toBe(sent.length === 0 ? undefined : updated)
  return sent
}

const error = (about: JsonObject): JsonObject => ({ type: 'error', error: about })
const failure = error({ type: 'server_error', message: 'internal error' })
const named = error({ type: 'server_error', message: 'internal error', event_id: 'one' })
const refusal = error({ type: 'invalid_request_error', message: 'no such avatar', event_id: 'one' })
const ofAnother = error({ type: 'server_error', message: 'internal error', event_id: 'two' })

test.each([
  ['names it', [refusal, named]],
  ['names nothing', [refusal, failure]],
])('what the service failed over is sent again under another id, where the error %s', async (_, answers) => {
  expect(await sentAfter(...answers)).toEqual([{ ...update, event_id: 'again-1' }])
})

test.each([
  ['refused', [failure, refusal]],
  ['answered by nothing since', [failure]],
  ['not what the service failed over', [refusal, ofAnother]],
])('what was %s is not sent again', async (_, answers) => {
  expect(await sentAfter(...answers)).toEqual([])
})
