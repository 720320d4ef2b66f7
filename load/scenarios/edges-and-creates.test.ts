import { expect, test } from 'vitest'
import { answered, type Quirks, refused } from '../testing/fake-avatars.ts'
import { judgePartOf, runScenario } from '../testing/run-scenario.ts'
import { controlThroughput } from './control-throughput.ts'

const scale = { turns: 2, patience_ms: 1_000, iteration_ms: 5_000 }

// The first iteration is due after a second, and takes a millisecond or two to set its clock.
const run = (quirks: Quirks = {}) => runScenario(controlThroughput, quirks, scale)

test('an upgrade that an edge refuses for a moment is tried again, and speaks against nobody', async () => {
  const ran = await run({ upgrades: [refused(503, 0), refused(429, 0)] })
  expect(ran.tally).toMatchObject({ conversations: { begun: 1, whole: 1 }, upgrades: { refused: 2, opened: 1 } })
  expect(judgePartOf(controlThroughput, ran).verdict).toBe('pass')
})

test('a control URL that leads elsewhere is not opened', async () => {
  const { tally, service } = await run({ controlHost: 'elsewhere.example' })
  expect(tally).toMatchObject({ conversations: { begun: 1, unsafe: 1 } })
  expect(service.log).toEqual(['create at 1001', 'close s1'])
})

test('a create that failed for the moment is tried again, with the same key', async () => {
  const { tally, service } = await run({ creates: [refused(502, 30_007), refused(429, 30_008), 'silence'] })
  expect(Object.values(tally['create_unanswered_ms'] ?? {})).toEqual([1])
  expect(tally).toMatchObject({
    conversations: { begun: 1, whole: 1 },
    errors: { 'create 502 30007': 1, 'create 429 30008': 1, 'create 0 network': 1 },
    retries: { 'backed-off': 3 },
    sessions: { opened: 1, closed: 1 },
  })
  expect(service.log.filter((line) => line.startsWith('create'))).toHaveLength(4)
})

test('a create is not sent again before it was asked for', async () => {
  const { service, tally } = await run({ creates: [refused(429, 10_008, { 'retry-after': '7' })] })
  const [first, second] = service.log.slice(0, 2).map((line) => Number(line.split(' ').at(-1)))
  expect((second ?? 0) - (first ?? 0)).toBeGreaterThanOrEqual(7_000)
  expect(tally).toMatchObject({ retries: { 'as-asked': 1 } })
})

test('the page of an edge is no answer of the service, and the same request is sent again', async () => {
  const page = { status: 403, headers: { 'content-type': 'text/html' }, body: '<html>denied</html>' }
  const ran = await run({ creates: [page], firstCloses: [page] })
  expect(ran.tally).toMatchObject({ conversations: { whole: 1 }, sessions: { opened: 1, closed: 1 } })
  expect(judgePartOf(controlThroughput, ran)).toMatchObject({ verdict: 'pass', findings: [] })
})

test('a create that is sent again may be told that the one before is in progress', async () => {
  const ran = await run({ creates: [refused(503, 0), refused(400, 30_004), refused(409, 40_900)] })
  expect(ran.tally).toMatchObject({ conversations: { begun: 1, whole: 1 } })
  expect(judgePartOf(controlThroughput, ran)).toMatchObject({ verdict: 'pass', findings: [] })
})

test.each([
  [30_004, 'request'],
  // Section 7 lists no such code: it may say that there were too many today.
  [20_099, 'final'],
])('a create that was refused for good with %i is not sent again, and is told as %s', async (code, refusal) => {
  const { tally, service } = await run({ creates: [refused(400, code)] })
  expect(tally).toMatchObject({ conversations: { begun: 1, refused: 1 }, turned_away: { [refusal]: 1 } })
  expect(tally['fared']).toEqual(refusal === 'request' ? { 'primary wrong': 1 } : undefined)
  expect(service.log).toEqual(['create at 1001'])
})

test('a close that an edge answers, or nobody, is sent again; one that is refused to the end is told', async () => {
  const { tally } = await run({ closes: refused(500, 0) })
  expect(tally).toMatchObject({ sessions: { opened: 1, unclosed: 1 } })
  const page = { status: 502, body: '<html>' }
  const again = await run({ firstCloses: [page, page] })
  // It was carried out the first time, and is not found when it is asked for again.
  expect(again.tally).toMatchObject({ sessions: { opened: 1, closed: 1 } })
  expect(again.service.log.filter((line) => line.startsWith('close'))).toHaveLength(3)
  const silent = await run({ closes: { ...answered({}), after_ms: 60_000 } })
  expect(silent.service.log.filter((line) => line.startsWith('close'))).toHaveLength(2)
})
