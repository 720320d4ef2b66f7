import { keyOf } from '#scenario/author/key-of'
import type { Scenario } from '#scenario/author/scenario'
import { textChat } from '../bodies.ts'
import { setStage } from '../responses/busy.ts'
import { rows } from '../rows.ts'
import { clearByDefault, interruptPending } from './interrupt.ts'
import { queueOne, refuseInvalidBeside, refuseSecond, rejectWhilePending } from './wait.ts'
import { Talk } from '../talk.ts'

/** What becomes of a response that waits for the active one, in `text_chat`. */
export const pending: Scenario = {
  id: 'control-channel.pending',
  proves: rows(
    'response-created.request-event-id-names-request',
    'scheduling.interrupt-clears-pending',
    'scheduling.interrupt-leaves-later-pending',
    'scheduling.reject-if-busy-pending-rejected',
    'scheduling.reject-if-busy-leaves-pending',
    'scheduling.after-current-queued',
    'scheduling.after-current-runs',
    'scheduling.after-current-not-before-output-ends',
    'scheduling.after-current-leaves-active',
    'scheduling.after-current-brings-own-text',
    'scheduling.pending-one-accepted',
    'scheduling.pending-second-rejected',
    'scheduling.pending-second-never-starts',
    'scheduling.pending-second-leaves-first',
    'scheduling.pending-slot-frees',
    'scheduling.pending-runs-once',
    'error.event-id-names-cause',
  ),
  price: { requests: { same_workspace: 2 }, sessions: { same_workspace: 1 }, waits: 5 },
  async drive(context) {
    const session = await context.create(textChat(), { key: keyOf(context, 'same_workspace') })
    const talk = new Talk(context, await context.connect(session))
    const stage = await setStage(talk)
    const runs = await queueOne(stage)
    await refuseSecond(stage, runs)
    await rejectWhilePending(stage, runs)
    await refuseInvalidBeside(stage, runs)
    await interruptPending(stage, runs)
    await clearByDefault(stage, runs)
    await talk.leave()
  },
}
