import type { Condition } from '#trace/claim'
import type { JsonObject } from '#trace/json'
import { speechAsset } from '../assets/additions.ts'
import { forRows, onlyIf } from '../expectation.ts'
import { retrieve } from '../items/items.ts'
import { refuseResponse } from '../refusals.ts'
import { quiet } from '../responses/responses.ts'
import { claiming } from '../step.ts'
import type { Talk } from '../talk.ts'
import { speak } from './speeches.ts'

/** Requests that look right until what they name is looked up. */
function namesNothing({ context }: Talk): readonly JsonObject[] {
  return [speechAsset(context.id('no-asset')), { input: [{ type: 'item_reference', id: context.id('no-item') }] }]
}

/** What was refused leaves an idle session idle, whatever of it was prepared before. */
export const speakAfterRefusals = claiming(
  { scheduling: 'reject-if-busy-idle-starts after-current-idle-starts' },
  speak,
).step(async (talk) => {
  for (const [scheduling_policy, row] of [
    ['reject_if_busy', 'scheduling.reject-if-busy-idle-starts'],
    ['after_current_response', 'scheduling.after-current-idle-starts'],
  ] as const) {
    const refused: Condition[] = []
    for (const response of namesNothing(talk)) refused.push((await refuseResponse(talk, response)).rejected)
    await speak(talk, `Now comes one with ${scheduling_policy}.`, { scheduling_policy }, ({ started }) =>
      forRows(row, onlyIf(refused, started)),
    )
  }
})

/** `response.cancel` "targets the current active response": where there is none, nothing that comes later is cut short. */
export const speakAfterIdleCancel = claiming({}, speak).step(async (talk, known: string) => {
  await quiet(talk)
  talk.send({ type: 'response.cancel', event_id: talk.context.id('idle-cancel') })
  await retrieve(talk, known)
  await speak(talk, 'There was nothing to cancel.')
})
