import { expect, test } from 'vitest'
import { loadScenarios } from '#scenario/plan/catalogue'
import { standardBehaviour } from '#target/behaviour/behaviour'
import { noteRefusals, switchOff, validationsOf } from '#target/validations'
import { WHOLE_RUN_MS } from '#testing/hang'
import type { JobResult } from './job.ts'
import { refusalsOf } from './refusals.ts'
import { idsOf, isCaught, isListed, unseenValidations, validationJobs, validationsHold } from './validations.ts'
import { runJob } from './run-job.ts'
import { loadRules } from '#scenario/plan/load-rules'

const scenarios = await loadScenarios()
const known = [...validationsOf(standardBehaviour()).keys()]
const some = 'createSession/duration-low'

test('the list names validations of the reference target, each once', () => {
  const listed = idsOf(unseenValidations)
  expect(listed.filter((id) => !known.includes(id))).toEqual([])
  expect(listed).toHaveLength(new Set(listed).size)
})

test('every validation is the only one that something in a run breaks, or is listed', {
  timeout: WHOLE_RUN_MS,
}, async () => {
  const { alone, beside } = await refusalsOf(scenarios, 1)
  expect(known.filter((id) => !alone.has(id) && !isListed(id))).toEqual([])
  expect([...beside].filter((id) => !isListed(id))).toEqual([])
})

test('what a request breaks is noted, all of it, and its refusal bears the mark', () => {
  const behaviour = standardBehaviour()
  const noted: (readonly string[])[] = []
  noteRefusals(behaviour, (broken) => `[${noted.push(broken)}]`)
  const { body } = behaviour.validations.start
  expect(body['character-id-missing'].broken({ limits: behaviour.limits, body: { avatars: [] } })).toBe(true)
  expect(noted).toEqual([['start/body/character-id-missing', 'start/body/avatars-sent']])
  expect(body['character-id-missing'].param).toBe('character_id [1]')
})

test('a target without a validation is caught by the scenario that is refused for it', {
  timeout: WHOLE_RUN_MS,
}, async () => {
  const refusals = { alone: new Map([[some, ['avatar-sessions.create-text']]]), beside: new Set<string>() }
  const [job] = validationJobs(refusals, { scenarios, seed: 1, wanted: new Set([some]) })
  const result = await runJob(job ?? expect.fail('no job'), { scenarios, rules: await loadRules() })
  expect(result.errors).toEqual([])
  expect(isCaught(result, scenarios)).toBe(true)
})

test('what is red without being shown by its scenario catches nothing', () => {
  const part = { kind: 'validation', variations: [], conformant: false, open: [], errors: [], rest_requests: 1, ms: 1 }
  const result = { ...part, id: some, only: ['voices.library'], red: ['characters.get.unknown-rejected'] } as JobResult
  expect(isCaught(result, scenarios)).toBe(false)
})

test('a save that leaves a fault to the start is caught without both', () => {
  const id = 'character/session/idle-high'
  const refusals = { alone: new Map([[id, ['characters.auto-close']]]), beside: new Set<string>() }
  const [job] = validationJobs(refusals, { scenarios, seed: 1, wanted: new Set([id]) })
  expect(job?.wider.map(({ waived }) => waived)).toEqual([[id, 'start/session/idle-high']])
})

const held = { validations: 2, switched_off: 1, caught: 1, late: 0, missed: [], untried: [], needless: [], unseen: {} }

test.each(['missed', 'untried', 'needless'] as const)('a validation that is %s breaks the proof', (list) => {
  expect(validationsHold(held)).toBe(true)
  expect(validationsHold({ ...held, [list]: [some] })).toBe(false)
})

test('no validation has a name that none has', () => {
  expect(() => switchOff(standardBehaviour(), 'createSession/none')).toThrow('createSession/none')
})
