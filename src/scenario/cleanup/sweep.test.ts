import { join } from 'node:path'
import { expect, test } from 'vitest'
import { envelope, fakeService, silence } from '#testing/fake-service'
import type { Intent } from '../journal/journal-line.ts'
import { readJournal } from '../journal/journal-state.ts'
import { beginJournal } from '../journal/journal.ts'
import { sweep } from './sweep.ts'
import { newFolder } from '#testing/new-folder'

const session = { resource: 'avatar-session', operation: 'create-avatar-session', key: 'primary' } as const
const keyedCreate: Intent = { ...session, idempotency_key: 'k', body: { model: 'svc-a1-stream', idempotency_key: 'k' } }

function setUp(keys: readonly ('primary' | 'other_workspace')[] = ['primary'], deadline_ms = 5_000) {
  const file = join(newFolder(), 'a.journal')
  const journal = beginJournal(file, { run: 'r1', base_url: 'https://target.example', keys: { primary: 'KEY' } })
  const service = fakeService()
  const run = () => sweep({ journal, keys, deadline_ms, rest: (...call) => service.scope().rest(...call) })
  return { journal, service, run, state: () => readJournal(file) }
}

test('what is open is closed, and nothing else is touched', async () => {
  const { journal, service, run, state } = setUp()
  service.open.add('mine').add('theirs')
  journal.intend(session).created('mine')
  expect(await run()).toEqual({ closed: ['mine'], leaked: [], undeletable: [], again: false, soon: false })
  expect([...service.open]).toEqual(['theirs'])
  expect(state()).toMatchObject({ open: [], ended: true })
})

test('a lost create is sent again with its key, and the session that it names is closed', async () => {
  const { journal, service, run } = setUp()
  await service.scope().rest('create-avatar-session', { body: keyedCreate.body ?? {} })
  const [id = ''] = service.open
  journal.intend(keyedCreate)
  expect(await run()).toMatchObject({ closed: [id], leaked: [] })
  expect(service.open.size).toBe(0)
})

test('where creates that are sent again are answered without an id, time and again, the others are told and not sent', async () => {
  const { journal, service, run } = setUp()
  const many = 40
  for (let place = 0; place < many; place += 1) {
    const body = { idempotency_key: `k-${place}` }
    journal.intend({ ...session, idempotency_key: `k-${place}`, body })
  }
  service.intercept = (operation) => (operation === 'create-avatar-session' ? envelope(0) : undefined)
  const swept = await run()
  expect(swept.leaked).toHaveLength(many)
  expect(service.calls.length).toBeLessThan(many / 4)
})

test('where somebody waits for our end, what is known is ended at once, whatever becomes of lost creates', async () => {
  const { journal, service } = setUp()
  const known = Array.from({ length: 20 }, (_, place) => `known-${place}`)
  for (const id of known) {
    service.open.add(id)
    journal.intend(session).created(id)
  }
  journal.intend(keyedCreate)
  service.intercept = (operation) => (operation === 'create-avatar-session' ? silence() : undefined)
  let [pending, most] = [0, 0]
  const rest: ReturnType<typeof service.scope>['rest'] = async (...call) => {
    most = Math.max(most, (pending += 1))
    await Promise.resolve()
    return service
      .scope()
      .rest(...call)
      .finally(() => (pending -= 1))
  }
  const swept = await sweep({ journal, keys: ['primary'], deadline_ms: 5_000, hurried: true, rest })
  expect(swept.closed.toSorted()).toEqual(known.toSorted())
  expect(swept.leaked).toHaveLength(1)
  expect(most).toBeGreaterThan(known.length)
})

test('a lost create that is refused when sent again made nothing', async () => {
  const { journal, service, run } = setUp()
  service.intercept = () => envelope(30004)
  journal.intend(keyedCreate)
  expect(await run()).toMatchObject({ closed: [], leaked: [] })
})

test('a lost create that is under way still, as its key is told, is waited for', async () => {
  const { journal, service, run } = setUp()
  let tries = 0
  service.intercept = (operation) => {
    if (operation !== 'create-avatar-session') return undefined
    tries += 1
    return tries < 3 ? envelope(40_901, {}, 409) : undefined
  }
  journal.intend(keyedCreate)
  expect((await run()).closed).toHaveLength(1)
  expect(tries).toBe(3)
  expect(service.open.size).toBe(0)
})

test('a lost create without a key is leaked, with the reason', async () => {
  const { journal, run } = setUp()
  journal.intend({ ...session, body: { model: 'svc-a1-stream' } })
  expect(await run()).toMatchObject({
    leaked: [
      { resource: 'avatar-session', id: 'unknown', reason: 'its create got no answer and nothing names what it made' },
    ],
    again: false,
  })
})

test('a lost create without a key is found by its mark, once for each that was lost', async () => {
  const { journal, service, run } = setUp()
  for (const id of ['ours-1', 'ours-2', 'theirs']) service.open.add(id)
  service.intercept = (operation, { params }) => {
    const id = params?.['session_id'] ?? ''
    if (operation === 'list-avatar-sessions')
      return envelope(
        0,
        [...service.open].map((session_id) => ({ session_id })),
      )
    if (operation !== 'get-avatar-session') return undefined
    return envelope(0, { avatars: [{ avatar_id: id.startsWith('ours') ? 'mark' : 'ada' }] })
  }
  journal.intend({ ...session, body: { model: 'svc-a1-stream' }, known_by: 'mark' })
  journal.intend({ ...session, body: { model: 'svc-a1-stream' }, known_by: 'mark' })
  expect(await run()).toMatchObject({ closed: ['ours-1', 'ours-2'], leaked: [], again: false })
  expect([...service.open]).toEqual(['theirs'])
})

test('a life that runs out is waited for by who has time, and left to the next sweep by who has not', async () => {
  const { journal, service, run, state } = setUp()
  const world = { resource: 'world-session', operation: 'create-world-session', key: 'primary' } as const
  journal.intend({ ...world, body: { model: 'svc-w1-stream' }, ends_within_s: 0.01 })
  const rest = () => Promise.reject(new Error('nothing is asked for'))
  expect(await sweep({ journal, keys: ['primary'], deadline_ms: 5_000, hurried: true, rest })).toMatchObject({
    leaked: [{ reason: 'it ends by itself within 0.01 s' }],
    again: true,
  })
  expect(state()?.lost).toHaveLength(1)
  expect(await run()).toMatchObject({ leaked: [] })
  expect(state()?.lost).toEqual([])
  expect(service.calls).toEqual([])
})

test('a session that is gone already counts as closed', async () => {
  const { journal, run } = setUp()
  journal.intend(session).created('gone')
  expect(await run()).toMatchObject({ closed: ['gone'], leaked: [] })
})

test('a target that is not there when a lost create is sent again has not said that it made nothing', async () => {
  const { journal, service, run, state } = setUp()
  journal.intend(keyedCreate)
  service.intercept = () => silence('refused')
  expect(await run()).toMatchObject({ leaked: [{ id: 'unknown' }], again: true })
  expect(state()?.lost).toHaveLength(1)
})

test('a refused close of a closed session leaks nothing', async () => {
  const { journal, service, run } = setUp()
  service.intercept = (operation) => (operation === 'close-avatar-session' ? envelope(50000) : undefined)
  journal.intend(session).created('closed')
  expect(await run()).toMatchObject({ closed: ['closed'], leaked: [] })
})

test('without an answer a session is leaked and worth another sweep', async () => {
  const { journal, service, run, state } = setUp()
  service.intercept = () => silence('refused')
  journal.intend(session).created('s1')
  expect(await run()).toMatchObject({
    leaked: [{ id: 's1', reason: 'ending it got no answer (refused)' }],
    again: true,
  })
  expect(state()?.leaked).toHaveLength(1)
})

test('a key without a value is said, not guessed', async () => {
  const { journal, service, run } = setUp()
  journal.intend({ ...session, key: 'other_workspace' }).created('s1')
  expect(await run()).toMatchObject({ leaked: [{ id: 's1', reason: 'the key other_workspace has no value' }] })
  expect(service.calls).toEqual([])
})

test('a target that never answers does not hold a sweep beyond its deadline', async () => {
  const { journal, run } = setUp()
  for (let index = 0; index < 20; index += 1) journal.intend(session).created(`s${index}`)
  const never = sweep({ journal, keys: ['primary'], deadline_ms: 30, rest: () => new Promise(() => {}) })
  expect((await never).leaked).toHaveLength(20)
  expect((await run()).leaked).toHaveLength(0)
})

test('characters are deleted', async () => {
  const { journal, service, run } = setUp()
  journal.intend({ resource: 'character', operation: 'create-character', key: 'primary' }).created('chr_1')
  await run()
  expect(service.calls.map(({ operation, call }) => [operation, call.params])).toEqual([
    ['delete-character', { character_id: 'chr_1' }],
  ])
})
