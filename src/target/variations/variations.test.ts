import { expect, test } from 'vitest'
import { RawTarget, type RawReply, speak, textBody, videoBody } from '#testing/raw-target/raw-target'
import { isWire, type JsonObject, objectAt, objectsAt, textOf } from '../wire.ts'
import { openingText } from './channel/output.ts'
import { VARIATIONS } from './variations.ts'

const SESSIONS = '/v1/realtime-avatar/sessions'
const TEXT = 'A house is not a home. '.repeat(8)

const pathOf = (data: JsonObject): string => `${SESSIONS}/${encodeURIComponent(String(data['session_id']))}`
const urlOf = (data: JsonObject): string => {
  const control = objectAt(data, 'control')
  return `${String(control['url'])}&token=${encodeURIComponent(String(control['client_secret']))}`
}

/** Whether the channel refuses: by status, or by closing at once. */
async function refuses(raw: RawTarget, url: string): Promise<boolean> {
  const channel = await raw.dial(url)
  return typeof channel === 'number' || (await channel.closed) > 1000
}

/** The end of what the service said before it was asked for anything. */
function isOpening(done: JsonObject): boolean {
  const [item = {}] = objectsAt(objectAt(done, 'response'), 'output')
  const said = textOf(objectsAt(item, 'content')[0]?.['text'])
  return said === undefined || openingText.startsWith(said)
}

/** What holds under every variation: the life of one session, told by effects and not by what the spec leaves open. */
async function tour(raw: RawTarget, body: JsonObject, video: boolean, renders = true): Promise<void> {
  const { code, data } = await raw.create(body)
  expect(code).toBe(0)
  const channel = await raw.dial(urlOf(data))
  if (typeof channel === 'number') throw new Error(`refused with ${channel}`)
  channel.send({ type: 'nonsense' })
  expect(objectAt(await channel.untilType('error'), 'error')['message']).toEqual(expect.any(String))
  channel.send({ type: 'session.update', event_id: 'u', session: {} })
  expect(await channel.untilType('session.update.done')).toMatchObject({ request_event_id: 'u', status: 'completed' })
  channel.send(speak(TEXT))
  // An opening that was spoken before was cut, or has come to its end.
  const ended = await channel.until((event) => event['type'] === 'response.done' && !isOpening(event))
  const done = objectAt(ended, 'response')
  expect(done).toMatchObject({ status: 'completed', output: [{ role: 'assistant' }] })
  // In however many parts it stands.
  const parts = objectsAt(done, 'output').flatMap((item) => objectsAt(item, 'content'))
  expect(parts.map(({ text }) => text).join('')).toBe(TEXT)
  const deltas = channel.events.filter((event) => event['type'] === 'response.output_text.delta')
  const own = deltas.filter((event) => event['response_id'] === deltas.at(-1)?.['response_id'])
  expect(own.map((event) => event['delta']).join('')).toBe(TEXT)
  expect(channel.types().includes('response.render.started')).toBe(video && renders)
  const before = channel.events.length
  channel.send({ ...speak(TEXT.repeat(2)), event_id: 'long' })
  await channel.until((event) => event['type'] === 'response.created' && channel.events.indexOf(event) >= before)
  channel.send({ type: 'response.cancel' })
  await channel.until((event) => event['type'] === 'response.done' && event !== ended)
  expect((await raw.call('POST', `${pathOf(data)}/close`)).code).toBe(0)
  await channel.closed
  expect(await refuses(raw, urlOf(data))).toBe(true)
}

async function failures(raw: RawTarget): Promise<RawReply[]> {
  return [
    await raw.create(videoBody({ avatars: [] })),
    await raw.call('GET', `${SESSIONS}/ses_${'0'.repeat(20)}`),
    await raw.call('GET', SESSIONS, { key: null }),
    await raw.call('GET', SESSIONS, { key: null, headers: { authorization: 'Bearer nobody' } }),
  ]
}

test('every variation has an id of its own', () => {
  expect(new Set(VARIATIONS.map(({ id }) => id)).size).toBe(VARIATIONS.length)
  expect(VARIATIONS.length).toBeGreaterThan(20)
})

/** Nothing is rendered for the workspace of the tour. */
const unrendered = new Set(['renders-for-nobody', 'renders-in-one-workspace'])

async function tryOut(id: string): Promise<void> {
  const raw = await RawTarget.open({ variations: [id] })
  try {
    const large = raw.target.lacks.includes('resolution_480p')
    const output = { aspect_ratio: '9:16', resolution: large ? '720p' : '480p' }
    await tour(raw, videoBody({ output }), true, !unrendered.has(id))
    while (raw.target.openSessions() > 0) await new Promise((resolve) => void setTimeout(resolve, 20))
    await tour(raw, textBody(), false)
    expect((await failures(raw)).map((reply) => Number(reply.code))).toEqual([30004, 20005, 10001, 10003])
  } finally {
    await raw.stop()
  }
}

test.concurrent.each(VARIATIONS)('$id leaves what the spec fixes', ({ id }) => tryOut(id))

test('variations combine', async () => {
  const variations = ['not-shown', 'minimal', 'extra-fields', 'unknown-events', 'integers-as-strings', 'gzip', 'slow']
  const raw = await RawTarget.open({ variations })
  await tour(raw, videoBody(), true)
  const { data } = await raw.create(videoBody())
  expect(objectAt(data, 'output')['fps']).toBe('24')
  expect(data).toHaveProperty('added_later')
  expect(isWire(data['delivery'])).toBe(true)
  await raw.stop()
})

test('a target that is given a clock counts by it how far its copies are behind', async () => {
  let now = 0
  const raw = await RawTarget.open({ variations: ['ended-listed-until-closed'], cap: 1, clock: () => now })
  const { data } = await raw.create({ ...textBody(), max_duration_seconds: 4 }, 'capped')
  const look = () => raw.call('GET', pathOf(data), { key: 'capped' })
  await expect.poll(async () => (await look()).data['status'], { timeout: 10_000 }).toBe('closed')
  await raw.call('POST', `${pathOf(data)}/close`, { key: 'capped' })
  expect((await raw.create(textBody(), 'capped')).code).toBe(30006)
  now += 5_000
  expect((await raw.create(textBody(), 'capped')).code).toBe(0)
  await raw.stop()
})

test('the rate limiters keep their word', async () => {
  const now = Date.now()
  for (const variations of [['rate-fixed-window'], ['rate-sliding-window'], ['retry-after-date']]) {
    const raw = await RawTarget.open({ variations, rateLimitedPerMinute: 3, clock: () => now })
    const codes = []
    for (let count = 0; count < 4; count += 1) codes.push(await raw.call('GET', SESSIONS, { key: 'rate_limited' }))
    expect(codes.map((reply) => reply.code)).toEqual([0, 0, 0, 10008])
    const after = String(codes[3]?.headers['retry-after'])
    const seconds = /^\d+$/u.test(after) ? Number(after) : (Date.parse(after) - now) / 1000
    expect(seconds).toBeGreaterThanOrEqual(20)
    expect(seconds).toBeLessThanOrEqual(61)
    await raw.stop()
  }
})
