import { expect, test } from 'vitest'
import { CharacterStory } from '#testing/character-story'
import { saidOf } from '#testing/said-of'
import type { JsonObject } from '#trace/json'
import { leftovers } from '../save/leftovers.rules.ts'
import { listed } from './list.rules.ts'
import { walks } from './pages.rules.ts'

const body = (name: string): JsonObject => ({
  name: `${name}-abcdefgh`,
  model: 'svc-a1-stream',
  session: { mode: 'text_chat' },
  avatars: [{ avatar_id: 'ada' }],
})

/** `a`, `b` and `c`, two seconds apart. */
function three(): CharacterStory {
  const story = new CharacterStory()
  for (const id of ['chr_a', 'chr_b', 'chr_c']) story.create(id, body(id)).pass(2)
  return story
}

const said = (story: CharacterStory) => saidOf([walks, listed, leftovers], story.trace)
const broken = (story: CharacterStory): readonly string[] =>
  [...said(story)].filter((one) => one.startsWith('broken')).map((one) => one.slice('broken characters.'.length))

const size = '?page_size=2'
const next = `${size}&page_token=t`

test('pages of one list, newest first, are right', () => {
  const story = three().list(['chr_c', 'chr_b'], 't', size).list(['chr_a'], '', next)
  expect(broken(story)).toEqual([])
  const rows = ['newest-first', 'newest-first-across-pages', 'each-once', 'shows-all', 'ends', 'token-while-more']
  for (const row of rows) expect(said(story)).toContain(`held characters.list.${row}`)
})

test('what a save does to `updated_at` a moment later leaves the order to be seen', () => {
  const indexed = (data: JsonObject) => ({
    ...data,
    items: (data['items'] as JsonObject[]).map((item) => {
      const updated = new Date(Date.parse(item['created_at'] as string) + 1_000).toISOString()
      return { ...item, updated_at: `${updated.slice(0, 19)}Z` }
    }),
  })
  expect(said(three().list(['chr_c', 'chr_b', 'chr_a'], '', '', indexed))).toContain(
    'held characters.list.newest-first',
  )
  expect(broken(three().list(['chr_b', 'chr_c', 'chr_a'], '', '', indexed))).toContain('list.newest-first')
})

test('what changed since is held against its neighbour where one of them is newer by both times', () => {
  const touched = (id: string) => (data: JsonObject) => ({
    ...data,
    items: (data['items'] as JsonObject[]).map((item) =>
      item['character_id'] === id ? { ...item, updated_at: '2099-01-01T00:00:00Z' } : item,
    ),
  })
  expect(said(three().list(['chr_c', 'chr_a'], 't', size, touched('chr_c')))).toContain(
    'held characters.list.newest-first',
  )
  expect(broken(three().list(['chr_a', 'chr_c'], 't', size, touched('chr_c')))).toContain('list.newest-first')
  expect(broken(three().list(['chr_a', 'chr_c'], 't', size, touched('chr_a')))).not.toContain('list.newest-first')
})

test('what was used may stand first in a list by last use, and tells nothing of what is missing', () => {
  const used = (data: JsonObject) => ({
    ...data,
    items: (data['items'] as readonly JsonObject[]).map((item) => ({ ...item, updated_at: '2099-01-01T00:00:00Z' })),
  })
  expect(broken(three().list(['chr_a'], 't', size, used))).not.toContain('list.shows-all')
  expect(broken(three().list(['chr_a'], 't', size))).toContain('list.shows-all')
})

test('characters of others may stand between, and a walk may end early', () => {
  const story = three().list(['chr_c', 'chr_x'], 't', size).list(['chr_y', 'chr_b'], 'u', next)
  expect(broken(story)).toEqual([])
})

test('what a machine saved whose clock is behind may stand below the page at which a walk ended', () => {
  const behind = (created_at: string) => (data: JsonObject) => ({ ...data, created_at, updated_at: created_at })
  const until = (told: string) =>
    three().create('chr_d', body('chr_d'), behind(told)).pass(5).list(['chr_c', 'chr_b'], 't', size)
  expect(broken(until('2020-01-01T00:00:00Z'))).toEqual([])
  expect(broken(until('2099-01-01T00:00:00Z'))).toContain('list.shows-all')
})

test('later pages may show the list as it was when the first one was asked for', () => {
  const first = three().list(['chr_c', 'chr_b'], 't', size)
  expect(broken(first.remove('chr_a').pass(5).list(['chr_a'], '', next))).not.toContain('list.hides-deleted')
})

test.each<[rows: string, story: (story: CharacterStory) => CharacterStory]>([
  ['list.newest-first', (one) => one.list(['chr_b', 'chr_c'], 't', size)],
  ['list.newest-first-across-pages', (one) => one.list(['chr_b'], 't', size).list(['chr_c', 'chr_a'], '', next)],
  ['list.each-once', (one) => one.list(['chr_c', 'chr_b'], 't', size).list(['chr_b', 'chr_a'], '', next)],
  ['list.shows-all', (one) => one.list(['chr_c', 'chr_a'], '', '')],
  ['list.shows-all', (one) => one.list(['chr_c'], 't', size).list(['chr_a'], 'u', next)],
  ['list.shows-all', (one) => one.list([], '', '')],
  ['list.token-while-more', (one) => one.list(['chr_c', 'chr_b'], '', size)],
  ['list.ends', (one) => one.list(['chr_c', 'chr_b'], 't', size).list(['chr_a'], 't', next).list(['chr_a'], 't', next)],
  [
    'list.no-empty-last-page',
    (one) => one.remove('chr_b').pass(5).list(['chr_c', 'chr_a'], 't', size).list([], '', next),
  ],
  ['list.page-size-bounds', (one) => one.list(['chr_c', 'chr_b', 'chr_a'], '', size)],
  ['list.hides-deleted', (one) => one.remove('chr_b').pass(3).list(['chr_c', 'chr_b', 'chr_a'], '')],
  ['list.next-page-token-string', (one) => one.list(['chr_c'], '', '', (data) => ({ items: data['items'] ?? [] }))],
  ['list.items-array', (one) => one.list([], '', '', () => ({ next_page_token: '' }))],
  ['scope.other-workspace-list-hidden', (one) => one.list(['chr_a'], '', '', undefined, 'other_workspace')],
  [
    'list.stable-under-creates',
    (one) => one.list(['chr_c', 'chr_b'], 't', size).create('chr_d', body('chr_d')).list(['chr_b', 'chr_a'], '', next),
  ],
  ['list.stable-under-deletes', (one) => one.list(['chr_c', 'chr_b'], 't', size).remove('chr_b').list([], '', next)],
])('%s is broken by what breaks it', (row, tell) => {
  expect(broken(tell(three()))).toContain(row)
})

test('what is created or deleted while pages are turned may be there or not', () => {
  const created = three().list(['chr_c', 'chr_b'], 't', size).create('chr_d', body('chr_d')).list(['chr_a'], '', next)
  const deleted = three().list(['chr_c', 'chr_b'], 't', size).remove('chr_a').list([], '', next)
  expect(broken(created)).toEqual([])
  expect(broken(deleted)).toEqual([])
})

test('a token that is refused though nothing changed is none', () => {
  const given = () => three().pass(5).list(['chr_c', 'chr_b'], 't', size)
  const refused = (story: CharacterStory, query = next) => story.refuse('list-characters', 20004, { id: query })
  expect(broken(refused(given()))).toEqual(['list.ends'])
  expect(broken(refused(given(), '?page_size=1&page_token=t'))).toEqual([])
  expect(broken(refused(given().list(['chr_a'], '', next)))).toEqual([])
  expect(broken(refused(three().list(['chr_c', 'chr_x'], 't', size)))).toEqual([])
})

test('whether a token outlasts a change of the list is the choice of the service', () => {
  const story = three()
    .list(['chr_c', 'chr_b'], 't', size)
    .remove('chr_b')
    .refuse('list-characters', 20004, { id: next })
  expect(broken(story)).toEqual([])
  expect(said(story)).toContain('unobserved characters.list.stable-under-deletes')
})

const first = (items: readonly JsonObject[], members: JsonObject) =>
  items.map((item, place) => (place === 0 ? { ...item, ...members } : item))
const shown = (members: JsonObject) => (data: JsonObject) => ({
  ...data,
  items: first(data['items'] as JsonObject[], members),
})

test.each<[row: string, members: JsonObject]>([
  ['list.item-name', { name: 'other' }],
  ['list.item-model', { model: 'svc-a1-stream-lite' }],
  ['list.item-timestamps-agree', { created_at: '2026-01-15T12:00:59Z' }],
  ['list.item-timestamps-agree', { updated_at: '2026-01-15T11:59:59Z' }],
  ['list.item-resolution-only-when-stored', { resolution: '480p' }],
  ['list.item-shape', { created_at: 'today' }],
])('%s is broken by a summary that differs', (row, members) => {
  expect(broken(three().list(['chr_c', 'chr_b', 'chr_a'], '', '', shown(members)))).toContain(row)
})

const moved = shown({ updated_at: '2026-01-15T12:00:59Z' })
const used = (data: JsonObject) => ({ ...data, updated_at: '2026-01-15T12:00:59Z' })

test('use may move `updated_at`: what a list shows of it is held against a Get after it', () => {
  const page = () => three().list(['chr_c', 'chr_b', 'chr_a'], '', '', moved)
  expect(broken(page())).toEqual([])
  expect(broken(page().get('chr_c', used))).toEqual([])
  expect(broken(page().get('chr_c'))).toEqual(['list.item-timestamps-agree'])
})

test('a list may be a moment behind creates, replaces and deletes', () => {
  const name = { name: 'chr_c-abcdefgh', updated_at: '2026-01-15T12:00:04Z' }
  const cases = [
    three().create('chr_d', body('chr_d')).list(['chr_c', 'chr_b', 'chr_a'], ''),
    three().remove('chr_c').list(['chr_c', 'chr_b', 'chr_a'], ''),
    three().replace('chr_c', body('renamed')).list(['chr_c', 'chr_b', 'chr_a'], '', '', shown(name)),
    three().remove('chr_a').list(['chr_c', 'chr_b'], 't', size).list([], '', next),
  ]
  for (const story of cases) expect(broken(story)).toEqual([])
})

test('a list that shows what was replaced is late', () => {
  const story = three()
    .replace('chr_c', body('renamed'))
    .pass(3)
    .list(['chr_c', 'chr_b', 'chr_a'], '', '', shown({ name: 'chr_c-abcdefgh' }))
  expect(broken(story)).toContain('list.shows-replaced')
})

test('a refused create leaves no name behind', () => {
  const refused = () => three().refuse('create-character', 20012, { sent: body('refused') })
  expect(broken(refused().list(['chr_c', 'chr_b', 'chr_a'], ''))).toEqual([])
  const left = refused().list(['chr_c', 'chr_b', 'chr_a'], '', '', shown({ name: 'refused-abcdefgh' }))
  expect(broken(left)).toContain('create.refused-leaves-no-character')
})

test('a name that was taken in the end stands there by right', () => {
  const story = three()
    .refuse('create-character', 20012, { sent: body('wanted') })
    .create('chr_d', body('wanted'))
    .list(['chr_d', 'chr_c', 'chr_b', 'chr_a'], '')
  expect(broken(story)).toEqual([])
})

test('a token may stand for a walk, and come with each page of it', () => {
  const turned = () => three().list(['chr_c', 'chr_b'], 't', size).list(['chr_a'], 't', next)
  expect(broken(turned())).toEqual([])
  expect(broken(turned().list([], '', next))).toEqual([])
  expect(broken(turned().list([], 't', next))).toEqual(['list.ends'])
})

/** The middle one of three was deleted; pages of one show these, and `open` says whether a token follows the last one. */
function walked(pages: readonly (readonly string[])[], open: boolean): CharacterStory {
  const story = three().remove('chr_b').pass(5)
  for (const [place, ids] of pages.entries()) {
    const token = place === 0 ? '' : `&page_token=t${place}`
    story.list(ids, place < pages.length - 1 || open ? `t${place + 1}` : '', `?page_size=1${token}`)
  }
  return story
}

test('where pages have no place for what was deleted, empty ones with tokens have no end', () => {
  expect(broken(walked([['chr_c'], ['chr_a'], [], [], []], true))).toEqual(['list.ends'])
  expect(broken(walked([['chr_c'], ['chr_a'], []], false))).toEqual(['list.no-empty-last-page'])
})

test('where pages have, empty ones may hold the places of what was deleted before this run', () => {
  expect(broken(walked([['chr_c'], [], ['chr_a'], [], [], []], true))).toEqual([])
  expect(broken(walked([['chr_c'], [], ['chr_a'], []], false))).toEqual([])
})

test('where nobody can tell which of both it is, they may as well', () => {
  const one = '?page_size=1'
  const turn = (token: string) => `${one}&page_token=${token}`
  const story = () => new CharacterStory().create('chr_a', body('chr_a')).pass(5).list(['chr_a'], 't', one)
  expect(broken(story().list([], '', turn('t')))).toEqual([])
  expect(broken(story().list([], 'u', turn('t')).list([], 'v', turn('u')).list([], 'w', turn('v')))).toEqual([])
})
