import type { Condition } from '#trace/claim'
import { event } from '#trace/conditions'
import { lookUp, speech, userMessage } from '../bodies.ts'
import { startedFor } from '../error-about.ts'
import { forRows, given } from '../expectation.ts'
import { makeItem } from '../items/items.ts'
import { quiet, whole } from '../responses/responses.ts'
import { rowsIn } from '../rows.ts'
import { claiming } from '../step.ts'

const text = 'This must never be said.'

/** Fields that are invalid with a script, and scripts without content. */
const faults = [
  ['script.instructions-beside-rejected', speech(text, { instructions: 'Be brief.' })],
  ['script.tools-beside-rejected', speech(text, { tools: [lookUp] })],
  // "Overrides session tools": an empty list is one as well.
  ['script.tools-beside-rejected', speech(text, { tools: [] })],
  ['script.max-output-tokens-beside-rejected', speech(text, { max_output_tokens: 50 })],
  ['script.max-output-tokens-beside-rejected', speech(text, { max_output_tokens: 'inf' })],
  ['script.empty-rejected', { script: {} }],
  ['script-speech.text-missing-rejected', { script: { vocal: { type: 'speech' } } }],
] as const

/** What becomes of the items of an input is not said: nothing is told by an item behind these. */
const inputFaults = [
  ['script.input-beside-rejected', speech(text, { input: [userMessage('Hello.')] })],
  ['script.input-beside-rejected', speech(text, { input: [] })],
] as const

type Fault = (typeof faults | typeof inputFaults)[number]

const refuseEach = claiming({ 'response-create': 'rejected-not-created' }, rowsIn([...faults, ...inputFaults])).step(
  async (talk, all: readonly Fault[], control: Condition) => {
    for (const [row, response] of all) {
      const event_id = talk.context.id('faulty-response')
      await talk.fault({ type: 'response.create', event_id, response }, ({ at, rejected }) => {
        const named = event('response.created', { '/request_event_id': event_id })
        // One that names another request is of that one, and late.
        const any = talk.never(startedFor(), at, talk.after(1))
        return {
          ...forRows(row, given(control, rejected)),
          'response-create.rejected-not-created': [
            given(control, talk.never([named, ...whole(text)], at)),
            given(control, any),
          ],
        }
      })
      await quiet(talk)
    }
  },
)

/** @param control the same script without the fault started a response */
export const refuseScripts = claiming({}, refuseEach).step(async (talk, control: Condition) => {
  // Between two items of ours whatever a refused request has written shows: rules judge where the second one stands.
  await makeItem(talk, userMessage('Say only what I ask for.'))
  await refuseEach(talk, faults, control)
  await makeItem(talk, userMessage('That was nothing, I hope.'))
  await refuseEach(talk, inputFaults, control)
})
