import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Exchange, RestCall } from '#client/types'
import type { OperationId } from '#spec/tables'
import { envelope } from '#testing/fake-service'
import type { Json } from '#trace/json'
import { beginJournal, type Journal } from '../journal/journal.ts'
import { lookBack } from './look-back.ts'
import { stillThere } from './over.ts'
import { newFolder } from '#testing/new-folder'

const session = { resource: 'avatar-session', operation: 'create-avatar-session', key: 'primary' } as const
const world = { resource: 'world-session', operation: 'create-world-session', key: 'primary' } as const

/** A target with these sessions; closing one has the effect that is given. */
function setUp(
  open: { [id: string]: Json },
  close: (id: string) => void = (id) => void delete open[id],
  lag: () => Promise<void> = async () => {},
) {
  const file = join(newFolder(), 'a.journal')
  const journal = beginJournal(file, { run: 'r1', base_url: 'https://target.example', keys: { primary: 'KEY' } })
  const asked: string[] = []
  const rest = async (operation: OperationId, { params }: RestCall): Promise<Exchange> => {
    const id = params?.['session_id'] ?? ''
    asked.push(`${operation} ${id}`.trim())
    if (operation === 'list-avatar-sessions')
      return envelope(0, { sessions: Object.keys(open).map((session_id) => ({ session_id })) })
    if (operation === 'list-characters') return envelope(0, { items: [], next_page_token: '' })
    const shown = open[id]
    if (shown === undefined) return envelope(20005)
    if (operation.startsWith('close-')) close(id)
    return envelope(0, shown)
  }
  const run = (routine: 'everywhere' | 'sessions' = 'everywhere') =>
    lookBack({
      journal,
      rest,
      look: rest,
      keys: ['primary'],
      deadline: new AbortController().signal,
      lag,
      routine,
    })
  return { journal, asked, run }
}

function ended(journal: Journal, intent: typeof session | typeof world, id: string): void {
  journal.intend(intent).created(id)
  journal.ended(intent.resource, id)
}

test('a target that is true to its word is asked once for each kind', async () => {
  const { journal, asked, run } = setUp({})
  ended(journal, session, 's1')
  ended(journal, world, 'w1')
  ended(journal, world, 'w2')
  expect(await run()).toEqual({ closed: [], leaked: [] })
  expect(asked.toSorted()).toEqual(['get-world-session w1', 'list-avatar-sessions'])
})

test('sessions of others are looked at, and in a short run few of them', async () => {
  const theirs = Object.fromEntries(Array.from({ length: 40 }, (_, place) => [`t${place}`, { status: 'active' }]))
  const looks = async (routine: 'everywhere' | 'sessions') => {
    const { journal, asked, run } = setUp(theirs)
    journal.doubt({ resource: 'avatar-session', key: 'primary' })
    expect(await run(routine)).toEqual({ closed: [], leaked: [] })
    return asked.filter((one) => one.startsWith('get-avatar-session')).length
  }
  expect(await looks('everywhere')).toBe(20)
  expect(await looks('sessions')).toBe(6)
})

test('what stands although it was closed is closed once more', async () => {
  const { journal, asked, run } = setUp({ s1: { status: 'active' } })
  ended(journal, session, 's1')
  expect(await run()).toEqual({ closed: [], leaked: [] })
  expect(asked).toContain('close-avatar-session s1')
})

test('what reads show as open because they are behind its end is looked at again, and neither ended nor told', async () => {
  const ids = Array.from({ length: 9 }, (_, nth) => `s${nth}`)
  const behind: { [id: string]: Json } = Object.fromEntries([...ids, 'w1'].map((id) => [id, { status: 'active' }]))
  const { journal, asked, run } = setUp(behind, undefined, async () => {
    for (const id of Object.keys(behind)) behind[id] = { status: 'closed' }
  })
  for (const id of ids) ended(journal, session, id)
  ended(journal, world, 'w1')
  expect(await run()).toEqual({ closed: [], leaked: [] })
  expect(asked.filter((one) => one.startsWith('close-'))).toEqual([])
  // Three of the list, twice.
  expect(asked.filter((one) => one.startsWith('get-avatar-session'))).toHaveLength(6)
})

test('what stands after that is told', async () => {
  const { journal, run } = setUp({ s1: { status: 'active' }, w1: { status: 'active' } }, () => {})
  ended(journal, session, 's1')
  ended(journal, world, 'w1')
  const { leaked } = await run()
  expect(leaked.toSorted((a, b) => (a.id < b.id ? -1 : 1))).toEqual([
    { resource: 'avatar-session', id: 's1', reason: stillThere },
    { resource: 'world-session', id: 'w1', reason: stillThere },
  ])
})

test('a list that shows what is on its way out leaks nothing', async () => {
  const { journal, run } = setUp({ s1: { status: 'closing' }, w1: { status: 'closing' } })
  ended(journal, session, 's1')
  ended(journal, world, 'w1')
  expect(await run()).toEqual({ closed: [], leaked: [] })
})

test('a session that no answer named is known by the id of the run, and nobody else is touched', async () => {
  const theirs = { status: 'active', avatars: [{ avatar_id: 'ada', instructions: 'Greenroom, run r2.' }] }
  const ours = { status: 'active', avatars: [{ avatar_id: 'ada', instructions: 'Greenroom, run r1.' }] }
  const { journal, asked, run } = setUp({ theirs, ours })
  ended(journal, session, 's1')
  expect((await run()).closed).toEqual(['ours'])
  expect(asked).not.toContain('close-avatar-session theirs')
})

test('a world session that a key made beside another is told, as nothing lists it', async () => {
  const { journal, run } = setUp({})
  const keyed = { ...world, idempotency_key: 'k', body: { idempotency_key: 'k' } }
  journal.intend(keyed)
  for (const id of ['w1', 'w2']) {
    journal.intend(keyed).created(id)
    journal.ended('world-session', id)
  }
  expect((await run()).leaked).toMatchObject([{ resource: 'world-session', id: 'unknown' }])
})

test('a session that shows too little to be known by is told where the answer to a create was lost', async () => {
  const leaks = async (lost: boolean) => {
    const { journal, run } = setUp({ s1: { status: 'active' }, s2: { avatars: [] } })
    journal.doubt({ resource: 'avatar-session', key: 'primary' })
    if (lost) journal.intend(session).vague('unclear')
    return (await run()).leaked.map(({ id }) => id)
  }
  expect([await leaks(true), await leaks(false)]).toEqual([['s1'], []])
})
