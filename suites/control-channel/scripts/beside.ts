import type { Condition } from '#trace/claim'
import { any } from '#trace/conditions'
import type { JsonObject } from '#trace/json'
import { confirmedAt } from '../assets/add.ts'
import { lookUp, userMessage } from '../bodies.ts'
import { strewn } from '../events/stray.ts'
import { forRows, onlyIf } from '../expectation.ts'
import { refuseResponse } from '../refusals.ts'
import { type Asked, quiet, respond, type Started } from '../responses/responses.ts'
import { rowsIn } from '../rows.ts'
import { claiming } from '../step.ts'
import type { Talk } from '../talk.ts'

/**
 * Plays media that the service has to fetch, which may be out of reach just then: what is refused is asked for once more.
 *
 * @param ask sends the request, and expects that it is taken, or the next one
 */
export async function playFetched<S extends Pick<Started, 'start'>>(
  talk: Talk,
  ask: (taken: (asked: Asked) => Condition) => Promise<S>,
): Promise<S> {
  const first = await ask(({ started }) => any(started, confirmedAt(talk, 'response.created', 1)))
  return first.start === undefined ? ask(({ started }) => started) : first
}

/**
 * What may stand beside any script stands beside this one as well.
 *
 * @param control the script alone was taken
 * @param fetched whether it plays what the service has to fetch
 */
export const playBeside = claiming({
  'response-create': 'conversation-none-accepted',
  scheduling: 'reject-if-busy-idle-starts',
  message: 'unknown-nested-field-ignored',
}).step(async (talk, script: JsonObject, control: Condition, fetched = false) => {
  for (const [row, response] of [
    ['response-create.conversation-none-accepted', { ...script, conversation: 'none' }],
    ['scheduling.reject-if-busy-idle-starts', { ...script, scheduling_policy: 'reject_if_busy' }],
    ['message.unknown-nested-field-ignored', strewn(script)],
  ] as const) {
    const play = (taken: (asked: Asked) => Condition) =>
      respond(talk, response, (asked) => forRows(row, onlyIf(control, taken(asked))))
    await (fetched ? playFetched(talk, play) : play(({ started }) => started))
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
