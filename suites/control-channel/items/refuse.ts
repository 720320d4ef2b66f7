import type { Condition } from '#trace/claim'
import type { JsonObject } from '#trace/json'
import { onlyIf } from '../expectation.ts'
import { refuse } from '../refusals.ts'
import { rows, rowsIn } from '../rows.ts'
import { claiming } from '../step.ts'
import { setsStatus } from './items.ts'
import { call, type Controls, imagePart, inputText, message, output, writeItem } from './write.ts'

const textFaults = [
  ['item-create.unknown-type-rejected', { type: 'remark', role: 'user', content: [inputText('Hm.')] }],
  ['item-create.type-missing-rejected', { role: 'user', content: [inputText('Hm.')] }],
  ['item-create.unknown-role-rejected', message('narrator', inputText('Once upon a time.'))],
  ['item-create.unknown-part-type-rejected', message('user', { type: 'input_smell', text: 'Roses.' })],
  [
    'item-create.unknown-part-type-rejected',
    message('user', inputText('Well.'), { type: 'input_smell', text: 'Tar.' }, inputText('Yes.')),
  ],
  ['item-create.unknown-status-rejected', { ...message('user', inputText('Hm.')), status: 'forgotten' }],
  // Names that other interfaces know.
  ['item-create.unknown-role-rejected', message('tool', inputText('It is noon.'))],
  ['item-create.unknown-part-type-rejected', message('assistant', { type: 'output_text', text: 'It is noon.' })],
] as const

const { name: _name, ...nameless } = call()
const { arguments: _arguments, ...bare } = call()

const callFaults = [
  ['item-create.function-call-name-missing-rejected', nameless],
  ['item-create.function-call-arguments-missing-rejected', bare],
  ['item-create.function-call-arguments-object-rejected', call({ arguments: { topic: 'weather' } })],
] as const

const outputFaults = (callId: string) =>
  [
    ['item-create.function-call-output-call-id-missing-rejected', { type: 'function_call_output', output: '{}' }],
    ['item-create.function-call-output-output-missing-rejected', { type: 'function_call_output', call_id: callId }],
    ['item-create.function-call-output-output-object-rejected', output(callId, { output: { noon: true } })],
  ] as const

/** One of each kind of item that is not whole, as the `input` of a response may bring it as well. */
export const partialItems = [
  textFaults[0],
  textFaults[1],
  textFaults[2],
  textFaults[4],
  ...callFaults.slice(0, 2),
] as const

const faultRows = [
  ...rowsIn([...textFaults, ...callFaults, ...outputFaults('')]),
  ...rows({ 'item-create': 'image-detail-unknown-rejected' }),
]

/** Whatever is wrong with an item. */
export const refuseItems = claiming({ 'item-create': 'rejected-not-confirmed' }, faultRows).step(
  async (talk, controls: Controls) => {
    const { context } = talk
    const callId = context.id('call')
    const { confirmed } = await writeItem(talk, call({ call_id: callId }))
    const refuseOne = (rejected: (typeof faultRows)[number], item: JsonObject, control: readonly Condition[]) =>
      refuse(
        talk,
        'conversation.item.create',
        { item },
        {
          rejected,
          given: control,
          ...(rejected === 'item-create.unknown-status-rejected' ? { spared: (at) => setsStatus(talk, at) } : {}),
          expect: (it) => ({
            'item-create.rejected-not-confirmed': onlyIf([...control, it.owned], it.unconfirmed),
          }),
        },
      )
    for (const [row, item] of textFaults) await refuseOne(row, item, [controls.text])
    for (const [row, item] of callFaults) await refuseOne(row, item, [controls.call])
    for (const [row, item] of outputFaults(callId)) await refuseOne(row, item, [controls.output, confirmed])
    const odd = imagePart(context, { detail: 'blurred' })
    if (odd === undefined || controls.image === undefined) return
    await refuseOne('item-create.image-detail-unknown-rejected', message('user', odd), [controls.image])
  },
)

/** Events that name no item. */
export const refuseNameless = claiming({
  'item-retrieve': 'item-id-missing-rejected',
  'item-delete': 'item-id-missing-rejected',
}).step(async (talk, control: Condition) => {
  for (const kind of ['retrieve', 'delete'] as const) {
    const rejected = `item-${kind}.item-id-missing-rejected` as const
    await refuse(talk, `conversation.item.${kind}`, {}, { rejected, given: [control] })
  }
})
