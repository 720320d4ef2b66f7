import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { packageRoot } from '#spec/package-root'
import { planNew } from './plan.ts'
import type { Wish } from './stubs.ts'

const read = (path: string): string | undefined => {
  try {
    return readFileSync(join(packageRoot(), path), 'utf8')
  } catch {
    return undefined
  }
}

const wish: Wish = {
  id: 'voices.get.created-at',
  section: '4.3',
  says: 'one voice in the shape',
  level: 'must',
  judge: 'rule',
  folder: 'suites/voices',
}

const stubOf = (path: string, more: Partial<Wish> = {}): string | undefined =>
  planNew({ ...wish, ...more }, read).find((stub) => stub.path === path)?.text

test('a requirement that a rule observes touches five files', () => {
  expect(planNew(wish, read).map(({ path }) => path)).toEqual([
    'suites/voices/requirements.json',
    'suites/sentences.json',
    'src/target/defects/voices/get.ts',
    'suites/voices/created-at.rules.ts',
    'suites/voices/rules.ts',
  ])
})

test('one that a step provokes touches no list of rules', () => {
  const step = { judge: 'step', folder: 'suites/voices' } as const
  expect(stubOf('suites/voices/rules.ts', step)).toBeUndefined()
  expect(stubOf('suites/voices/created-at.check.ts', step)).toContain("step(['voices.get.created-at']")
})

test('the row stands behind the others of its subject, and counts for nothing until it is released', () => {
  const { requirements } = JSON.parse(stubOf('suites/voices/requirements.json') ?? '')
  const ids = Object.keys(requirements)
  expect(ids[ids.indexOf(wish.id) - 1]).toMatch(/^voices\.get\./)
  expect(ids[ids.indexOf(wish.id) + 1]).not.toMatch(/^voices\.get\./)
  expect(requirements[wish.id]).toMatchObject({ section: '4.3', level: 'must', unscored: true })
})

test('its sentence names it, and nothing else of the sentences changes', () => {
  const after = JSON.parse(stubOf('suites/sentences.json') ?? '').sentences
  const was = JSON.parse(read('suites/sentences.json') ?? '').sentences
  const changed = after.filter((one: object, place: number) => JSON.stringify(one) !== JSON.stringify(was[place]))
  expect(changed).toEqual([expect.objectContaining({ rows: expect.arrayContaining([wish.id]) })])
})

test('the defect stands at the end of its table, and the rule in the list of its part', () => {
  const table = /defectsOf\('voices\.get', \{[^]*?\n\}\)/.exec(stubOf('src/target/defects/voices/get.ts') ?? '')?.[0]
  expect(table).toMatch(/ {2}'created-at: .+': \(\) => undefined,\n\}\)$/)
  const rules = stubOf('suites/voices/rules.ts')
  expect(rules).toContain("import { createdAt } from './created-at.rules.ts'")
  expect(rules).toMatch(/, createdAt\]\n$/)
})

test('a subject without defects gets a file of its own', () => {
  expect(stubOf('src/target/defects/voices/rename.ts', { id: 'voices.rename.created-at' })).toContain(
    "export const renameDefects = defectsOf('voices.rename', {",
  )
})

test('an exhibit gets an instance that is to break the row', () => {
  const path = 'fixtures/payloads/rest/get-voice.response.json'
  const { tests } = JSON.parse(stubOf(path, { exhibit: 'rest/get-voice.response' }) ?? '')
  expect(tests.at(-1)).toMatchObject({ description: wish.id, valid: false, data: { voice_id: expect.anything() } })
})

test.for<[said: string, more: Partial<Wish>]>([
  ['is no id', { id: 'voices.get' }],
  ['stands in suites/voices/requirements.json already', { id: 'voices.get.name' }],
  ['there is no part "moods"', { id: 'moods.get.created-at', folder: 'suites/moods' }],
  ['no sentence of section 4.3', { says: 'nobody ever said this' }],
  ['sentences of section 4.3 have these words', { says: 'a' }],
  ['is judged in suites/voices', { folder: 'suites/characters' }],
  ['there is no fixtures/payloads/rest/x.json', { exhibit: 'rest/x' }],
])('it says: %s', ([said, more]) => {
  expect(() => planNew({ ...wish, ...more }, read)).toThrow(said)
})
