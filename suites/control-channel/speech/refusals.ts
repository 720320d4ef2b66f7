import type { Condition } from '#trace/claim'
import { event } from '#trace/conditions'
import { lookUp, speech, userMessage } from '../bodies.ts'
import { startedFor } from '../error-about.ts'
import { forRows, given } from '../expectation.ts'
import { quiet, whole } from '../responses/responses.ts'
import { rowsIn } from '../rows.ts'
import { claiming } from '../step.ts'

const text = 'This must never be said.'

/** Fields that are invalid with a script, and scripts without content. */
const faults = [
  ['script.input-beside-rejected', speech(text, { input: [userMessage('Hello.')] })],
  ['script.input-beside-rejected', speech(text, { input: [] })],
  ['script.instructions-beside-rejected', speech(text, { instructions: 'Be brief.' })],
  ['script.tools-beside-rejected', speech(text, { tools: [lookUp] })],
  // "Overrides session tools": an empty list is one as well.
  ['script.tools-beside-rejected', speech(text, { tools: [] })],
  ['script.max-output-tokens-beside-rejected', speech(text, { max_output_tokens: 50 })],
  ['script.max-output-tokens-beside-rejected', speech(text, { max_output_tokens: 'inf' })],
  ['script.empty-rejected', { script: {} }],
  ['script-speech.text-missing-rejected', { script: { vocal: { type: 'speech' } } }],
] as const

/** @param control the same script without the fault started a response */
export const refuseScripts = claiming({ 'response-create': 'rejected-not-created' }, rowsIn(faults)).step(
  async (talk, control: Condition) => {
    for (const [row, response] of faults) {
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
