import { event } from '#trace/conditions'
import { textAt } from '#trace/json'
import { prose, speech } from '../bodies.ts'
import { onlyIf } from '../expectation.ts'
import { completed, finish, start } from '../responses/responses.ts'
import { claiming } from '../step.ts'
import { created, retrieve } from './items.ts'

/**
 * An item is looked up in the midst of its response, of which nothing is expected; once that is done, it is found as it is
 * then, and not as it was.
 */
export const lookTwice = claiming({
  'item-retrieve': 'generated-item',
  script: 'written-text-exact',
}).step(async (talk) => {
  const text = `It is ${talk.context.id('early')}. ${prose(600)}`
  const begun = await start(talk, speech(text))
  if (begun.start === undefined) return
  const announced = await talk.hear(event(created, { '/item/role': 'assistant' }), begun.start.frame)
  const id = textAt(announced?.data, '/item/id')
  if (id === undefined) return
  const early = await retrieve(talk, id)
  await finish(talk, begun)
  await retrieve(talk, id, ({ confirmed }) => ({
    'item-retrieve.generated-item': onlyIf([begun.started, completed(begun), early.confirmed], confirmed),
  }))
})
