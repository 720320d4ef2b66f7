import { afterEach, expect, test } from 'vitest'
import { envelope, rig as makeRig, type Rig } from '../testing/client-rig.ts'

const rigs: Rig[] = []

afterEach(async () => {
  await Promise.all(rigs.splice(0).map((one) => one.stop()))
})

test('a Retry-After that never comes true is honoured for a while, and no longer', async () => {
  let asked = 0
  const one = await makeRig((_request, response) => {
    asked += 1
    response.writeHead(429, { 'retry-after': '0' }).end(envelope(10008, null))
  })
  rigs.push(one)
  for (let call = 0; call < 6; call += 1) await one.scope.rest('list-voices', {})
  expect(asked).toBe(18)
  await one.scope.rest('list-voices', {})
  expect(asked).toBe(19)
})
