import { event } from '#trace/conditions'
import { userMessage } from '../bodies.ts'
import { stray, strewn } from '../events/stray.ts'
import { onlyIf } from '../expectation.ts'
import { claiming } from '../step.ts'
import { deleted, remove, retrieve } from './items.ts'
import { call, type Controls, output, writeItem } from './write.ts'

/**
 * "Clients and servers ignore fields they do not recognize": in items of every kind, and where one is named.
 *
 * @param controls items that were created without such fields
 */
export const writeStrewn = claiming({
  message: 'unknown-field-ignored unknown-nested-field-ignored',
}).step(async (talk, controls: Controls) => {
  const accepted = 'message.unknown-nested-field-ignored'
  for (const [item, confirmed] of controls.messages) {
    await writeItem(talk, strewn(item), { accepted, given: [confirmed], choice: true })
  }
  // Only one output belongs to a call.
  const call_id = talk.context.id('call')
  const called = await writeItem(talk, strewn(call({ call_id })), { accepted, given: [controls.call], choice: true })
  const given = [controls.output, called.confirmed]
  // Text that is JSON is a string all the same.
  const told = { output: '{"noon":true,"degrees":24}' }
  await writeItem(talk, strewn(output(call_id, told)), { accepted, given, choice: true })
  const [{ id: first = '' }, { id: second = '' }] = [
    await writeItem(talk, userMessage('Look at me.')),
    await writeItem(talk, userMessage('And at me.')),
  ]
  const { confirmed: found } = await retrieve(talk, first)
  await retrieve(talk, first, (it) => ({ 'message.unknown-field-ignored': onlyIf(found, it.confirmed) }), stray)
  const gone = (id: string) => event(deleted, { '/item_id': id })
  const { confirmed: removed } = await remove(talk, first, gone(first))
  await remove(
    talk,
    second,
    gone(second),
    (it) => ({ 'message.unknown-field-ignored': onlyIf([found, removed], it.confirmed) }),
    stray,
  )
})
