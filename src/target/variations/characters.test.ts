import { expect, test, vi } from 'vitest'
import { RawTarget, type RawReply, textBody, videoBody } from '#testing/raw-target/raw-target'
import { HANG_MS } from '#testing/hang'
import { type JsonObject, objectAt, objectsAt } from '../wire.ts'
import { VARIATIONS } from './variations.ts'

const CHARACTERS = '/v1/characters'

const tool: JsonObject = { type: 'function', name: 'look_up' }
const body = (extra: JsonObject = {}): JsonObject =>
  videoBody({ name: 'Ada', conversation: { tools: [tool] }, ...extra })
const pathOf = (data: JsonObject): string => `${CHARACTERS}/${encodeURIComponent(String(data['character_id']))}`
const start = (raw: RawTarget, { character_id }: JsonObject, extra: JsonObject = {}): Promise<RawReply> =>
  raw.call('POST', '/v1/realtime-avatar/character-sessions', { body: { character_id, ...extra } })

/** Ids in an order of their own: the order of what was made in one second is free. */
const idsOf = (characters: JsonObject[]): string[] => characters.map((one) => String(one['character_id'])).toSorted()

/** Every id that the pages show. */
async function listed(raw: RawTarget): Promise<string[]> {
  const ids: string[] = []
  for (let query = '?page_size=5'; ; ) {
    const { data, code } = await raw.call('GET', `${CHARACTERS}${query}`)
    expect(code).toBe(0)
    ids.push(...objectsAt(data, 'items').map((item) => String(item['character_id'])))
    if (data['next_page_token'] === '') return ids.toSorted()
    query = `?page_size=5&page_token=${encodeURIComponent(String(data['next_page_token']))}`
  }
}

/** Lists may be behind what was written. */
async function untilListed(raw: RawTarget, made: JsonObject[]): Promise<void> {
  const wanted = JSON.stringify(idsOf(made))
  await vi.waitUntil(async () => JSON.stringify(await listed(raw)) === wanted, HANG_MS)
}

/** The life of characters, told by what the spec fixes. */
async function tour(raw: RawTarget): Promise<void> {
  const made: JsonObject[] = []
  // A model may lack a resolution (30004).
  const low = await raw.call('POST', CHARACTERS, { body: body({ name: 'Ada 0' }) })
  const extra = low.code === 0 ? {} : { output: { aspect_ratio: '9:16', resolution: '720p' } }
  if (low.code === 0) made.push(low.data)
  while (made.length < 7) {
    const one = await raw.call('POST', CHARACTERS, { body: body({ name: `Ada ${made.length}`, ...extra }) })
    expect(one.code).toBe(0)
    made.unshift(one.data)
  }
  const [first = {}, second = {}] = made
  await untilListed(raw, made)
  expect(first).toMatchObject({ character_id: expect.stringMatching(/^chr_./u), name: 'Ada 6', model: 'svc-a1-stream' })
  const got = (await raw.call('GET', pathOf(first))).data
  expect(got).toMatchObject({ name: 'Ada 6', conversation: { tools: [tool] } })
  const replaced = await raw.call('PUT', pathOf(first), { body: textBody({ name: 'Grace' }) })
  expect(replaced.data).toMatchObject({ name: 'Grace', session: { mode: 'text_chat' } })
  expect(objectAt(replaced.data, 'conversation')['tools'] ?? []).toEqual([])
  const high = await start(raw, second, { output: { resolution: '720p' } })
  const { data, code } = high.code === 30004 ? await start(raw, second) : high
  expect(code).toBe(0)
  expect(data).toMatchObject({ output: { aspect_ratio: '9:16', resolution: high.code === 0 ? '720p' : '480p' } })
  expect((await raw.call('DELETE', pathOf(second))).data).toMatchObject({ status: 'deleted' })
  const session = `/v1/realtime-avatar/sessions/${encodeURIComponent(String(data['session_id']))}`
  expect((await raw.call('POST', `${session}/close`)).code).toBe(0)
  await untilListed(
    raw,
    made.filter((one) => one !== second),
  )
  await vi.waitUntil(async () => (await raw.call('GET', pathOf(second))).code !== 0, HANG_MS)
  const refused = [
    await raw.call('POST', CHARACTERS, { body: body({ name: undefined }) }),
    await raw.call('POST', CHARACTERS, { body: body({ avatars: [] }) }),
    await raw.call('POST', CHARACTERS, { body: body({ output: undefined }) }),
    await raw.call('GET', `${CHARACTERS}?page_token=nonsense`),
    await start(raw, second),
    await raw.call('GET', pathOf(second)),
  ]
  expect(refused.map((reply) => Number(reply.code))).toEqual([20004, 20012, 20014, 20004, 20005, 20005])
}

async function tryOut(id: string): Promise<void> {
  const raw = await RawTarget.open({ variations: [id] })
  try {
    await tour(raw)
  } finally {
    await raw.stop()
  }
}

test.concurrent.each(VARIATIONS)('$id leaves what the spec fixes of characters', ({ id }) => tryOut(id))
