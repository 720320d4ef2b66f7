import type { Condition } from '#trace/claim'
import type { JsonObject } from '#trace/json'
import { speechAsset } from '../assets/additions.ts'
import { retrieve } from '../items/items.ts'
import { refuse } from '../refusals.ts'
import { quiet } from '../responses/responses.ts'
import { speak } from './speeches.ts'
import type { Talk } from '../talk.ts'

/** Requests that look right until what they name is looked up. */
function namesNothing({ context }: Talk): readonly JsonObject[] {
  return [speechAsset(context.id('no-asset')), { input: [{ type: 'item_reference', id: context.id('no-item') }] }]
}

/** What was refused leaves an idle session idle, whatever of it was prepared before. */
export async function speakAfterRefusals(talk: Talk): Promise<void> {
  for (const [scheduling_policy, row] of [
    ['reject_if_busy', 'scheduling.reject-if-busy-idle-starts'],
    ['after_current_response', 'scheduling.after-current-idle-starts'],
  ] as const) {
    const refused: Condition[] = []
    for (const response of namesNothing(talk)) {
      const message = { type: 'response.create', response }
      refused.push((await refuse(talk, { rows: [], message, confirmation: 'response.created' })).rejected)
      await quiet(talk)
    }
    await speak(talk, `Now comes one with ${scheduling_policy}.`, { scheduling_policy }, ({ started }) => {
      talk.claim(row, started, { given: refused, choice: true })
    })
  }
}

/** `response.cancel` "targets the current active response": where there is none, nothing that comes later is cut short. */
export async function speakAfterIdleCancel(talk: Talk, known: string): Promise<void> {
  await quiet(talk)
  talk.send({ type: 'response.cancel', event_id: talk.context.id('idle-cancel') })
  await retrieve(talk, known)
  await speak(talk, 'There was nothing to cancel.')
}
