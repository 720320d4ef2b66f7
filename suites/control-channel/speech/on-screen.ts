import type { Condition } from '#trace/claim'
import { all, event } from '#trace/conditions'
import { addOnce, speechTexts } from '../assets/additions.ts'
import { userMessage } from '../bodies.ts'
import { given, onlyIf } from '../expectation.ts'
import { deleted, type Made, makeItem, remove, seek } from '../items/items.ts'
import { call, output, writeItem } from '../items/write.ts'
import { claiming } from '../step.ts'

/** In video a conversation is kept as in text. The first item of a session finds room in it. */
export const makeFirst = claiming({ 'item-create': 'user-text-accepted' }).step(
  (talk, text: string): Promise<Made> =>
    makeItem(talk, userMessage(text), ({ confirmed }) => ({ 'item-create.user-text-accepted': confirmed })),
)

/** What a function was asked and what it said is kept as well. */
const keepCall = claiming({ 'item-create': 'function-call-accepted function-call-output-accepted' }).step(
  async (talk): Promise<void> => {
    const call_id = talk.context.id('call')
    const { confirmed } = await writeItem(talk, call({ call_id }), { accepted: 'item-create.function-call-accepted' })
    await writeItem(talk, output(call_id), {
      accepted: 'item-create.function-call-output-accepted',
      given: [confirmed],
    })
  },
)

/** An item that was put first goes again, a function is called, and what nobody knows is answered with an `error`. */
export const comeAndGo = claiming({ 'item-delete': 'gone', message: 'unknown-type-rejected' }, keepCall).step(
  async (talk, known: string, kept: Condition): Promise<void> => {
    const first = await writeItem(talk, userMessage('This comes first.'), { beside: { previous_item_id: 'root' } })
    if (first.id !== undefined) {
      const { confirmed: gone } = await remove(talk, first.id, event(deleted, { '/item_id': first.id }))
      await seek(talk, first.id, known, ({ nothing, unseen }) => ({
        'item-delete.gone': onlyIf([first.confirmed, gone], all(nothing, unseen)),
      }))
    }
    await keepCall(talk)
    await talk.fault({ type: 'session.rewind', event_id: talk.context.id('faulty') }, (it) => ({
      'message.unknown-type-rejected': given(kept, it.rejected),
    }))
  },
)

/** The first text of a session is registered. @param known an item */
export const registerFirst = claiming({ 'asset-add': 'speech-text-accepted confirmed confirmed-once' }).step(
  (talk, texts: { readonly [id: string]: string }, known: string): Promise<Condition> =>
    addOnce(talk, 'asset.add', speechTexts(texts), known, { accepted: 'asset-add.speech-text-accepted' }),
)
