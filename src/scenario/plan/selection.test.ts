import { expect, test } from 'vitest'
import { loadScenarios } from './catalogue.ts'
import { nearest } from './nearest.ts'
import { costOf, manifestOf } from './plan.ts'
import type { Scenario } from '../author/scenario.ts'
import { select, UnknownSelection } from './selection.ts'

const profile = { base_url: 'https://target.example', keys: { primary: 'KEY' } } as const

function scenario(id: string, extra: object = {}): Scenario {
  return { id, proves: [], price: { requests: { primary: 2 } }, drive: () => Promise.resolve(), ...extra }
}

const proves = (...ids: string[]) => ({ proves: ids })

const scenarios = [
  scenario('voices.list', proves('voices.list.shape')),
  scenario('errors.envelope', { ...proves('errors.envelope.code', 'voices.get.code'), tier: 'smoke' }),
  scenario('limits.pages', { tier: 'full' }),
  scenario('characters.tour', { needs: { abilities: ['characters'] } }),
  scenario('authentication.other-workspace', { needs: { keys: ['other_workspace'] } }),
  scenario('characters.moderated', { needs: { triggers: ['moderated_text'] } }),
  scenario('avatar-sessions.video', { needs: { media: ['image_url'] } }),
]

function choose(extra: object = {}) {
  const requirements = ['voices.list.shape', 'world-sessions.close.status']
  return select({ scenarios, profile, keys: ['primary'], tier: 'standard', only: [], requirements, ...extra })
}

const ids = (list: readonly Scenario[]) => list.map(({ id }) => id)

test('what the profile, the keys and the tier leave out is skipped with its reason', () => {
  const { selected, skipped } = choose({ profile: { ...profile, abilities: { characters: false } } })
  expect(ids(selected)).toEqual(['voices.list', 'errors.envelope'])
  expect(skipped.map(({ scenario: { id }, why, what }) => [id, why, what])).toEqual([
    ['limits.pages', 'tier', 'full'],
    ['characters.tour', 'not_applicable', 'characters'],
    ['authentication.other-workspace', 'missing_key', 'other_workspace'],
    ['characters.moderated', 'missing_trigger', 'moderated_text'],
    ['avatar-sessions.video', 'missing_media', 'image_url'],
  ])
})

test('a higher tier runs what the lower ones run', () => {
  expect(ids(choose({ tier: 'smoke' }).selected)).toEqual(['errors.envelope'])
  expect(ids(choose({ tier: 'full' }).selected)).toContain('limits.pages')
})

test('what a longer one shows as well runs where that does not, and where it is asked for by name', () => {
  const pair = [scenario('voices.walk', proves('voices.get.code')), scenario('voices.walk-long', longer)]
  const chosen = (extra: object) => ids(choose({ scenarios: pair, ...extra }).selected)
  expect(chosen({})).toEqual(['voices.walk'])
  expect(chosen({ tier: 'full' })).toEqual(['voices.walk-long'])
  expect(chosen({ tier: 'full', only: ['voices.get.code'] })).toEqual(['voices.walk-long'])
  expect(chosen({ tier: 'full', only: ['voices.walk', 'voices.walk-long'] })).toEqual([
    'voices.walk',
    'voices.walk-long',
  ])
})

const longer = { ...proves('voices.get.code'), tier: 'full', replaces: ['voices.walk'] }

test('what replaces a shorter one shows all that it shows', async () => {
  const all = await loadScenarios()
  const pairs = all.flatMap((long) =>
    (long.replaces ?? []).map((id) => [long, all.find((one) => one.id === id)] as const),
  )
  expect(pairs.length).toBeGreaterThan(0)
  expect(pairs.filter(([long, short]) => short?.proves.every((row) => long.proves.includes(row)) !== true)).toEqual([])
})

test.each([
  ['a scenario', 'voices.list', ['voices.list']],
  ['a requirement', 'errors.envelope.code', ['errors.envelope']],
  ['a part', 'voices', ['voices.list', 'errors.envelope']],
  ['a requirement that nothing drives', 'world-sessions.close.status', []],
])('--only narrows to %s', (_, name, expected) => {
  expect(ids(choose({ only: [name] }).selected)).toEqual(expected)
})

test('what --only leaves out is skipped for that', () => {
  expect(new Set(choose({ only: ['voices.list'] }).skipped.map(({ why }) => why))).toEqual(new Set(['only']))
})

test('an unknown --only names the nearest that there is', () => {
  expect(() => choose({ only: ['voices.lst.shape'] })).toThrow(UnknownSelection)
  expect(() => choose({ only: ['voices.lst.shape'] })).toThrow('did you mean voices.list.shape?')
  expect(() => choose({ only: ['voces'] })).toThrow('did you mean voices?')
  expect(() => choose({ only: ['qqqqqqqqqqqqqqq'] })).toThrow(/is called qqqqqqqqqqqqqqq$/)
})

test('nearest finds nothing where nothing is alike', () => {
  expect(nearest('check', ['verify', 'chek', 'judge'])).toBe('chek')
  expect(nearest('zzz', ['verify', 'judge'])).toBeUndefined()
})

test('the cost is the sum of the prices and of two requests before and after, at the pace of the slowest key', () => {
  const dear = scenario('a.dear', {
    price: { requests: { primary: 116, capped: 5 }, sessions: { primary: 2 }, waits: 30 },
  })
  const cheap = scenario('a.cheap', { price: { requests: { capped: 25 }, sessions: { primary: 1 } } })
  const limits = { capped: { requests_per_minute: 6 } }
  const keys = { ...profile.keys, capped: 'GR_CAPPED' }
  expect(costOf([dear, cheap], { ...profile, keys, limits })).toEqual({
    requests: 148,
    by_key: { primary: 118, capped: 30 },
    sessions: { primary: 2 },
    minutes: 5,
  })
})

test('what nobody makes, or only another workspace has, is not looked for at the end', () => {
  const needs: Scenario['needs'] = { abilities: ['characters'] }
  const price = { requests: { other_workspace: 7 } }
  const keys = { ...profile.keys, other_workspace: 'GR_OTHER' }
  const foretold = (some: readonly Scenario[], own = profile) => costOf(some, own).requests
  const others = [scenario('a.others', { needs, price })]
  expect(foretold(others, { ...profile, keys })).toBe(8)
  expect(foretold(others)).toBe(9)
  expect(foretold([scenario('a.ours', { needs, price: { requests: { primary: 7 } } })])).toBe(9)
  expect(foretold([scenario('a.files', { price: { requests: { primary: 7 } } })])).toBe(8)
})

test('what a key costs that the profile lacks is paid by the primary one', () => {
  const price = { requests: { other_workspace: 56 }, sessions: { other_workspace: 2 } }
  expect(costOf([scenario('a.elsewhere', { price })], profile)).toEqual({
    requests: 58,
    by_key: { primary: 58 },
    sessions: { primary: 2 },
    minutes: 1,
  })
})

test('the manifest says what each scenario can prove', () => {
  expect(manifestOf(scenarios.slice(0, 1))).toEqual([{ scenario: 'voices.list', proves: ['voices.list.shape'] }])
})

test('for a single row a scenario leaves out what it sends for others alone', () => {
  const optional = [
    { id: 'two', rows: ['voices.a', 'voices.b'], requests: 2 },
    { id: 'one', rows: ['voices.c'], requests: 1 },
  ]
  const cut = scenario('errors.table', { ...proves('voices.a', 'voices.b', 'voices.c', 'errors.d'), optional })
  const left = (...only: string[]) => choose({ scenarios: [cut], only }).left_out
  expect(left('voices.a')).toEqual({ 'errors.table': { ids: ['one'], rows: ['voices.c'] } })
  expect(left('voices.c')).toEqual({ 'errors.table': { ids: ['two'], rows: ['voices.a', 'voices.b'] } })
  for (const whole of ['voices', 'errors', 'errors.table']) expect(left(whole)).toBeUndefined()
  expect(left()).toBeUndefined()
})

test('where a row failed before runs again, whole unless the row belongs to one of its requests', () => {
  const optional = [
    { id: 'shape', rows: ['voices.list.shape'], requests: 1 },
    { id: 'name', rows: ['voices.list.name'], requests: 1 },
  ]
  const own = scenario('voices.list', { ...proves('voices.list.shape', 'voices.list.name'), optional })
  const elsewhere = scenario('errors.tour', { optional: [{ id: 'code', rows: ['errors.code'], requests: 1 }] })
  const only = ['voices.list.shape']
  const failed_in = new Map([['voices.list.shape', ['voices.list', 'errors.tour', 'gone.since']]])
  const { selected, left_out } = choose({ scenarios: [own, elsewhere], only, failed_in })
  expect(ids(selected)).toEqual(['voices.list', 'errors.tour'])
  expect(left_out).toEqual({ 'voices.list': { ids: ['name'], rows: ['voices.list.name'] } })
})
