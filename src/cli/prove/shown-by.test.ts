import { expect, test } from 'vitest'
import { loadScenarios } from '#scenario/plan/catalogue'
import { deviations } from '#target/deviations'
import type { JobResult } from './job.ts'
import { planProof } from './plan-proof.ts'
import { type Hints, learnHints, readHints } from './shown-by.ts'

const scenarios = await loadScenarios()
const id = 'characters.replace.auto-close-gone~empty'
const row = 'characters.replace.auto-close-gone'
const defects = deviations().defects.filter((defect) => defect.id === id)
const planWith = (hints: Hints) =>
  planProof(defects, [], scenarios, { only: [id], seed: 1, pairs: 0, bundles: 0, instant: false, hints }).first

const [usual] = planWith({})
const killed = (part: Partial<JobResult>): JobResult => ({
  id,
  kind: 'defect',
  variations: [],
  verdict: 'fail',
  tier: 'standard',
  red: [],
  conformant: false,
  open: [],
  errors: [],
  rest_requests: 1,
  ms: 1,
  ...part,
})

test('a hint comes before the usual ways, and what is no scenario any more is no hint', () => {
  const [hinted] = planWith({ [id]: 'characters.life-of-a-character' })
  expect(hinted?.only).toEqual(['characters.life-of-a-character'])
  expect(hinted?.wider).toEqual([{ tier: usual?.tier, only: usual?.only }, ...(usual?.wider ?? [])])
  expect(planWith({ [id]: 'characters.gone' })).toEqual([usual])
})

test('what its scenarios show together is looked for beside all of them', () => {
  expect(planWith({ [id]: row })[0]).toMatchObject({ tier: usual?.tier, only: [row] })
})

test('a long scenario that shows a defect runs in the tier that has it', () => {
  expect(planWith({ [id]: 'characters.pages' })[0]).toMatchObject({ tier: 'full', only: ['characters.pages'] })
})

test('what only a run of everything shows has such a run at once', () => {
  expect(planWith({ [id]: null })).toMatchObject([{ only: [], wider: [] }])
})

test('what only a run of everything showed, maybe by chance, is looked for in long scenarios of its row as well', () => {
  const quiet = deviations().defects.filter((defect) => defect.id === 'control-channel.secret.valid-while-open~quiet')
  const hints = { 'control-channel.secret.valid-while-open~quiet': null }
  const plan = planProof(quiet, [], scenarios, { only: [], seed: 1, pairs: 0, bundles: 0, instant: false, hints }).first
  const [, job] = plan
  expect(job).toMatchObject({ tier: 'standard', only: [], wider: [{ tier: 'full' }] })
  expect(job?.wider[0]?.only).toContain('avatar-sessions.idle-off')
})

test.each([
  ['the usual way showed it', {}, { only: usual?.only ?? [] }, {}],
  [
    'another scenario showed it',
    {},
    { only: [], shown_by: 'characters.life-of-a-character' },
    { [id]: 'characters.life-of-a-character' },
  ],
  ['no scenario alone showed it', {}, { only: [] }, { [id]: null }],
  [
    'the hint was right',
    { [id]: 'characters.life-of-a-character' },
    { only: ['characters.life-of-a-character'] },
    { [id]: 'characters.life-of-a-character' },
  ],
  ['the hint was wrong', { [id]: 'characters.life-of-a-character' }, { only: usual?.only ?? [] }, {}],
  ['its scenarios show it together', { [id]: 'characters.life-of-a-character' }, { only: [row] }, { [id]: row }],
  [
    'nothing but everything shows it',
    { [id]: 'characters.life-of-a-character' },
    { only: [], shown_by: 'x' },
    { [id]: null },
  ],
  ['it was not shown', {}, { only: [], verdict: 'pass' }, {}],
] as const)('what is learned where %s', (_, known, result, learned) => {
  expect(learnHints(planWith(known), [killed(result)], known)).toEqual(learned)
})

test('what a smoke run does not show, and a run of everything does, is looked for where that one showed it', () => {
  const [rare] = deviations().defects.filter((defect) => defect.id === 'control-channel.opening-done.replay-agrees')
  if (rare === undefined) throw new Error('no such defect')
  const wishes = { only: [rare.id], seed: 1, pairs: 0, bundles: 0, instant: false }
  const plan = planProof([rare], [], scenarios, wishes).first
  expect(plan).toMatchObject([{ tier: 'smoke', only: [], wider: [{ tier: 'standard', only: [] }] }])
  const shown = { id: rare.id, only: [], shown_by: 'control-channel.scheduling' }
  expect(learnHints(plan, [killed(shown)], {})).toEqual({ [rare.id]: 'control-channel.scheduling' })
  expect(planProof([rare], [], scenarios, { ...wishes, hints: { [rare.id]: null } }).first).toMatchObject([
    { tier: 'standard', only: [], wider: [] },
  ])
})

test('without a file there are no hints', () => {
  expect(readHints('no-such-file.json')).toEqual({})
})
