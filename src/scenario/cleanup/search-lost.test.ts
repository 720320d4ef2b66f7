import { expect, test } from 'vitest'
import type { Exchange } from '#client/types'
import type { Json } from '#trace/json'
import { envelope } from '#testing/fake-service'
import { markIn, searchLost } from './search-lost.ts'

const lost = { resource: 'avatar-session', key: 'primary', mark: 'keyless-r1-1', named: false } as const

/** A target that lists these sessions, and shows this of each. */
function target(sessions: { readonly [id: string]: Json }, list = envelope(0, { sessions: listed(sessions) })) {
  const asked: string[] = []
  const pauses: number[] = []
  const rest = async (_: string, { params }: { params?: { [name: string]: string } }): Promise<Exchange> => {
    const id = params?.['session_id']
    asked.push(id ?? 'list')
    if (id === undefined) return list
    const shown = sessions[id]
    return shown === undefined ? envelope(20005) : envelope(0, shown)
  }
  const pause = async (ms: number): Promise<void> => void pauses.push(ms)
  const search = (known: readonly string[] = []) => searchLost(lost, { rest, pause, known: new Set(known) })
  return { search, asked, pauses }
}

const listed = (sessions: object): Json => Object.keys(sessions).map((session_id) => ({ session_id }))
const with_ = (avatar_id: string): Json => ({ status: 'active', avatars: [{ avatar_id }] })

test('the session that holds the mark is found', async () => {
  expect(await target({ a: with_('ada'), b: with_('keyless-r1-1') }).search()).toEqual({ id: 'b' })
})

test('a mark with a longer number is another one', async () => {
  expect(await target({ a: with_('keyless-r1-10'), b: with_('keyless-r1-1') }).search()).toEqual({ id: 'b' })
})

test('a session that the journal names is another one', async () => {
  const { search, asked } = target({ a: with_('keyless-r1-1'), b: with_('keyless-r1-1') })
  expect(await search(['a'])).toEqual({ id: 'b' })
  expect(asked).not.toContain('a')
})

test('there is none when every session shows other avatars, however long one waits', async () => {
  const { search, pauses } = target({ a: with_('ada') })
  expect(await search()).toBe('none')
  expect(pauses).toHaveLength(2)
})

test.each([
  ['no avatars are shown', target({ a: { status: 'active' } })],
  ['List is refused', target({}, envelope(50000))],
  [
    'there are too many to look at',
    target(Object.fromEntries(Array.from({ length: 101 }, (_, n) => [`s${n}`, with_('ada')]))),
  ],
])('nothing can be told where %s', async (_, { search }) => {
  expect(await search()).toBe('hidden')
})

test('the form of List is not shown: what stands where a known session stands is a session', async () => {
  const list = envelope(0, { holding: { a: { model: 'm' }, b: { model: 'm' } }, count: 2 })
  expect(await target({ a: with_('ada'), b: with_('keyless-r1-1') }, list).search(['a'])).toEqual({ id: 'b' })
})

test('a list of bare ids may hold none but the lost one, which is known by the form of its id', async () => {
  const ids = ['26a25862-7523-4d12-8d1b-91e13f75d946', 'e6246651-700f-412d-b85a-02d3421236bf'] as const
  const at = '2026-11-29T01:52:52Z'
  const list = envelope(0, { open: [{ ref: ids[1], since: at }], at })
  const { search, asked } = target({ [ids[1]]: with_('keyless-r1-1') }, list)
  expect(await search([ids[0], 'chr_17'])).toEqual({ id: ids[1] })
  expect(asked).not.toContain(at)
  const bare = target({ [ids[1]]: with_('keyless-r1-1') }, envelope(0, [ids[1]]))
  expect(await bare.search([ids[0]])).toEqual({ id: ids[1] })
})

test('a session that ended meanwhile is not the one', async () => {
  const list = envelope(0, { sessions: [{ session_id: 'gone' }] })
  expect(await target({}, list).search()).toBe('none')
})

test('a character is known by the name that its list shows, without a look at the others', async () => {
  const asked: string[] = []
  const rest = async (operation: string): Promise<Exchange> => {
    asked.push(operation)
    const items = ['one-r1-1', 'two-r1-2'].map((name) => ({ character_id: `chr_${name}`, name }))
    return envelope(0, { items, next_page_token: '' })
  }
  const pause = async (): Promise<void> => {}
  const search = (mark: string) =>
    searchLost({ resource: 'character', key: 'primary', mark, named: true }, { rest, pause, known: new Set() })
  expect(await search('two-r1-2')).toEqual({ id: 'chr_two-r1-2' })
  expect(await search('six-r1-6')).toBe('none')
  expect(new Set(asked)).toEqual(new Set(['list-characters']))
})

test('a body is marked by a text of the run, but not by its idempotency key', () => {
  const idempotency_key = 'create-r1-3'
  expect(markIn({ idempotency_key, avatars: [{ avatar_id: 'ada' }, { avatar_id: 'third-r1-4' }] }, 'r1')).toBe(
    'third-r1-4',
  )
  expect(markIn({ idempotency_key, name: 'late-r2-4' }, 'r1')).toBeUndefined()
  expect(markIn(undefined, 'r1')).toBeUndefined()
})
