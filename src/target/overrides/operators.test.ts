import { expect, test } from 'vitest'
import { standardBehaviour } from '../behaviour/behaviour.ts'
import { validation } from '../behaviour/validations/input-validation.ts'
import { add, several, append, around, drop, except, remembering, set } from './operators.ts'

/** What the validation for the names of characters says of a body. */
function refusesName(behaviour: ReturnType<typeof standardBehaviour>, name: unknown): boolean {
  const { limits, validations } = behaviour
  return Object.values(validations.character.name).some(({ broken }) => broken({ body: { name }, limits }))
}

test('a validation that is dropped refuses nothing', () => {
  const behaviour = standardBehaviour()
  drop('validations.character.name', 'name-not-string')(behaviour)
  expect([7, undefined].map((name) => refusesName(behaviour, name))).toEqual([false, true])
})

test('an exception lets through what it is true of, and nothing else', () => {
  const behaviour = standardBehaviour()
  except('validations.character.name', ['name-not-string'], ({ body }) => body['name'] === 7)(behaviour)
  expect([7, 8].map((name) => refusesName(behaviour, name))).toEqual([false, true])
})

test('an added validation refuses what the others accept', () => {
  const behaviour = standardBehaviour()
  add(
    'validations.character.name',
    'name-long',
    validation('4.2', 'name', ({ body }) => String(body['name']).length > 3),
  )(behaviour)
  expect(['Ada', 'Grace'].map((name) => refusesName(behaviour, name))).toEqual([false, true])
})

test('a validation that there is none of is an error', () => {
  const table: string = 'validations.character.nickname'
  expect(() => drop(table)(standardBehaviour())).not.toThrow()
  expect(() => set('limits.idleMinimum.seconds', undefined as never)(standardBehaviour())).toThrow(
    'the behaviour of a target has no limits.idleMinimum',
  )
})

test('a value is set, and a list is not shared between targets', () => {
  const [one, other] = [standardBehaviour(), standardBehaviour()]
  const change = several(set('limits.idleMinimum', 29), set('access.gated', ['upload-audio']))
  for (const behaviour of [one, other]) change(behaviour)
  append('access.gated', 'clone-voice')(one)
  expect([one.limits.idleMinimum, one.access.gated, other.access.gated]).toEqual([
    29,
    ['upload-audio', 'clone-voice'],
    ['upload-audio'],
  ])
})

test('a function is wrapped around the old one', () => {
  const behaviour = standardBehaviour()
  around('pace.split', (split) => (text) => split(text.toUpperCase()))(behaviour)
  expect(behaviour.pace.split('a b').join('')).toBe('A B')
})

test('what changes remember, each target remembers for itself', () => {
  const counted = remembering(() => {
    let count = 0
    return set('ids.response', () => `resp_${(count += 1)}`)
  })
  const ids = [standardBehaviour(), standardBehaviour()].map((behaviour) => {
    counted(behaviour)
    return behaviour.ids.response(behaviour.ids.response as never)
  })
  expect(ids).toEqual(['resp_1', 'resp_1'])
})
