import { expect, test } from 'vitest'
import type { JsonObject } from '#trace/json'
import type { Talk } from '../talk.ts'
import { start } from './responses.ts'

/** What was done in turn when each request was answered so: by `response.created`, or by an error of this type and code. */
async function doneWhen(...answers: readonly ('created' | readonly [type: string, code: string])[]): Promise<{
  readonly done: readonly string[]
  readonly starts: boolean
}> {
  const done: string[] = []
  const frames: { readonly data: JsonObject }[] = []
  let ids = 0
  const talk = {
    channel: { frames },
    coming: { frame: 1 },
    context: { id: () => `response-${(ids += 1)}`, wait: async () => void done.push('wait') },
    after: () => ({}),
    event: () => ({}),
    eventually: () => ({}),
    inTime: () => ({}),
    expect: () => undefined,
    expectOwn: () => undefined,
    send: () => void done.push('send'),
    hearOr: async () => {
      const answer = answers[ids - 1] ?? 'created'
      if (answer === 'created') return { frame: 2 }
      const [type, code] = answer
      frames.push({ data: { type: 'error', error: { type, code, message: 'no', event_id: `response-${ids}` } } })
      return undefined
    },
  } as unknown as Talk
  const { start: started } = await start(talk, undefined)
  return { done, starts: started !== undefined }
}

test('a response that was one too many just then is asked for once more, a moment later', async () => {
  const tooMany = ['rate_limit_error', 'rate_limit_exceeded'] as const
  expect(await doneWhen(tooMany, 'created')).toEqual({ done: ['send', 'wait', 'send'], starts: true })
  expect(await doneWhen(tooMany, tooMany)).toEqual({ done: ['send', 'wait', 'send'], starts: false })
})

test('what starts, or is refused for what it is, is asked for once', async () => {
  expect(await doneWhen('created')).toEqual({ done: ['send'], starts: true })
  expect(await doneWhen(['invalid_request_error', 'invalid_value'])).toEqual({ done: ['send'], starts: false })
})
