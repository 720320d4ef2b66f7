import { expect, test } from 'vitest'
import type { RestAnswer } from '../../core/envelope.ts'
import { judgementOf } from '../../core/findings.ts'
import { tallyFor } from '../../core/common-measures.ts'
import { SimulatedTime } from '../../testing/simulated-time.ts'
import { workloads } from '../../workloads.ts'
import type { RestRequest } from '../machine.ts'
import { worldSessions } from '../world-sessions.ts'
import { CharacterShelf } from '../characters/shelf.ts'
import { CharacterStock } from '../characters/stock.ts'
import type { RestMachine } from './rest-machine.ts'
import { WorldVisit } from './world-visit.ts'

/** A machine whose requests are all answered with this data: with success, unless that holds a `code`. */
function machine(time: SimulatedTime, answer: (request: RestRequest) => RestAnswer['data']): RestMachine {
  return {
    name: 'simulated-1',
    run: 'simulated',
    key: { name: 'primary', requests_per_minute: 6_000, concurrent_sessions: undefined },
    keys: [],
    workload: workloads.smoke,
    tally: tallyFor({ counts: {}, times: [] }, { serverEvents: [], errorCodes: [] }),
    now: time.now,
    later: (ms, task) => time.later(ms, task),
    wait: time.wait,
    random: () => 0.5,
    connect: () => undefined,
    request: async (request) => {
      const sentAt = time.now()
      await time.wait(5)
      const data = answer(request)
      const code = typeof data['code'] === 'string' ? data['code'] : '0'
      const status = code === '0' ? 200 : code === '50000' ? 500 : 400
      const told = { data, status, code, retryAfter: undefined, date: undefined }
      return { ...told, sentAt, answeredAt: time.now(), ms: 5 }
    },
  }
}

/** Of a service with room for one world session: there is none for a second one beside it. */
const withRoomForOne =
  (answer: (request: RestRequest) => RestAnswer['data']) =>
  (request: RestRequest): RestAnswer['data'] => {
    const isSecond = /"idempotency_key":"[^"]*-n"/.test(JSON.stringify(request.body ?? {}))
    return request.operation === 'create-world-session' && isSecond ? { code: '30006' } : answer(request)
  }

test.each([
  ['failed', []],
  ['closed', []],
  ['closing', ['world-not-closed']],
])('a world session that is closed and is %s in the end breaks %j', async (end, laws) => {
  const time = new SimulatedTime()
  let status = 'active'
  const ask = ({ operation }: RestRequest): RestAnswer['data'] => {
    const told = { session_id: 'w1', status }
    if (operation === 'create-client-secret') return fresh
    if (operation === 'close-world-session') status = end
    return operation === 'close-world-session' ? { ...told, status: 'closing' } : told
  }
  const nothing = (): void => undefined
  const visit = new WorldVisit(machine(time, withRoomForOne(ask)), {
    active: nothing,
    closed: nothing,
    secret: nothing,
  })
  await time.run(visit.run().then(() => undefined))
  expect(visit.rulings.flatMap(({ law, got }) => (got === undefined ? [] : [law]))).toEqual(laws)
})

interface Stored {
  readonly character_id: string
  readonly name: unknown
  readonly model: unknown
  readonly at: number
}

/** List Characters by pages, newest first by the clocks of two machines that take turns, so far apart. */
async function lawsOfPages(apart_ms: number, newestFirst: boolean): Promise<string[]> {
  const time = new SimulatedTime()
  const stored = new Map<string, Stored>()
  let made = 0
  const way = newestFirst ? 1 : -1
  const page = (path: string): RestAnswer['data'] => {
    const query = new URL(`http://127.0.0.1${path}`).searchParams
    const all = [...stored.values()].toSorted((one, other) => way * (other.at - one.at))
    const from = all.findIndex(({ character_id }) => character_id === query.get('page_token')) + 1
    const items = all.slice(from, from + Number(query.get('page_size')))
    return { items, next_page_token: from + items.length < all.length ? (items.at(-1)?.character_id ?? '') : '' }
  }
  const ask = ({ operation, path, body }: RestRequest): RestAnswer['data'] => {
    if (operation === 'list-characters') return page(path)
    if (operation === 'delete-character') {
      stored.delete(path.split('/').at(-1) ?? '')
      return { status: 'deleted' }
    }
    made += 1
    const at = time.now() + (made % 4 < 2 ? apart_ms : 0)
    const { name, model } = body as { name?: unknown; model?: unknown }
    const one = { character_id: `chr_${made}`, name, model, at }
    stored.set(one.character_id, one)
    return { ...one }
  }
  const rulings = { broken: [] as string[] }
  const shelf = new CharacterShelf(new CharacterStock(machine(time, ask), () => undefined), () => undefined)
  await time.run(
    (async () => {
      for (const { law, got } of await shelf.walkTwice()) if (got !== undefined) rulings.broken.push(law)
    })(),
  )
  return rulings.broken
}

test('characters that two machines make whose clocks differ by two seconds are in order', async () => {
  expect(await lawsOfPages(2_500, true)).toEqual([])
  expect(await lawsOfPages(0, false)).toContain('page-order')
})

test.each([
  ['closed', 'ended'],
  ['failed', 'failed'],
  ['provisioning', 'not-active'],
  ['active', 'active'],
])('a world session that is %s before it was closed is told as %s', async (status, fate) => {
  const time = new SimulatedTime()
  const ask = (): RestAnswer['data'] => ({ session_id: 'w1', status })
  const nothing = (): void => undefined
  const visit = new WorldVisit(machine(time, withRoomForOne(ask)), {
    active: nothing,
    closed: nothing,
    secret: nothing,
  })
  expect(await time.run(visit.run())).toBe(fate)
})

const fresh = { session_id: 'w1', control: { client_secret: 'fresh' }, media: { client_secret: 'fresh' } }

test.each([
  ['create-client-secret', { code: '30004' }, ['world-secret-refused']],
  ['create-client-secret', { code: '10009' }, []],
  ['create-client-secret', {}, ['world-secret-missing', 'world-media-secret-missing']],
  ['close-world-session', { code: '30004' }, ['world-close-refused']],
])(
  'an active world session whose %s is answered by %j breaks %j, and nothing where it ends meanwhile',
  async (asked, answer, laws) => {
    const nothing = (): void => undefined
    for (const ends of [false, true]) {
      const time = new SimulatedTime()
      let status = 'active'
      const ask = ({ operation }: RestRequest): RestAnswer['data'] => {
        if (operation === asked && ends) status = 'closed'
        if (operation === asked) return answer
        if (operation === 'close-world-session') status = 'closed'
        return operation === 'create-client-secret' ? fresh : { session_id: 'w1', status }
      }
      const visit = new WorldVisit(machine(time, withRoomForOne(ask)), {
        active: nothing,
        closed: nothing,
        secret: nothing,
      })
      await time.run(visit.run().then(() => undefined))
      expect(visit.rulings.flatMap(({ law, got }) => (got === undefined ? [] : [law]))).toEqual(ends ? [] : laws)
    }
  },
)

test.each([
  [['30004', '30004', '30004'], 'called-wrong'],
  [['30004', '30004', '0'], 'active'],
  [['10005', '30004', '30004'], 'refused'],
  // Section 7 lists no such code: it may say that too many were made.
  [['20099', '20099', '20099'], 'refused'],
  [['20099', '20099', '0'], 'active'],
  [Array.from({ length: 20 }, () => '50000'), 'unserved'],
])('a world session whose creates are answered by %j is told as %s', async (codes, fate) => {
  const time = new SimulatedTime()
  let creates = 0
  const ask = ({ operation }: RestRequest): RestAnswer['data'] => {
    if (operation !== 'create-world-session') return { session_id: 'w1', status: 'active' }
    creates += 1
    return { session_id: 'w1', status: 'active', code: codes[creates - 1] ?? '0' }
  }
  const nothing = (): void => undefined
  const visit = new WorldVisit(machine(time, withRoomForOne(ask)), {
    active: nothing,
    closed: nothing,
    secret: nothing,
  })
  expect(await time.run(visit.run())).toBe(fate)
})

test.each([
  ['primary', '30004', 'primary wrong'],
  ['same_workspace', '0', 'primary taken'],
  ['other_workspace', '30004', 'other_workspace wrong'],
  ['other_workspace', '10009', 'other_workspace denied'],
  ['other_workspace', '10005', undefined],
])('by the key %s a create that is answered with %s counts as %s', async (name, code, fare) => {
  const time = new SimulatedTime()
  const tally = tallyFor(worldSessions.measures({ serverEvents: [], errorCodes: [] }), {
    serverEvents: [],
    errorCodes: [],
  })
  const simulated = machine(time, () => ({ session_id: 'w1', status: 'active', code }))
  await time.run(worldSessions.iterate({ ...simulated, key: { ...simulated.key, name }, tally } as never))
  expect([...tally.counts('fared')]).toEqual(fare === undefined ? [] : [[fare, 1]])
})

test('world sessions that are called wrong beside others that are not speak against the service', () => {
  let notes: readonly string[] = []
  const verdict = (
    fates: { readonly [fate: string]: number },
    fared: { readonly [fare: string]: number } = {},
  ): string => {
    const tally = tallyFor(worldSessions.measures({ serverEvents: [], errorCodes: [] }), {
      serverEvents: [],
      errorCodes: [],
    })
    for (const [fate, count] of Object.entries(fates)) tally.count('worlds', fate, count)
    for (const [fare, count] of Object.entries(fared)) tally.count('fared', fare, count)
    tally.count('laws_held', 'world-duplicate')
    const findings = worldSessions.judge(tally, { workload: workloads.smoke } as never)
    notes = (findings.notes ?? []).map(({ text }) => text)
    return judgementOf(findings).verdict
  }
  expect(verdict({ active: 200, 'called-wrong': 100 }, { 'primary taken': 200, 'primary wrong': 100 })).toBe('fail')
  expect(verdict({ active: 200, 'called-wrong': 1 }, { 'primary taken': 200, 'primary wrong': 1 })).toBe('pass')
  // Another workspace, whose deployment has no world sessions, is told, and what was tried in the first one is judged.
  const apart = { 'primary taken': 200, 'other_workspace wrong': 100 }
  expect(verdict({ active: 200, 'called-wrong': 100 }, apart)).toBe('pass')
  expect(notes).toEqual([expect.stringContaining('not applicable to the workspace of the key other_workspace')])
  const closed = { 'primary taken': 200, 'other_workspace denied': 100 }
  expect(verdict({ active: 200, denied: 100 }, closed)).toBe('pass')
  expect(verdict({ active: 200, denied: 100 }, { 'primary taken': 200, 'primary denied': 100 })).toBe('invalid')
  expect(verdict({ 'called-wrong': 100 }, { 'primary wrong': 100 })).toBe('invalid')
  expect(notes).toEqual([])
  expect(verdict({ active: 200, refused: 100 })).toBe('invalid')
  // The engine says of these what is to be said.
  expect(verdict({ active: 200, unserved: 100 })).toBe('pass')
})

test('world sessions that were over before they were closed, or never ready, say nothing where they are many', () => {
  const judged = (fates: { readonly [fate: string]: number }): number => {
    const tally = tallyFor(worldSessions.measures({ serverEvents: [], errorCodes: [] }), {
      serverEvents: [],
      errorCodes: [],
    })
    for (const [fate, count] of Object.entries(fates)) tally.count('worlds', fate, count)
    tally.count('laws_held', 'world-duplicate')
    return worldSessions.judge(tally, { workload: workloads.smoke, late: () => false } as never).invalid.length
  }
  expect(judged({ active: 99, ended: 1 })).toBe(0)
  expect(judged({ active: 97, ended: 3 })).toBe(1)
  expect(judged({ active: 97, failed: 2, 'not-active': 1 })).toBe(1)
})
