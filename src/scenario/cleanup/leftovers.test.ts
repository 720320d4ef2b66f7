import { expect, test } from 'vitest'
import { createLeftovers } from './leftovers.ts'

test('after three of a kind that could not be ended, no more of it is made', () => {
  const leftovers = createLeftovers()
  for (const id of ['a', 'b', 'b']) leftovers.stands('character', id, 'ending it was refused with 10009')
  expect(leftovers.obstacle('character')).toBeUndefined()
  leftovers.stands('character', 'c', 'ending it was refused with 10009')
  expect(leftovers.obstacle('character')).toEqual({
    code: 'prerequisite',
    reason: '3 characters could not be ended (ending it was refused with 10009), so no more of them are made',
  })
  expect(leftovers.obstacle('avatar-session')).toBeUndefined()
})

test('what is over after all counts no more', () => {
  const leftovers = createLeftovers()
  for (const id of ['a', 'b', 'c']) leftovers.stands('world-session', id, 'refused')
  leftovers.over('world-session', 'b')
  expect(leftovers.obstacle('world-session')).toBeUndefined()
})

test('a doubt makes the next few be looked at, and lag alone does so only a few times', () => {
  const leftovers = createLeftovers()
  expect(leftovers.looks('avatar-session')).toBe(false)
  let looks = 0
  for (let round = 0; round < 10; round += 1) {
    leftovers.doubt('avatar-session')
    while (leftovers.looks('avatar-session')) looks += 1
  }
  expect(looks).toBe(9)
})
