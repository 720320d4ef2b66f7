import type { RequestListener } from 'node:http'
import { afterEach, expect, test } from 'vitest'
import { envelope, rig as makeRig, type Rig } from '#testing/rigs/client-rig'

const rigs: Rig[] = []

afterEach(async () => {
  await Promise.all(rigs.splice(0).map((one) => one.stop()))
})

test('a Retry-After that never comes true is honoured for a while, and no longer', async () => {
  let [asked, time] = [0, 0]
  const clock = { now: () => time, sleep: async (ms: number) => void (time += ms) }
  const answer: RequestListener = (_request, response) => {
    asked += 1
    response.writeHead(429, { 'retry-after': '0' }).end(envelope(10008, null))
  }
  const one = await makeRig(answer, { clock })
  rigs.push(one)
  for (let call = 0; call < 6; call += 1) await one.scope.rest('list-voices', {})
  expect(asked).toBe(18)
  await one.scope.rest('list-voices', {})
  expect(asked).toBe(19)
})
