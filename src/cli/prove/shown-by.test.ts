import { expect, test } from 'vitest'
import { loadScenarios } from '../../scenario/catalogue.ts'
import { deviations } from '../../target/deviations.ts'
import type { JobResult } from './job.ts'
import { planProof } from './plan-proof.ts'
import { type Hints, learnHints, readHints } from './shown-by.ts'

const scenarios = await loadScenarios()
const id = 'characters.replace.auto-close-gone~empty'
const defects = deviations().defects.filter((defect) => defect.id === id)
const planWith = (hints: Hints) =>
  planProof(defects, [], scenarios, { only: [id], seed: 1, pairs: 0, instant: false, hints }).first

const [usual] = planWith({})
const killed = (part: Partial<JobResult>): JobResult => ({
  id,
  kind: 'defect',
  variations: [],
  verdict: 'fail',
  red: [],
  conformant: false,
  open: [],
  errors: [],
  rest_requests: 1,
  ms: 1,
  ...part,
})

test('a hint comes before the usual ways, and what is no scenario any more is no hint', () => {
  const [hinted] = planWith({ [id]: 'characters.list' })
  expect(hinted?.only).toEqual(['characters.list'])
  expect(hinted?.wider).toEqual([{ tier: usual?.tier, only: usual?.only }, ...(usual?.wider ?? [])])
  expect(planWith({ [id]: 'characters.gone' })).toEqual([usual])
})

test('a long scenario that shows a defect runs in the tier that has it', () => {
  expect(planWith({ [id]: 'characters.pages' })[0]).toMatchObject({ tier: 'full', only: ['characters.pages'] })
})

test('what only a run of everything shows has such a run at once', () => {
  expect(planWith({ [id]: null })).toMatchObject([{ only: [], wider: [] }])
})

test.each([
  ['the usual way showed it', {}, { only: usual?.only ?? [] }, {}],
  ['another scenario showed it', {}, { only: [], shown_by: 'characters.list' }, { [id]: 'characters.list' }],
  ['no scenario alone showed it', {}, { only: [] }, { [id]: null }],
  ['the hint was right', { [id]: 'characters.list' }, { only: ['characters.list'] }, { [id]: 'characters.list' }],
  ['the hint was wrong', { [id]: 'characters.list' }, { only: usual?.only ?? [] }, {}],
  ['nothing but everything shows it', { [id]: 'characters.list' }, { only: [], shown_by: 'x' }, { [id]: null }],
  ['it was not shown', {}, { only: [], verdict: 'pass' }, {}],
] as const)('what is learned where %s', (_, known, result, learned) => {
  expect(learnHints(planWith(known), [killed(result)], known)).toEqual(learned)
})

test('without a file there are no hints', () => {
  expect(readHints('no-such-file.json')).toEqual({})
})
