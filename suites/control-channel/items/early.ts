import { equals, event, inEvent, value } from '#trace/conditions'
import { textAt } from '#trace/json'
import { prose, speech, userMessage } from '../bodies.ts'
import { onlyIf } from '../expectation.ts'
import { completed, finish, start } from '../responses/responses.ts'
import { claiming } from '../step.ts'
import { created, retrieve } from './items.ts'
import { type Written, writeItem } from './write.ts'

/** While a response goes on, an item is put where it is to stand, as at any other time. */
const insertMeanwhile = claiming({ 'item-create': 'inserted-after-named' }).step(
  async (talk, { id, confirmed }: Written): Promise<void> => {
    if (id === undefined) return
    await writeItem(talk, userMessage('This goes between.'), {
      beside: { previous_item_id: id },
      expect: (it) => {
        const behind = equals(inEvent(it.answer, '/previous_item_id'), value(id))
        return { 'item-create.inserted-after-named': onlyIf([confirmed, it.confirmed], behind) }
      },
    })
  },
)

/**
 * An item is looked up in the midst of its response, of which nothing is expected; once that is done, it is found as it is
 * then, and not as it was.
 */
export const lookTwice = claiming(
  { 'item-retrieve': 'generated-item', script: 'written-text-exact' },
  insertMeanwhile,
).step(async (talk) => {
  const before = await writeItem(talk, userMessage('How late is it?'))
  const text = `It is ${talk.context.id('early')}. ${prose(600)}`
  const begun = await start(talk, speech(text))
  if (begun.start === undefined) return
  const announced = await talk.hear(event(created, { '/item/role': 'assistant' }), begun.start.frame)
  const id = textAt(announced?.data, '/item/id')
  if (id === undefined) return
  const early = await retrieve(talk, id)
  await insertMeanwhile(talk, before)
  await finish(talk, begun)
  await retrieve(talk, id, ({ confirmed }) => ({
    'item-retrieve.generated-item': onlyIf([begun.started, completed(begun), early.confirmed], confirmed),
  }))
})
