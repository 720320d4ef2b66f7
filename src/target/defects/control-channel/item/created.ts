import { change, put } from '#target/overrides/changes'
import { again, onEvent, splitEvent } from '#target/overrides/events'
import { memory } from '#target/overrides/memory'
import { append, around, remembering, set } from '#target/overrides/operators'
import { textOf, type JsonObject, objectAt } from '#target/wire'
import { CREATED, isOwnItem, vocalOf } from '../../tools/control-channel.ts'
import { defectsOf } from '../../tools/table.ts'

const isPlaced = (event: JsonObject): boolean => event['type'] === 'conversation.item.created'

/** A message of words that nobody ever says. */
const unspoken = (text = '', place: number): JsonObject => ({
  id: `item_unspoken_${place}`,
  type: 'message',
  role: 'assistant',
  content: [{ type: 'text', text }],
})

export const itemCreatedDefects = defectsOf('control-channel.item-created', {
  'previous-item-id-nullable: Without an item before it the field is left out.': onEvent(
    CREATED,
    change('previous_item_id', (id) => id ?? undefined),
  ),
  'item-object: An item is confirmed by its id.': onEvent(
    CREATED,
    change('item', (item) => (item as JsonObject | undefined)?.['id']),
  ),
  'previous-item-known: An appended item follows one that nobody knows.': remembering(() => {
    let count = 0
    return onEvent(
      CREATED,
      change('previous_item_id', (id) => (id === null ? null : `item_hidden_${(count += 1)}`)),
    )
  }),
  'previous-item-known~refused-script: What a script that is refused for its instructions says is written.': around(
    'validations.responseCreate.script-with-instructions.broken',
    (broken) => (input) => {
      const refused = broken(input)
      const { items } = input.session
      if (refused) items.push(unspoken(textOf(vocalOf(input)['text']), items.length))
      return refused
    },
  ),
  'previous-item-known~cleared: What a pending response would have said is written when an interruption clears it.':
    around('scheduling.decide.interrupt', (decide) => (session, busy, asked) => {
      for (const { plan } of session.pending) session.items.push(unspoken(plan.text, session.items.length))
      return decide(session, busy, asked)
    }),
  'previous-item-known~deleted: Output after the last item was deleted is announced behind the deleted one.':
    remembering(() => {
      const gone = memory(() => ({ id: undefined as string | undefined, length: -1 }))
      let byClient = false
      return [
        around('conversation.position', (position) => (previous, items) => {
          byClient = true
          return position(previous, items)
        }),
        around('conversation.remove', (remove) => (items, id) => {
          const last = items.at(-1)?.['id'] === id
          remove(items, id)
          if (last) Object.assign(gone(items), { id: textOf(id), length: items.length })
        }),
        around('conversation.announcedPrevious', (announcedPrevious) => (items, index, asked) => {
          const client = byClient
          byClient = false
          const { id, length } = gone(items)
          return !client && length === items.length && id !== undefined ? id : announcedPrevious(items, index, asked)
        }),
      ]
    }),
  'previous-item-known~out-of-band: The first item behind output that is out of band is announced behind that output.':
    remembering(() => {
      const aside = memory(() => ({ id: undefined as string | undefined }))
      return append('outgoing', (event, session) => {
        const known = aside(session.items)
        if (event['type'] === 'response.output_item.done' && session.response?.plan.conversation === 'none')
          known.id = textOf(objectAt(event, 'item')['id'])
        if (!isPlaced(event) || known.id === undefined) return [event]
        const previous_item_id = known.id
        known.id = undefined
        return [{ ...event, previous_item_id }]
      })
    }),
  'previous-item-known~output-after-deletion: Output that follows the deletion of the last item names that item as the one before.':
    remembering(() => {
      const deleted = memory(() => ({ last: undefined as unknown }))
      return [
        around('conversation.remove', (remove) => (items, id) => {
          deleted(items).last = items.at(-1)?.['id'] === id ? id : undefined
          remove(items, id)
        }),
        append('outgoing', (event, { items }) => {
          const known = deleted(items)
          if (!isPlaced(event) || known.last === undefined) return [event]
          const { last } = known
          known.last = undefined
          return [objectAt(event, 'item')['status'] === 'in_progress' ? put('previous_item_id', last)(event) : event]
        }),
      ]
    }),
  'for-generated-output: Output is not announced.': set('conversation.announces', () => false),
  'for-generated-output~author: Output is announced as a message of the user.': onEvent(CREATED, (event) =>
    isOwnItem(event) ? event : { ...event, item: { ...objectAt(event, 'item'), role: 'user' } },
  ),
  'for-generated-output~text: Output is announced with the text of the output before.': remembering(() => {
    const known = memory(() => ({ text: '' }))
    return append('outgoing', (event, session) => {
      const last = known(session)
      if (event['type'] === 'response.output_text.done') last.text = textOf(event['text']) ?? ''
      if (!isPlaced(event) || isOwnItem(event) || last.text === '') return [event]
      return [{ ...event, item: { ...objectAt(event, 'item'), content: [{ type: 'text', text: last.text }] } }]
    })
  }),
  'once: Output is announced twice.': splitEvent(CREATED, (event) =>
    isOwnItem(event) ? [event] : [event, again(event)],
  ),
})
