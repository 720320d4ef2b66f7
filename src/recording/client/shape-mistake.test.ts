import { expect, test } from 'vitest'
import { validateClientEvent } from '#spec/validators'
import { shapeMistake } from './shape-mistake.ts'

const mistakes = (event: object) => validateClientEvent(event as never).map((error) => shapeMistake(error, 'the event'))

test('what a client sent wrong is said in a sentence', () => {
  expect(mistakes({ type: 'conversation.item.retrieve' })).toEqual(['/item_id is missing'])
  expect(mistakes({ type: 'conversation.item.retrieve', item_id: 5 })).toEqual(['/item_id: expected string, sent 5'])
})
