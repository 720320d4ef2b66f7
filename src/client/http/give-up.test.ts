import { afterEach, expect, test } from 'vitest'
import { envelope, rig as makeRig, type Rig } from '#testing/rigs/client-rig'

const rigs: Rig[] = []

afterEach(async () => {
  await Promise.all(rigs.splice(0).map((one) => one.stop()))
})

test('a call that is given up has reached the target whole, and nobody waited for its answer', async () => {
  const arrived = Promise.withResolvers<{ readonly body: string; readonly length: string | undefined }>()
  const one = await makeRig((request, response) => {
    let body = ''
    request.on('data', (chunk: Buffer) => {
      body += chunk.toString()
    })
    request.on('end', () => {
      arrived.resolve({ body, length: request.headers['content-length'] })
      response.end(envelope(0, {}))
    })
  })
  rigs.push(one)
  const answer = await one.scope.rest('create-avatar-session', {
    body: { model: 'ä' },
    retry: 'never',
    give_up: true,
  })
  expect(answer).toMatchObject({ failure: 'timeout', ok: false })
  expect(await arrived.promise).toEqual({ body: '{"model":"ä"}', length: '14' })
  expect(one.entries().map(({ kind }) => kind)).toEqual(['request', 'failure'])
})
