import type { Condition } from '#trace/claim'
import type { JsonObject } from '#trace/json'
import { lookUp, userMessage } from '../bodies.ts'
import { strewn } from '../events/stray.ts'
import { forRows, onlyIf } from '../expectation.ts'
import { refuseResponse } from '../refusals.ts'
import { quiet, respond } from '../responses/responses.ts'
import { rowsIn } from '../rows.ts'
import { claiming } from '../step.ts'

/** What may stand beside any script stands beside this one as well. @param control the script alone was taken */
export const playBeside = claiming({
  'response-create': 'conversation-none-accepted',
  scheduling: 'reject-if-busy-idle-starts',
  message: 'unknown-nested-field-ignored',
}).step(async (talk, script: JsonObject, control: Condition) => {
  for (const [row, response] of [
    ['response-create.conversation-none-accepted', { ...script, conversation: 'none' }],
    ['scheduling.reject-if-busy-idle-starts', { ...script, scheduling_policy: 'reject_if_busy' }],
    ['message.unknown-nested-field-ignored', strewn(script)],
  ] as const) {
    await respond(talk, response, ({ started }) => forRows(row, onlyIf(control, started)))
    await quiet(talk)
  }
})

const forbidden = [
  ['script.input-beside-rejected', { input: [userMessage('Hello.')] }],
  ['script.instructions-beside-rejected', { instructions: 'Be brief.' }],
  ['script.tools-beside-rejected', { tools: [lookUp] }],
  ['script.max-output-tokens-beside-rejected', { max_output_tokens: 50 }],
] as const

/** What is invalid with a script, beside each of several. */
export const refuseBeside = claiming({}, rowsIn(forbidden)).step(
  async (talk, scripts: readonly (readonly [response: JsonObject, control: Condition])[]) => {
    for (const [response, control] of scripts) {
      for (const [rejected, fields] of forbidden) {
        await refuseResponse(talk, { ...response, ...fields }, { rejected, given: [control] })
      }
    }
  },
)
