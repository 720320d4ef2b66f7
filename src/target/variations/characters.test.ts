import { expect, test, vi } from 'vitest'
import { Bench, type RawReply, textBody, videoBody } from '#testing/bench'
import { HANG_MS } from '#testing/hang'
import { type JsonObject, objectAt, objectsAt } from '../wire.ts'
import { VARIATIONS } from './variations.ts'

const CHARACTERS = '/v1/characters'

const tool: JsonObject = { type: 'function', name: 'look_up' }
const body = (extra: JsonObject = {}): JsonObject =>
  videoBody({ name: 'Ada', conversation: { tools: [tool] }, ...extra })
const pathOf = (data: JsonObject): string => `${CHARACTERS}/${encodeURIComponent(String(data['character_id']))}`
const start = (bench: Bench, { character_id }: JsonObject, extra: JsonObject = {}): Promise<RawReply> =>
  bench.call('POST', '/v1/realtime-avatar/character-sessions', { body: { character_id, ...extra } })

/** Ids in an order of their own: the order of what was made in one second is free. */
const idsOf = (characters: JsonObject[]): string[] => characters.map((one) => String(one['character_id'])).toSorted()

/** Every id that the pages show. */
async function listed(bench: Bench): Promise<string[]> {
  const ids: string[] = []
  for (let query = '?page_size=5'; ; ) {
    const { data, code } = await bench.call('GET', `${CHARACTERS}${query}`)
    expect(code).toBe(0)
    ids.push(...objectsAt(data, 'items').map((item) => String(item['character_id'])))
    if (data['next_page_token'] === '') return ids.toSorted()
    query = `?page_size=5&page_token=${encodeURIComponent(String(data['next_page_token']))}`
  }
}

/** Lists may be behind what was written. */
async function untilListed(bench: Bench, made: JsonObject[]): Promise<void> {
  const wanted = JSON.stringify(idsOf(made))
  await vi.waitUntil(async () => JSON.stringify(await listed(bench)) === wanted, HANG_MS)
}

/** The life of characters, told by what the spec fixes. */
async function tour(bench: Bench): Promise<void> {
  const made: JsonObject[] = []
  for (let count = 0; count < 7; count += 1)
    made.unshift((await bench.call('POST', CHARACTERS, { body: body({ name: `Ada ${count}` }) })).data)
  const [first = {}, second = {}] = made
  await untilListed(bench, made)
  expect(first).toMatchObject({ character_id: expect.stringMatching(/^chr_./u), name: 'Ada 6', model: 'svc-a1-stream' })
  const got = (await bench.call('GET', pathOf(first))).data
  expect(got).toMatchObject({ name: 'Ada 6', conversation: { tools: [tool] } })
  const replaced = await bench.call('PUT', pathOf(first), { body: textBody({ name: 'Grace' }) })
  expect(replaced.data).toMatchObject({ name: 'Grace', session: { mode: 'text_chat' } })
  expect(objectAt(replaced.data, 'conversation')['tools'] ?? []).toEqual([])
  const { data, code } = await start(bench, second, { output: { resolution: '720p' } })
  expect(code).toBe(0)
  expect(data).toMatchObject({ output: { aspect_ratio: '9:16', resolution: '720p' } })
  expect((await bench.call('DELETE', pathOf(second))).data).toMatchObject({ status: 'deleted' })
  const session = `/v1/realtime-avatar/sessions/${encodeURIComponent(String(data['session_id']))}`
  expect((await bench.call('POST', `${session}/close`)).code).toBe(0)
  await untilListed(
    bench,
    made.filter((one) => one !== second),
  )
  await vi.waitUntil(async () => (await bench.call('GET', pathOf(second))).code !== 0, HANG_MS)
  const refused = [
    await bench.call('POST', CHARACTERS, { body: body({ name: undefined }) }),
    await bench.call('POST', CHARACTERS, { body: body({ avatars: [] }) }),
    await bench.call('POST', CHARACTERS, { body: body({ output: undefined }) }),
    await bench.call('GET', `${CHARACTERS}?page_token=nonsense`),
    await start(bench, second),
    await bench.call('GET', pathOf(second)),
  ]
  expect(refused.map((reply) => Number(reply.code))).toEqual([20004, 20012, 20014, 20004, 20005, 20005])
}

async function tryOut(id: string): Promise<void> {
  const bench = await Bench.open({ variations: [id] })
  try {
    await tour(bench)
  } finally {
    await bench.stop()
  }
}

test.concurrent.each(VARIATIONS)('$id leaves what the spec fixes of characters', ({ id }) => tryOut(id))
