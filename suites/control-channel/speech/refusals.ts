import type { Condition } from '#trace/claim'
import { event } from '#trace/conditions'
import type { JsonObject } from '#trace/json'
import { lookUp, speech, userMessage } from '../bodies.ts'
import { quiet, whole } from '../responses/responses.ts'
import type { Row } from '../rows.ts'
import type { Talk } from '../talk.ts'

const text = 'This must never be said.'

/** Fields that are invalid with a script, and scripts without content. */
const faults: readonly (readonly [row: Row, response: JsonObject])[] = [
  ['script.input-beside-rejected', speech(text, { input: [userMessage('Hello.')] })],
  ['script.instructions-beside-rejected', speech(text, { instructions: 'Be brief.' })],
  ['script.tools-beside-rejected', speech(text, { tools: [lookUp] })],
  ['script.max-output-tokens-beside-rejected', speech(text, { max_output_tokens: 50 })],
  ['script.max-output-tokens-beside-rejected', speech(text, { max_output_tokens: 'inf' })],
  ['script.empty-rejected', { script: {} }],
  ['script-speech.text-missing-rejected', { script: { vocal: { type: 'speech' } } }],
]

/** @param twin the same script without the fault started a response */
export async function refuseScripts(talk: Talk, twin: Condition): Promise<void> {
  for (const [row, response] of faults) {
    const id = talk.context.id('faulty-response')
    await talk.fault({ type: 'response.create', event_id: id, response }, (it) => {
      const given = { given: [twin] }
      talk.claim(row, it.rejected, given)
      const named = event('response.created', { '/request_event_id': id })
      talk.claim('response-create.rejected-not-created', talk.never([named, ...whole(text)], it.at), given)
      const any = talk.never(event('response.created'), it.at, talk.after(1))
      talk.claim('response-create.rejected-not-created', any, given)
    })
    await quiet(talk)
  }
}
