import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { judge } from '#judge/judge'
import { register } from '#judge/register'
import { loadScenarios, loadWithJoint } from '#scenario/plan/catalogue'
import { readFinds } from '#scenario/plan/finds'
import { loadRules } from '#scenario/plan/load-rules'
import { select, type SelectionOptions } from '#scenario/plan/selection'
import { driveTarget } from '#scenario/run/drive'
import { packageRoot } from '#spec/package-root'
import { keyNames, type Profile } from '#spec/profile'
import { WHOLE_RUN_MS } from '#testing/hang'
import { onSimulatedTarget } from '#testing/simulated-target'
import { fakeShell } from '../testing/fake-shell.ts'
import { runProgram } from '../program.ts'
import { choiceSentence, gate } from './gate.ts'
import { newFolder } from '#testing/new-folder'

const scenarios = await loadWithJoint()
const folder = newFolder()

const oneKey: Profile = { base_url: 'https://target.example', keys: { primary: 'KEY' } }

function selected(more: Partial<SelectionOptions> = {}) {
  return select({
    scenarios,
    profile: oneKey,
    keys: ['primary'],
    tier: 'standard',
    only: [],
    requirements: [],
    ...more,
  })
}

test('before it starts a gate says what it sends, how long that takes and what it finds', () => {
  const { choice } = gate(selected(), oneKey, { budget: 60 })
  expect(choiceSentence({ ...choice, requests: 150, seconds: 150, found: 1_790, of: 2_368 }, {})).toBe(
    '150 requests on 1 key, about 2 min 30 s: finds 1,790 of 2,368 seeded mistakes (75 %)',
  )
  expect(choice.requests).toBeLessThanOrEqual(60)
})

test('where failures are sent again, something is left for it', () => {
  const { choice } = gate(selected(), oneKey, { budget: 100, confirm: true })
  expect(choice.requests).toBeGreaterThan(60)
  expect(choice.requests).toBeLessThanOrEqual(85)
})

test('more is found for more, and one key less finds no more', () => {
  const all = { ...oneKey, keys: Object.fromEntries(keyNames.map((name) => [name, name])) }
  const found = (profile: Profile, within: number) =>
    gate(selected({ profile, keys: Object.keys(profile.keys) as (typeof keyNames)[number][] }), profile, { within })
      .choice.found
  const counts = [60, 120, 180, 300, 600].map((within) => found(oneKey, within))
  expect(counts).toEqual(counts.toSorted((one, other) => one - other))
  expect(found(all, 180)).toBeGreaterThan(found(oneKey, 180))
})

test('what is left out says by which option, and comes before other reasons', () => {
  const { skipped } = gate(selected(), oneKey, { budget: 30, changed: ['control-channel'] })
  expect(skipped[0]).toMatchObject({ why: 'tier', what: '--budget 30 --changed control-channel' })
})

test('what is done jointly is neither done alone, nor told as left out', async () => {
  const { selected: chosen, skipped } = gate(selected(), oneKey, { budget: 150 })
  const joined = new Set(chosen.flatMap(({ joins = [] }) => joins))
  const names = [...chosen, ...skipped.filter(({ why }) => why === 'tier').map(({ scenario }) => scenario)]
  expect(joined.size).toBeGreaterThan(0)
  expect(names.filter(({ id }) => joined.has(id))).toEqual([])
  expect(skipped.filter(({ scenario: { joins } }) => joins !== undefined)).toEqual([])
  const whole = selected({ scenarios: await loadScenarios() }).selected
  expect(whole.filter(({ joins }) => joins !== undefined)).toEqual([])
})

test('who changed a part has all scenarios of the part, whole, and what else shows its mistakes', () => {
  const { selected: chosen, left_out = {}, choice } = gate(selected(), oneKey, { changed: ['voices', 'audio-files'] })
  const ids = chosen.map(({ id }) => id)
  const own = selected().selected.filter(({ id }) => /\b(?:voices|audio-files)\b/.test(id))
  expect(ids).toEqual(expect.arrayContaining(own.map(({ id }) => id)))
  expect(ids).toContain('authentication.voices')
  expect(ids).not.toContain('world-sessions.create')
  expect(own.filter(({ id }) => left_out[id] !== undefined)).toEqual([])
  expect(choice.of).toBeLessThan(400)
})

test('who changed a part without scenarios of its own has those that show its requirements', () => {
  const { selected: chosen, choice } = gate(selected(), oneKey, { changed: ['versioning'] })
  expect(chosen.map(({ id }) => id)).toContain('authentication.voices')
  expect(choice.found).toBe(choice.of)
})

test('a part that there is not, and too little, are wrong usage', () => {
  expect(() => gate(selected(), oneKey, { changed: ['voice'] })).toThrow(
    '--changed: no part is called voice; did you mean "voices"?',
  )
  expect(() => gate(selected(), oneKey, { budget: 1 })).toThrow(
    '--budget 1 is too little for any scenario; give at least --budget 2',
  )
})

test.each([
  ['--within', '3'],
  ['--within', '0s'],
  ['--budget', '0'],
  ['--changed', 'voices,'],
])('%s %s is wrong usage', async (option, value) => {
  await expect(runProgram(['check', option, value], fakeShell())).rejects.toMatchObject({ exit: 2 })
})

test('a dry run of a gate tells its choice, and the price of that alone', async () => {
  const shell = fakeShell()
  expect(await runProgram(['check', '--budget', '100', '--dry-run', '--out', folder], shell)).toBe(0)
  const [, sent = ''] =
    /(\d+) requests on \d keys?, about .*: finds [\d,]+ of [\d,]+ seeded mistakes/.exec(shell.stderr()) ?? []
  expect(Number(sent)).toBeGreaterThan(90)
  expect(shell.stdout()).toMatch(new RegExp(`all parts +${sent} `))
  expect(shell.stdout()).toMatch(/not run: \d+ scenarios, since --budget 100 leaves no room\n/)
})

test('a dry run for a changed part says that the other scenarios do not concern it', async () => {
  const shell = fakeShell()
  expect(await runProgram(['check', '--changed', 'voices', '--dry-run', '--out', folder], shell)).toBe(0)
  expect(shell.stdout()).toMatch(/not run: \d+ scenarios, since --changed voices does not concern them\n/)
})

test('what is known of the scenarios was measured for the defects of the proof', () => {
  const page = readFileSync(join(packageRoot(), 'reports', 'proof.md'), 'utf8')
  const proven = [...page.matchAll(/^\| (\S+\.\S+) \| (?:fail|warn) \|/gm)].map(([, id = '']) => id)
  const { mistakes } = readFinds()
  expect(proven.filter((id) => mistakes[id] === undefined)).toEqual([])
})

test.concurrent.each(['with a portrait', 'with no medium at all'])(
  'a gated run is conformant, keeps to its choice, and names what it left out, %s',
  {
    timeout: WHOLE_RUN_MS,
  },
  async (media) => {
    await onSimulatedTarget({}, async (driven) => {
      const whole = driven.profile
      const { primary = '' } = whole.keys
      const profile = { ...whole, keys: { primary }, ...(media === 'with a portrait' ? {} : { media: {} }) }
      const { selected: chosen, left_out = {}, skipped, choice } = gate(selected({ profile }), profile, { budget: 60 })
      const run = { ...driven, profile, seed: 1, left_out }
      const { trace } = await driveTarget({ ...run, scenarios: chosen, journal: join(folder, media) })
      const [header, ...rest] = trace.entries
      if (header?.kind !== 'header') throw new Error('no header')
      const named = skipped.map(({ scenario: { id, proves }, rows = proves, ...why }) => ({
        scenario: id,
        proves: rows,
        ...why,
      }))
      const entries = [{ ...header, skipped: named }, ...rest]
      const results = judge({ ...trace, entries }, register(), await loadRules())
      expect(results.conformant).toBe(true)
      expect(results.traffic.rest_requests).toBeLessThanOrEqual(choice.requests)
      const [parts] = Object.values(left_out)
      const row = results.requirements.find(({ id }) => id === parts?.rows[0])
      expect(row).toMatchObject({ verdict: 'inconclusive', reason_code: 'tier', reason: 'left out by --budget 60' })
    })
  },
)
